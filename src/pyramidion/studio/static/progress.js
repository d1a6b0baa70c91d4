// Updates the progress while the page is visible.
const shown = document.getElementById('progress');

async function refresh() {
  if (document.hidden || shown.contains(document.activeElement)) return; // do not move what the reader is using
  const answer = await fetch(shown.dataset.from, { credentials: 'same-origin' }).catch(() => null);
  if (!answer?.ok || answer.redirected) return;
  const open = document.getElementById('by-topic')?.open;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  shown.replaceChildren(...page.body.childNodes);
  const topics = document.getElementById('by-topic');
  if (topics) topics.open = Boolean(open);
}

setInterval(refresh, 10000);
document.addEventListener('visibilitychange', refresh);
