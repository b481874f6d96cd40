"""Start the app as a replica of many: what `streamlit run app.py` does, after a look at `app.py`.

    .venv/bin/python -m tools.start_app --server.port=8502

Where Streamlit cannot read that file, it starts its plain server, which has none of our headers.
This program then starts no server. It ends with what Python says is wrong in the file.
"""

from __future__ import annotations

import ast
import runpy
import sys
from pathlib import Path
from typing import Final

APP: Final = Path("app.py")

if __name__ == "__main__":
    ast.parse(APP.read_text("utf-8"), str(APP))
    sys.argv = ["streamlit", "run", str(APP), *sys.argv[1:]]
    runpy.run_module("streamlit", run_name="__main__", alter_sys=True)
