// What stands in each element that Streamlit gives.

export class Shown {
  #all = new Map(); // by element

  // `make` makes it in an element, and it has `remove`.
  constructor(make) {
    this.make = make;
  }

  at(element) {
    if (!this.#all.has(element)) this.#all.set(element, this.make(element));
    return this.#all.get(element);
  }

  all() { return [...this.#all.values()]; }

  // The clean-up that Streamlit gets for a call. It runs after each call, in any order: also after a late
  // call, when the newer one has not come yet. Then the element is still in the page, and what a person
  // does in it goes on.
  leave(element) {
    return () => {
      if (element.isConnected) return;
      this.#all.get(element)?.remove();
      this.#all.delete(element);
    };
  }
}
