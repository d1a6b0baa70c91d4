// Selects the invitation link; a button copies it.
import { tell } from './api.js';

const link = document.getElementById('link');
if (link) {
  link.focus();
  link.select();
  document.getElementById('copy').addEventListener('click', async () => {
    link.select();
    try {
      await navigator.clipboard.writeText(link.value);
      tell('The link is copied.');
    } catch {
      tell('Press Ctrl+C to copy the link.');
    }
  });
}
