// Progress that keeps up: it is asked for again while the page is looked at.
const shown = document.getElementById('progress');

async function refresh() {
  if (document.hidden || shown.contains(document.activeElement)) return; // nothing moves under a reader's hands
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
