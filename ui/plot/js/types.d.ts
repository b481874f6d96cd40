// Types that comments of several modules name. Nothing of this is sent.

type Matrix = import("./board/matrix.js").Matrix;
type Plot = import("./plot.js").Plot;
type Entries = import("./entering/entries.js").Entries;
type Live = import("./live/live.js").Live;
type Forward = import("./numbers/forward.js").Forward;

type Rows = ArrayLike<number>[]; // of an array

/** Of a picture: its row and column as they are shown. */
interface Cell {
  matrix: Matrix;
  row: number;
  column: number;
}

interface Label {
  matrix: Matrix;
  side: string;
  place: number;
}

/** In pixels of a stage. */
interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

/** What waits in Entries, or was refused: of a cell, a label or a field. */
interface Entry {
  number: number;
  matrix?: string;
  row?: number;
  column?: number;
  text?: string;
  act?: string;
  source?: string;
  place?: number;
  to?: number;
  field?: string;
  value?: any;
  reason?: string;
}

/** A number that is dragged: of a cell by its matrix's name, or a stroke of the mask pen. */
interface Drag {
  matrix: string;
  row: number;
  column: number;
  number: any;
  entry: number; // 0 while it is dragged
  isHeld?: boolean; // by a key, in a field of the form
  was?: any;
}

/** What a picture that is presented is fitted to: see on_screen.js. */
interface PresentScreen {
  width: number;
  height: number;
  zoom: number;
  first?: number;
  fewAtATime?: boolean;
  atOnce?: number | null;
  beside?: any[];
}

/** Where a key leads while a page is presented: see present_steps.js. */
interface Way {
  wish?: { part?: string; head?: number | null; page?: number };
  first?: number;
  atOnce?: number;
  words?: string;
}

/** What an Editor edits, as its subclasses say. */
interface Edited {
  textIn(cell: any): string;
  nameOf(cell: any): string;
  boxOf(cell: any): Box;
  again(cell: any): any;
  enter(cell: any, text: string): void;
  onward(cell: any, down: number, across: number): any;
  goOnTo(cell: any): void;
}

/** What Streamlit gives to a component. */
interface StreamlitComponent {
  parentElement?: any;
  data?: any;
  setStateValue(name: string, value: any): void;
  setTriggerValue(name: string, value: any): void;
}

// Events by which modules and single scripts tell each other what is pointed at, entered and stepped to.
interface WindowEventMap {
  "attention-focus": CustomEvent;
  "attention-symbol": CustomEvent;
  "attention-matrix": CustomEvent;
}
interface DocumentEventMap {
  entered: CustomEvent;
  stepped: CustomEvent;
}

interface Navigator {
  userAgentData?: { platform: string }; // where a browser has it
}
