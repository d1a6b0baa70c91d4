// Sends events that still wait in this browser, for example after a new login.

import { Queue } from './queue.js';

for (const card of document.querySelectorAll('[data-queue]')) {
  const queue = new Queue({ name: card.dataset.queue, address: card.dataset.address, changed });
  const line = card.querySelector('.waiting');
  function changed() {
    const count = queue.unsent;
    if (count) line.textContent = `${count} answer${count === 1 ? '' : 's'} not sent yet`;
    else if (line.textContent) line.textContent = 'All saved';
  }
  changed();
  queue.send();
}
