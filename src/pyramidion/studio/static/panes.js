// Dividers between the panes of a container: dragged, or moved by arrow keys; widths are remembered.

import { StoredList } from './queue.js';

const STEP = 0.02;
const LEAST = 0.15;

// `panes` are the names of the panes from left to right; the container's columns are --pane-0, --pane-1, ...
export function divide(container, panes) {
  const stored = new StoredList(`pyramidion-panes-${panes.join('-')}`, panes.length);
  const dividers = panes.slice(1).map((name, index) => divider(name, index));
  let shares = stored.all.length === panes.length ? stored.all : null;

  function measured() {
    const edges = dividers.map((line) => line.getBoundingClientRect());
    const box = container.getBoundingClientRect();
    const ends = [...edges.map(({ left }) => left), box.right];
    const starts = [box.left, ...edges.map(({ right }) => right)];
    const widths = ends.map((end, index) => Math.max(1, end - starts[index]));
    const sum = widths.reduce((total, width) => total + width, 0);
    return widths.map((width) => width / sum);
  }

  function apply() {
    if (shares) shares.forEach((share, index) => container.style.setProperty(`--pane-${index}`, `${share}fr`));
    const shown = shares ?? measured();
    dividers.forEach((line, index) => line.setAttribute('aria-valuenow', Math.round(100 * shown[index])));
  }

  function move(index, by) {
    const widths = shares ?? measured();
    const share = Math.min(Math.max(by, LEAST - widths[index]), widths[index + 1] - LEAST);
    shares = widths.with(index, widths[index] + share).with(index + 1, widths[index + 1] - share);
    apply();
    stored.all = shares;
  }

  function divider(name, index) {
    const line = document.createElement('div');
    Object.assign(line, { className: 'divider', tabIndex: 0, role: 'separator', ariaOrientation: 'vertical', ariaLabel: `Width of ${panes[index]} and ${name}` });
    line.addEventListener('keydown', (event) => {
      const by = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key];
      if (!by) return;
      event.preventDefault();
      event.stopPropagation();
      move(index, by);
    });
    line.addEventListener('pointerdown', (event) => { line.setPointerCapture(event.pointerId); event.preventDefault(); });
    line.addEventListener('pointermove', (event) => {
      if (!line.hasPointerCapture(event.pointerId)) return;
      move(index, (event.clientX - line.getBoundingClientRect().left) / container.clientWidth);
    });
    container.append(line);
    return line;
  }

  apply();
}
