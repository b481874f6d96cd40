// All heads of a model that were saved to disk: ui/saved/map_page.py writes them. They are shown as the app shows
// them.

import showTiles, { picture } from "../../../blocks/real/head_tiles.js";
import { html, list } from "../dom.js";
import { say } from "../language.js";
import { opened } from "./opened.js";

class MapPage {
  constructor(main, map, ways) {
    this.map = map;
    this.list = list(say("Sort by"), map.orders.map(({ title }, i) => [String(i), title]), () => this.show());
    this.place = html("div", {});
    const bar = html("div", { class: "bar" }, html("span", {}, say("Sort by")), this.list, ...ways);
    const header = html("header", {}, html("h1", {}, map.title), bar);
    main.append(header, html("p", { class: "how" }, map.says), this.place);
    this.show();
  }

  show() {
    const { places, says } = this.map.orders[Number(this.list.value)];
    const tiles = places.map((place, i) => ({ ...this.map.tiles[place], ...sayingThat(says[i]) }));
    const data = { kind: "heads", tiles: JSON.stringify(tiles), legend: JSON.stringify(this.map.legend) };
    data.filter = say("Show only these");
    data.all = say("All heads: the arrow keys go from one to the next");
    data.large = (tile) => this.largeOf(tile);
    this.large = null;
    showTiles({ parentElement: this.place, data, setTriggerValue: (_, at) => this.press(tiles[at], at) });
  }

  // Below a tile that is pressed, its head stands large; pressed again, it goes. A map of many heads has it beside
  // them anyway.
  press(tile, at) {
    if (this.place.querySelector(".looked-at")) return;
    const was = this.large?.at;
    this.large?.element.remove();
    this.large = null;
    if (was === at) return;
    const element = html("section", { class: "large", role: "status" }, html("p", {}, tile.spoken), ...this.largeOf(tile));
    this.place.querySelectorAll(".row button")[at].after(element);
    this.large = { at, element };
  }

  // With the words beside it, where each has cells of its own.
  largeOf(tile) {
    const { tokens } = this.map;
    const shown = picture(tile);
    if (shown.height !== tokens.length || shown.width !== tokens.length) return [shown];
    const words = (name) => html("div", { class: name, "aria-hidden": "true" }, ...tokens.map((each) => html("span", {}, each)));
    return [html("div", { class: "with-words" }, words("across"), words("down"), shown)];
  }
}

const sayingThat = ([group, title, says]) => ({ group, title, says });

opened((main, map, theme, ways) => new MapPage(main, map, ways));
