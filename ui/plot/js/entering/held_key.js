// A key that is held in a field which draws numbers by chance. The server says, beside Streamlit, what each
// value draws, and every picture follows as it follows a drag. The field enters the last value.

import { askDrawn } from "../asking.js";

const MOST_UNDER_WAY = 4; // questions, on a slow line

export class HeldKey {
  isOn = false;
  isRefused = false; // whether the server has not said what a value of this hold draws
  #value = ""; // the newest
  #askedFor = ""; // the one of the newest question
  #underWay = 0;
  #asked = 0; // questions so far
  #shown = 0; // the newest one whose answer is shown
  /** @type {any} */
  #field; // its key, and who asks
  /** @type {any} */
  #live;

  // `ask` is as `askDrawn`; `give` is told to enter the value at once, where the server does not say.
  constructor(give, ask = askDrawn) {
    this.give = give;
    this.ask = ask;
  }

  begin(field, live) {
    this.isOn = true;
    this.#field = field;
    this.#live = live;
    this.#shown = this.#asked; // answers to older questions are of another hold
    live.endOther();
    live.beginHeld(field.key, () => this.give());
  }

  moveTo(value) {
    this.#value = value;
    this.#goOn();
  }

  async #goOn() {
    if (this.#underWay === MOST_UNDER_WAY) return; // until one of them is answered
    const question = ++this.#asked;
    this.#askedFor = this.#value;
    this.#underWay++;
    const { asks_as, key } = this.#field;
    const drawn = await this.ask(asks_as, key, this.#value).catch(() => null);
    this.#underWay--;
    if (this.isOn && question > this.#shown) this.#show(drawn, question);
    if (this.isOn && this.#askedFor !== this.#value) this.#goOn();
  }

  #show(drawn, question) {
    this.#shown = question;
    if (drawn) this.#live.moveHeld(drawn);
    else this.#refuse();
  }

  #refuse() {
    this.isRefused = true;
    this.give();
  }

  // The key is up, and the last value was entered under this number; 0 if it is as before.
  end(entry) {
    if (!this.isOn) return;
    this.isOn = false;
    if (entry) this.#live.letGo(entry);
    else this.#live.cancelHeld();
  }
}
