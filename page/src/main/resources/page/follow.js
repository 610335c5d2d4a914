// Asks the server for newer data, and shows them where the reader is.
const ASK_EVERY = 1000; // milliseconds
const SCROLLED = '.wide, .flame';
const state = element('output');
const pause = button('Pause', () => {
  paused = !paused;
  pause.setAttribute('aria-pressed', paused);
  tell(paused ? 'Paused' : 'Live');
});
let version = document.getElementById('data').dataset.version;
let paused = false;
let choosing = false; // in an open list, or by dragging
const choosesOrMarks = () => choosing || !getSelection().isCollapsed;

function tell(text) {
  if (state.value !== text) {
    state.value = text;
  }
}

function accessibleName(one) {
  return `${one.localName} ${one.getAttribute('aria-label') ?? one.textContent}`;
}

// Focuses the element that has the place of one that had the focus.
function refocus(main, {focused, selection}) {
  if (focused && document.activeElement === document.body) {
    const same = [...main.querySelectorAll(focused.localName)].find((one) => accessibleName(one) === accessibleName(focused));
    same?.focus({preventScroll: true});
    if (same && typeof selection[0] === 'number') {
      same.setSelectionRange(...selection);
    }
  }
}

// The view keeps its height until graphs and charts are drawn, so that the window stays where it is.
function showNewer(newer) {
  const main = document.getElementById('main');
  const focused = main.contains(document.activeElement) ? document.activeElement : undefined;
  const reader = {focused, selection: [focused?.selectionStart, focused?.selectionEnd]};
  const places = [...main.querySelectorAll(SCROLLED)].map(({scrollLeft, scrollTop}) => [scrollLeft, scrollTop]);
  main.style.minHeight = `${main.offsetHeight}px`;
  data = newer;
  requests = undefined;
  show();
  refocus(main, reader);
  requestAnimationFrame(() => requestAnimationFrame(() => {
    main.querySelectorAll(SCROLLED).forEach((one, place) => one.scrollTo(...(places[place] ?? [0, 0])));
    refocus(main, reader);
    main.style.minHeight = '';
  }));
}

async function ask() {
  let answer;
  let newer;
  try {
    answer = await fetch(`data?version=${version}`, {signal: AbortSignal.timeout(60_000)});
    newer = answer.status === 200 ? await answer.json() : undefined;
  } catch {
    tell('The server does not answer. This is what it had; the page asks again.');
    return;
  }
  if (answer.status === 403) {
    tell('The server was started again: open the address that it has printed.');
  } else if (answer.ok && !paused) {
    tell('Live');
  }
  if (newer && !paused && !choosesOrMarks()) { // else it is asked for again
    version = answer.headers.get('flamespan-version');
    showNewer(newer);
    document.body.dataset.version = version;
  }
}

async function follow() {
  try {
    if (!paused && choosesOrMarks()) {
      tell('Waits while you choose or mark text');
    } else if (!paused && !document.hidden) {
      await ask();
    }
  } finally {
    setTimeout(follow, ASK_EVERY);
  }
}

addEventListener('pointerdown', ({button}) => { choosing = button === 0; });
addEventListener('keydown', ({target, key}) => { choosing = target.localName === 'select' && key !== 'Escape'; });
for (const end of ['change', 'focusout']) {
  addEventListener(end, () => { choosing = false; });
}
for (const end of ['pointerup', 'pointercancel']) {
  addEventListener(end, ({target}) => { choosing = choosing && target.localName === 'select'; });
}
document.getElementById('find').prepend(element('span', {className: 'live'}, state, ' ', pause, ' ',
  element('a', {href: 'flame-graphs.html', download: 'flame-graphs.html'}, 'Save'), ' '));
document.body.dataset.version = version;
follow();
