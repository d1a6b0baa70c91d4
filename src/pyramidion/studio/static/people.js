// Selects the invitation link; a button copies it.
import { announce } from './api.js';

const link = document.getElementById('link');
if (link) {
  link.focus();
  link.select();
  document.getElementById('copy').addEventListener('click', async () => {
    link.select();
    try {
      await navigator.clipboard.writeText(link.value);
      announce('Copied.');
    } catch {
      announce('Press Ctrl+C to copy.');
    }
  });
}
