// Counts seconds of work: while the page is visible and there was recent input.

const IDLE = 60_000;
const TICK = 1000;

export class Stopwatch {
  #seconds = 0;
  #last = performance.now();
  #active = performance.now();

  constructor() {
    for (const kind of ['keydown', 'pointerdown', 'pointermove', 'wheel', 'scroll', 'touchmove']) {
      addEventListener(kind, () => { this.#active = performance.now(); }, { passive: true, capture: true });
    }
    document.addEventListener('visibilitychange', () => this.#count(document.hidden));
    setInterval(() => this.#count(!document.hidden), TICK);
  }

  #count(visible) {
    const now = performance.now();
    // Skip the time that the computer slept.
    const passed = Math.min(now - this.#last, 2 * TICK);
    if (visible && now - this.#active < IDLE) this.#seconds += passed / 1000;
    this.#last = now;
  }

  // Returns the seconds since the last call, to a tenth.
  take() {
    this.#count(!document.hidden);
    const seconds = Math.round(this.#seconds * 10) / 10;
    this.#seconds = 0;
    return seconds;
  }
}
