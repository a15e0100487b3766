// The keyboard of a board: one tab stop, arrows move inside, Home and End go to the ends of a row, with Control to the
// corners. The element adds the keys and the wandering tab stop; what is in the cells comes from the view.

const MOVES = new Set(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"]);

/** `<tt-grid role="grid">` around rows of cells; in each cell one element with the class `tile`. */
class Grid extends HTMLElement {
  #at = 0;

  connectedCallback() {
    this.addEventListener("keydown", this);
    this.addEventListener("focusin", this);
  }

  /** @param {Event} event */
  handleEvent(event) {
    if (event.type === "focusin") {
      const index = event.target instanceof HTMLElement ? this.tiles.indexOf(event.target) : -1;
      if (index >= 0) this.#stop(index);
    } else if (event instanceof KeyboardEvent) {
      this.#key(event);
    }
  }

  /** @returns {HTMLElement[]} */
  get tiles() {
    return [...this.querySelectorAll(".tile")].filter((tile) => tile instanceof HTMLElement)
      .map((tile) => /** @type {HTMLElement} */ (tile));
  }

  /** @param {number} index */
  #stop(index) {
    const tiles = this.tiles;
    tiles[this.#at]?.setAttribute("tabindex", "-1");
    this.#at = index;
    tiles[index]?.setAttribute("tabindex", "0");
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (!MOVES.has(event.key) || event.altKey || event.metaKey || event.shiftKey) return;
    const tiles = this.tiles;
    const size = Math.round(Math.sqrt(tiles.length));
    const row = Math.floor(this.#at / size);
    const column = this.#at % size;
    const leftToRight = getComputedStyle(this).direction === "ltr";
    /** @type {Record<string, [number, number]>} */
    const moves = {
      ArrowUp: [row - 1, column],
      ArrowDown: [row + 1, column],
      ArrowLeft: [row, column + (leftToRight ? -1 : 1)],
      ArrowRight: [row, column + (leftToRight ? 1 : -1)],
      Home: [event.ctrlKey ? 0 : row, 0],
      End: [event.ctrlKey ? size - 1 : row, size - 1],
    };
    const [toRow, toColumn] = moves[event.key];
    event.preventDefault();
    if (toRow < 0 || toRow >= size || toColumn < 0 || toColumn >= size) return;
    this.#stop(toRow * size + toColumn);
    tiles[this.#at]?.focus();
  }
}
customElements.define("tt-grid", Grid);
