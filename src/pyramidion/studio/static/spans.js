// Texts whose words can be selected by keyboard, mouse and touch, and the spans drawn in them.
// Offsets are in UTF-16 units of the server's whole text.

const WORD = /(?:\p{L}\.){2,}|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]|[$€£¥#@]?[\p{L}\p{N}\p{M}_]+(?:['’.,:/&-][\p{L}\p{N}\p{M}_]+)*%?|\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\uFE0F|\u200D\p{Extended_Pictographic})*/gu;

// The maximum number of lanes in which overlapping spans are drawn.
const LANES = 4;
export const HUES = 6;

// Backgrounds of words, strongest first; they use no lane.
const FILLS = { chosen: 'focus', kept: 'focus', maybe: 'maybe', row: 'mark-strong', of: 'mark', mark: 'mark' };

function tokens(text, start) {
  const pieces = [];
  let position = 0;
  const add = (end, isWord) => {
    if (end > position) pieces.push({ start: start + position, end: start + end, isWord, text: text.slice(position, end) });
    position = end;
  };
  for (const match of text.matchAll(WORD)) {
    add(match.index, false);
    add(match.index + match[0].length, true);
  }
  add(text.length, false);
  return pieces;
}

// One text. `cursor` is the index of the current word.
export class TextPane {
  constructor(element, { name, start, text, sentences }) {
    Object.assign(this, { element, name, text, start, cursor: 0 });
    this.tokens = tokens(text, start);
    this.words = this.tokens.filter((token) => token.isWord);
    this.words.forEach((word, number) => { word.number = number; });
    this.sentences = [...new Set(sentences.map((at) => this.words.findIndex((w) => w.start >= at)))].filter((at) => at >= 0);
    element.classList.add('words');
    element.tabIndex = 0;
    element.dir = 'auto';
    element.setAttribute('role', 'application');
    element.setAttribute('aria-roledescription', 'text to choose words from');
    element.setAttribute('aria-label', name);
    const nodes = this.tokens.map((token) => {
      token.node = document.createElement('span');
      token.node.textContent = token.text;
      token.node.token = token;
      token.look = '';
      return token.node;
    });
    this.edges = new Set(this.tokens.flatMap((token) => [token.start, token.end]));
    element.replaceChildren(...nodes);
  }

  // Returns the part of the text between two words, in either order; `shift` moves its ends by characters.
  stretch(from, to, shift = [0, 0]) {
    const [first, last] = from <= to ? [from, to] : [to, from];
    return [this.words[first].start + shift[0], this.words[last].end + shift[1]];
  }

  // Divides the token around an offset in two, so that a part of a word can be drawn; words stay whole.
  divide(offset) {
    if (this.edges.has(offset) || !this.has(offset)) return;
    this.edges.add(offset);
    const index = this.tokens.findIndex((token) => token.start < offset && offset < token.end);
    const token = this.tokens[index];
    const [text, rest] = [this.slice([token.start, offset]), this.slice([offset, token.end])];
    const node = token.node.cloneNode();
    token.node.textContent = text;
    Object.assign(node, { textContent: rest, token: token.node.token });
    token.node.after(node);
    this.tokens.splice(index, 1, { ...token, end: offset, look: '' }, { ...token, start: offset, node, look: '' });
  }

  sentence(step) {
    if (step > 0) return this.sentences.find((at) => at > this.cursor) ?? this.words.length - 1;
    return this.sentences.findLast((at) => at < this.cursor) ?? 0;
  }

  has(offset) {
    return offset >= this.start && offset < this.start + this.text.length;
  }

  slice([first, last]) {
    return this.text.slice(first - this.start, last - this.start);
  }

  // Draws spans: [{parts, hue, strong, kind}]; only changed words are touched.
  draw(spans) {
    for (const offset of spans.flatMap((span) => span.parts).flat()) this.divide(offset);
    const laid = laneOf(spans.flatMap((span) => span.parts
      .filter(([first, last]) => last > first && this.has(first))
      .map(([first, last]) => ({ ...span, first, last }))));
    let next = 0;
    let open = [];
    for (const token of this.tokens) {
      while (next < laid.length && laid[next].first < token.end) open.push(laid[next++]);
      open = open.filter((span) => span.last > token.start);
      // A gap belongs to a span only if the span continues after it.
      drawToken(token, token.isWord ? open : open.filter((span) => span.first <= token.start && span.last >= token.end));
    }
  }
}

function laneOf(pieces) {
  const ends = [];
  pieces.sort((a, b) => a.first - b.first || b.last - a.last);
  for (const piece of pieces) {
    if (piece.hue === undefined) continue;
    let lane = ends.findIndex((end) => end <= piece.first);
    if (lane < 0) lane = ends.length;
    ends[lane] = piece.last;
    piece.lane = lane;
  }
  return pieces;
}

function drawToken(token, spans) {
  const lines = spans.filter((span) => span.lane < LANES);
  const kinds = [...new Set(spans.flatMap((span) => span.kind ?? []))].sort().join(' ');
  const look = `${kinds}|${lines.map((span) => `${span.lane}.${span.hue}`).join()}`;
  if (look === token.look) return;
  token.look = look;
  token.node.className = kinds;
  const { style } = token.node;
  const fill = Object.keys(FILLS).find((kind) => kinds.split(' ').includes(kind));
  const layers = lines.map((span) => [`hue-${span.hue}`, `0 calc(100% - ${3 * (LANES - 1 - span.lane)}px)`, '100% 2px']);
  if (fill) layers.push([FILLS[fill], '0 0', '100% calc(100% - 11px)']);
  style.backgroundImage = layers.map(([color]) => `linear-gradient(var(--${color}), var(--${color}))`).join();
  style.backgroundPosition = layers.map(([, position]) => position).join();
  style.backgroundSize = layers.map(([, , size]) => size).join();
}

// The selected words in one or several texts: finished pieces, and the current one.
export class Selection {
  constructor(panes, { moved, changed }) {
    Object.assign(this, { panes, moved, changed, pane: panes[0], anchor: null, shift: [0, 0], pieces: [] });
    for (const pane of panes) {
      pane.element.addEventListener('focus', () => this.go(pane, pane.cursor, { quiet: true }));
      pane.element.addEventListener('keydown', (event) => this.key(event));
      pane.element.addEventListener('pointerdown', (event) => this.press(event, pane));
      pane.element.addEventListener('pointermove', (event) => this.drag(event, pane));
    }
  }

  // Moves the cursor; `extend` selects from its old position.
  go(pane, index, { extend = false, quiet = false } = {}) {
    if (!pane.words.length) return;
    const from = pane === this.pane ? pane.cursor : index;
    pane.cursor = Math.max(0, Math.min(index, pane.words.length - 1));
    if (extend) this.anchor ??= from;
    else if (!quiet || pane !== this.pane) this.anchor = null;
    this.pane = pane;
    this.shift = [0, 0];
    this.changed();
    pane.words[pane.cursor].node.scrollIntoView({ block: 'nearest' });
    if (!quiet) this.moved();
  }

  focus(number = this.panes.indexOf(this.pane)) {
    const pane = this.panes[number];
    if (!pane) return;
    pane.element.focus({ preventScroll: true }); // the word at the cursor is scrolled to
    this.moved();
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { pane } = this;
    const extend = event.shiftKey;
    const number = this.panes.indexOf(pane);
    const actions = {
      ArrowRight: () => this.go(pane, pane.cursor + 1, { extend }),
      ArrowLeft: () => this.go(pane, pane.cursor - 1, { extend }),
      ArrowDown: () => this.go(pane, pane.sentence(1), { extend }),
      ArrowUp: () => this.go(pane, pane.sentence(-1), { extend }),
      Home: () => this.go(pane, 0, { extend }),
      End: () => this.go(pane, pane.words.length - 1, { extend }),
      ']': () => this.focus(Math.min(number + 1, this.panes.length - 1)),
      '[': () => this.focus(Math.max(number - 1, 0)),
      ' ': () => this.keep(),
    };
    if (!actions[event.key]) return;
    event.preventDefault();
    event.stopPropagation();
    actions[event.key]();
  }

  press(event, pane) {
    const number = event.target.token?.number;
    if (number === undefined) return;
    event.preventDefault();
    pane.element.focus({ preventScroll: true });
    // A second touch extends the selection; Ctrl adds a piece.
    const second = event.pointerType === 'touch' && this.touched === pane && this.anchor === pane.cursor;
    if (event.ctrlKey || event.metaKey) this.keep({ quiet: true });
    if (event.shiftKey || second) {
      this.touched = null;
      this.go(pane, number, { extend: true });
      return;
    }
    this.go(pane, number, { quiet: true });
    this.anchor = number;
    this.touched = event.pointerType === 'touch' ? pane : null;
    this.changed();
    this.moved();
  }

  drag(event, pane) {
    const number = event.target.token?.number;
    if (event.buttons !== 1 || event.pointerType === 'touch' || pane !== this.pane || number === undefined) return;
    if (number !== pane.cursor) this.go(pane, number, { extend: true });
  }

  // Finishes the current piece so that another can be added; deselects a finished piece at the cursor.
  keep({ quiet = false } = {}) {
    const { pane } = this;
    if (!pane.words.length) return;
    const piece = pane.stretch(this.anchor ?? pane.cursor, pane.cursor, this.shift);
    const overlapping = this.pieces.findIndex(([first, last]) => first < piece[1] && piece[0] < last);
    if (overlapping >= 0 && this.anchor === null) this.pieces.splice(overlapping, 1);
    else if (!quiet || this.anchor !== null) this.pieces.push(piece);
    this.anchor = null;
    this.shift = [0, 0];
    this.changed();
    if (!quiet) this.moved();
  }

  // Moves the start (0) or the end (1) of the current piece within its word.
  nudge(side, by) {
    const { pane } = this;
    if (!pane.words.length) return;
    const whole = pane.stretch(this.anchor ?? pane.cursor, pane.cursor);
    const shift = [...this.shift];
    // Never into a character of two units.
    do shift[side] += by; while (/[\uDC00-\uDFFF]/.test(pane.slice([whole[side] + shift[side], whole[side] + shift[side] + 1])));
    const [first, last] = [whole[0] + shift[0], whole[1] + shift[1]];
    if (first < whole[0] || last > whole[1] || first >= last) return;
    this.anchor ??= pane.cursor;
    this.shift = shift;
    this.changed();
    this.moved();
  }

  clear() {
    this.anchor = null;
    this.shift = [0, 0];
    this.pieces = [];
    this.changed();
    this.moved();
  }

  // Returns the selection and clears it; `restore` reverts that.
  take() {
    const { pieces, anchor, shift, pane } = this;
    const contributors = this.contributors();
    this.clear();
    const restore = () => { Object.assign(this, { pieces, anchor, shift, pane }); this.changed(); this.moved(); };
    return { contributors, restore };
  }

  get isEmpty() {
    return this.anchor === null && !this.pieces.length;
  }

  // All pieces (or the word at the cursor), merged where they touch, by text.
  contributors() {
    const { pane } = this;
    const all = [...this.pieces];
    if (pane.words.length && (this.anchor !== null || !all.length)) all.push(pane.stretch(this.anchor ?? pane.cursor, pane.cursor, this.shift));
    return this.panes
      .map((text) => joined(all.filter(([first]) => text.has(first))))
      .filter((parts) => parts.length);
  }

  textOf(parts) {
    const pane = this.panes.find((candidate) => candidate.has(parts[0][0]));
    return pane ? parts.map((part) => pane.slice(part)).join(' … ') : '';
  }

  get text() {
    return this.contributors().map((parts) => this.textOf(parts)).join('; ');
  }

  spans() {
    const active = this.anchor === null ? [] : [this.pane.stretch(this.anchor, this.pane.cursor, this.shift)];
    const word = this.pane.words[this.pane.cursor];
    return [
      { parts: this.pieces, kind: 'kept' },
      { parts: active, kind: 'chosen' },
      { parts: word ? [[word.start, word.end]] : [], kind: 'cursor' },
    ];
  }
}

function joined(parts) {
  const merged = [];
  for (const [first, last] of [...parts].sort((a, b) => a[0] - b[0])) {
    const before = merged.at(-1);
    if (before && first <= before[1]) before[1] = Math.max(before[1], last);
    else merged.push([first, last]);
  }
  return merged;
}
