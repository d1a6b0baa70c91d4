// Sends events that still wait in this browser, for example after a new login.

import { Queue } from './queue.js';

for (const line of document.querySelectorAll('.cards .waiting')) {
  const card = line.closest('li');
  const queues = [...card.querySelectorAll('[data-queue]')].map(({ dataset: { queue, address } }) => new Queue({ name: queue, address, changed }));
  function changed() {
    const count = queues.reduce((sum, queue) => sum + queue.unsent, 0);
    if (count) line.textContent = `${count} answer${count === 1 ? '' : 's'} not sent yet`;
    else if (line.textContent) line.textContent = 'All saved';
  }
  changed();
  queues.forEach((queue) => queue.send());
}
