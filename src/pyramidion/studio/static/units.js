// The content units as a tree, grouped in tiers by weight; the active unit shows its rows.

const make = (tag, className, text) => {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
};

export class UnitTree {
  // `rows(unit)` returns the lines below a unit: [{text, note, checked}]; `moved` is called with the cursor.
  constructor(element, overview, { rows, count, moved, hue }) {
    Object.assign(this, { element, overview, rows, count, moved, hue, uid: null, row: null, checked: new Set() });
    this.items = new Map();
    element.setAttribute('role', 'tree');
    element.addEventListener('keydown', (event) => this.key(event));
    element.addEventListener('click', (event) => {
      const item = event.target.closest('[role=treeitem]');
      if (item && !event.target.closest('input')) this.go(item.dataset.uid, item.dataset.row === undefined ? null : Number(item.dataset.row));
    });
  }

  render(units, keep = () => true) {
    if (this.element.querySelector('input')) return; // a label is being typed
    this.units = units;
    this.shown = units.filter(keep);
    const tiers = new Map();
    for (const unit of this.shown) {
      if (!tiers.has(unit.weight)) tiers.set(unit.weight, []);
      tiers.get(unit.weight).push(unit);
    }
    const weights = [...tiers.keys()].sort((a, b) => b - a);
    this.order = weights.flatMap((weight) => tiers.get(weight).map((unit) => unit.uid));
    if (!this.order.includes(this.uid)) {
      const index = this.before?.indexOf(this.uid) ?? 0;
      this.uid = this.order[Math.min(Math.max(index, 0), this.order.length - 1)] ?? null;
      this.row = null;
      this.checked.clear();
    }
    this.before = this.order;
    const had = this.element.contains(document.activeElement);
    const groups = weights.map((weight) => this.tier(weight, tiers.get(weight)));
    // Only changed children are replaced, to keep focus and scrolling.
    setChildren(this.element, groups);
    for (const uid of this.items.keys()) if (!this.order.includes(uid)) this.items.delete(uid);
    this.draw(weights.map((weight) => [weight, tiers.get(weight).length]));
    if (had && !this.element.contains(document.activeElement)) this.focus();
  }

  tier(weight, units) {
    this.groups ??= new Map();
    if (!this.groups.has(weight)) {
      const group = make('section', 'tier');
      group.setAttribute('role', 'group');
      group.append(make('h3'), make('ul'));
      group.firstChild.setAttribute('aria-hidden', 'true');
      group.lastChild.setAttribute('role', 'presentation');
      this.groups.set(weight, group);
    }
    const group = this.groups.get(weight);
    const name = `Weight ${weight}: ${units.length} ${units.length === 1 ? 'unit' : 'units'}`;
    if (group.firstChild.textContent !== name) {
      group.firstChild.textContent = name;
      group.setAttribute('aria-label', name);
    }
    setChildren(group.lastChild, units.map((unit) => this.item(unit)));
    return group;
  }

  item(unit) {
    const isActive = unit.uid === this.uid;
    const rows = isActive ? this.rows(unit) : [];
    const count = this.count(unit);
    const state = JSON.stringify([unit.label, unit.comment, unit.weight, count, isActive, rows, this.row, this.hue(unit.uid), [...this.checked]].slice(0, isActive ? 9 : 5));
    const cached = this.items.get(unit.uid);
    if (cached?.state === state) return cached.item;
    const item = cached?.item ?? make('li');
    const had = item.contains(document.activeElement);
    this.items.set(unit.uid, { item, state });
    item.setAttribute('role', 'treeitem');
    item.setAttribute('aria-level', '1');
    item.setAttribute('aria-expanded', String(isActive && rows.length > 0));
    item.setAttribute('aria-selected', String(isActive));
    item.dataset.uid = unit.uid;
    item.tabIndex = isActive && this.row === null ? 0 : -1;
    item.setAttribute('aria-label', `${unit.label}. Weight ${unit.weight}${count ? `, ${count}` : ''}${unit.comment ? `. Comment: ${unit.comment}` : ''}`);
    const line = make('div', `unit hue-${this.hue(unit.uid)}`);
    line.append(make('span', 'weight', unit.weight), make('span', 'label', unit.label || '(no label)'));
    if (count) line.append(make('span', 'count', count));
    item.replaceChildren(line);
    if (unit.comment) item.append(make('p', 'comment', unit.comment));
    if (rows.length) item.append(this.below(unit, rows));
    if (had) queueMicrotask(() => this.focus());
    return item;
  }

  below(unit, rows) {
    const list = make('ul', 'rows');
    list.setAttribute('role', 'group');
    rows.forEach((row, number) => {
      const item = make('li', this.checked.has(number) ? 'checked' : '');
      item.setAttribute('role', 'treeitem');
      item.setAttribute('aria-level', '2');
      item.setAttribute('aria-selected', String(number === this.row));
      item.setAttribute('aria-checked', String(this.checked.has(number)));
      item.setAttribute('aria-label', [row.text, row.note].filter(Boolean).join('. '));
      Object.assign(item.dataset, { uid: unit.uid, row: number });
      item.tabIndex = number === this.row ? 0 : -1;
      item.append(make('span', '', row.text));
      if (row.note) item.append(make('span', 'soft', ` ${row.note}`));
      list.append(item);
    });
    return list;
  }

  // Draws the tiers as a small pyramid, the heaviest on top.
  draw(sizes) {
    const most = Math.max(1, ...sizes.map(([, size]) => size));
    this.overview.replaceChildren(...sizes.map(([weight, size]) => {
      const bar = make('span', 'bar-of-tier', `${weight} × ${size}`);
      bar.style.width = `${Math.max(14, (100 * size) / most)}%`;
      return bar;
    }));
  }

  get unit() { return this.units?.find((unit) => unit.uid === this.uid) ?? null; }

  // Makes a unit active at the next rendering.
  aim(uid, row = null) {
    if (uid !== this.uid) this.checked.clear();
    Object.assign(this, { uid, row });
  }

  go(uid, row = null) {
    this.aim(uid, row);
    this.moved();
    this.focus();
  }

  focus() {
    const item = this.items.get(this.uid)?.item;
    const target = this.row === null ? item : item?.querySelectorAll('[data-row]')[this.row] ?? item;
    (target ?? this.element).focus();
    target?.scrollIntoView({ block: 'nearest' });
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.matches('input')) return;
    const rows = this.unit ? this.rows(this.unit) : [];
    const index = this.order.indexOf(this.uid);
    const step = (by) => {
      if (this.row !== null && this.row + by >= 0 && this.row + by < rows.length) this.go(this.uid, this.row + by);
      else this.go(this.order[Math.max(0, Math.min(index + by, this.order.length - 1))]);
    };
    const actions = {
      ArrowDown: () => step(1),
      ArrowUp: () => step(-1),
      ArrowRight: () => rows.length && this.go(this.uid, this.row ?? 0),
      ArrowLeft: () => this.go(this.uid),
      Home: () => this.go(this.order[0]),
      End: () => this.go(this.order.at(-1)),
      ' ': () => {
        if (this.row === null) return;
        if (!this.checked.delete(this.row)) this.checked.add(this.row);
        this.go(this.uid, this.row);
      },
    };
    if (!actions[event.key] || !this.order.length) return;
    event.preventDefault();
    event.stopPropagation();
    actions[event.key]();
  }

  // Edits the label of the active unit in place; returns the new one, or null.
  relabel() {
    const unit = this.unit;
    const label = this.items.get(this.uid)?.item.querySelector('.label');
    if (!label) return Promise.resolve(null);
    const input = make('input', 'label');
    input.value = unit.label;
    input.maxLength = 1000;
    input.setAttribute('aria-label', 'Label');
    label.replaceWith(input);
    input.focus();
    input.select();
    return new Promise((resolve) => {
      const end = (value) => {
        if (!input.isConnected) return;
        input.onblur = null;
        input.replaceWith(label);
        this.focus();
        resolve(value && value !== unit.label ? value : null);
      };
      input.onkeydown = (event) => {
        event.stopPropagation();
        if (event.key === 'Enter') end(input.value.trim());
        if (event.key === 'Escape') end(null);
      };
      input.onblur = () => end(input.value.trim());
    });
  }
}

// Sets the children of an element, moving only those that are not in position.
function setChildren(element, children) {
  const kept = new Set(children);
  for (const child of [...element.children]) if (!kept.has(child)) child.remove();
  children.forEach((child, index) => {
    if (element.children[index] !== child) element.insertBefore(child, element.children[index] ?? null);
  });
}
