// A card that asks for a vote. It may appear, or move up, just when a finger comes down: for half a second after that its
// buttons do nothing, so nobody says yes to what he has not read. The keys Y and N answer the first card.

const SETTLE = 500;

/** `<tt-vote place="0">` around a card and its buttons; `place` is its position in the pile. */
class VoteCard extends HTMLElement {
  static observedAttributes = ["place"];

  #since = 0;

  connectedCallback() {
    this.addEventListener("click", (event) => {
      if (performance.now() - this.#since >= SETTLE) return;
      event.stopPropagation();
      event.preventDefault();
    }, { capture: true });
  }

  attributeChangedCallback() {
    this.#since = performance.now();
    this.classList.add("settling");
    setTimeout(() => this.classList.remove("settling"), SETTLE);
  }
}
customElements.define("tt-vote", VoteCard);

/** `<tt-votes>`: the pile. With the attribute `keys`, Y and N press the buttons of its first card. */
class Votes extends HTMLElement {
  #watch = new ResizeObserver(() => this.#measure());

  connectedCallback() {
    document.addEventListener("keydown", this);
    this.#watch.observe(this);
  }

  disconnectedCallback() {
    document.removeEventListener("keydown", this);
    this.#watch.disconnect();
    document.documentElement.style.removeProperty("--dock");
  }

  /** Where the pile is docked to the bottom of a small screen, the page keeps as much room free. */
  #measure() {
    const docked = getComputedStyle(this).position === "fixed";
    document.documentElement.style.setProperty("--dock", docked ? `${Math.ceil(this.offsetHeight)}px` : "0px");
  }

  /** @param {KeyboardEvent} event */
  handleEvent(event) {
    if (!this.hasAttribute("keys") || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof HTMLElement && event.target.closest("input, textarea, select, [contenteditable], dialog")) return;
    if (document.querySelector("dialog[open]")) return;
    const name = { y: "yes", n: "no" }[event.key.toLowerCase()];
    const button = name ? this.querySelector(`tt-vote .${name}`) : null;
    if (!(button instanceof HTMLElement)) return;
    event.preventDefault();
    button.click();
  }
}
customElements.define("tt-votes", Votes);
