import assert from "node:assert/strict";
import { test } from "node:test";

import { pathOfDark, QUIET_ZONE } from "../../../ui/plot/js/drawing/qr_code.js";

test("each stretch of dark modules is one box, inside of the light zone", () => {
  assert.equal(QUIET_ZONE, 4);
  assert.equal(pathOfDark(["110", "000", "101"]), "M4 4h2v1h-2zM4 6h1v1h-1zM6 6h1v1h-1z");
});
