// Asks the server for newer data, and shows them where the reader is.
const ASK_EVERY = 1000; // milliseconds
const KEEP_EVERY = 20_000;
const SCROLLED = '.wide, .flame';
const state = element('output');
const pause = button('Pause', () => {
  paused = !paused;
  pause.setAttribute('aria-pressed', paused);
  tell(paused ? 'Paused' : 'Live');
  save.textContent = paused ? 'Save the newest' : 'Save';
});
const client = crypto.getRandomValues(new Uint32Array(4)).join('-');
const save = element('a', {download: 'flame-graphs.html'}, 'Save');
let {version, range: shownRange} = document.getElementById('data').dataset; // the range is empty if none can be chosen
const commandRange = shownRange;
let refusedRange; // which the server cannot read: it is not asked for until somebody chooses it again
let paused = false;
let choosing = false; // in an open list, or by dragging
const choosesOrMarks = () => choosing || !getSelection().isCollapsed 
  || [...document.querySelectorAll('#main input[type=number]')].some(({value, defaultValue}) => value !== defaultValue);

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

// The range that the address has, or else the one of the command.
function wantedRange() {
  const {from, to} = Object.fromEntries(new URLSearchParams(location.search));
  return from ? rangeQuery(from, to) : commandRange;
}

function rangeQuery(from, to = '') {
  return new URLSearchParams({from: from.trim(), to: to.trim() === 'now' ? '-0s' : to.trim() || '-0s'}).toString();
}

function rangeText(range) {
  const {from, to} = Object.fromEntries(new URLSearchParams(range));
  return `${from} to ${to === '-0s' ? 'now' : to}`;
}

async function ask() {
  const wanted = wantedRange();
  let answer;
  let newer;
  let line;
  try {
    answer = await fetch(`data?${new URLSearchParams({version, client})}${location.search.replace('?', '&')}`, {signal: AbortSignal.timeout(60_000)});
    newer = answer.status === 200 ? await answer.json() : undefined;
    line = [200, 204].includes(answer.status) ? decodeURIComponent(answer.headers.get('flamespan-trouble') ?? '')
      : (await answer.text()).trim();
  } catch {
    tell('The server does not answer. This is what it had; the page asks again.');
    return;
  }
  if (wanted !== wantedRange()) {
    return; // somebody has chosen another one meanwhile
  }
  if (answer.status === 403) {
    tell('The server was started again: open the address that it has printed.');
  } else if (line) {
    tell(wanted === shownRange ? line : `${rangeText(wanted)}: ${line}. This is still ${rangeText(shownRange)}.`);
  } else if (!paused) {
    tell('Live');
  }
  refusedRange = [400, 503].includes(answer.status) ? wanted : undefined;
  if (newer && !paused && !choosesOrMarks()) { // else it is asked for again
    version = answer.headers.get('flamespan-version');
    showRange(wanted);
    showNewer(newer);
    document.body.dataset.version = version;
  }
}

function showRange(range) {
  shownRange = range;
  save.href = `flame-graphs.html${location.search}`;
  document.querySelectorAll('.chosen-range').forEach((one) => { one.textContent = `Range: ${rangeText(range)}`; });
}

// The address has the range, so that a bookmark of it has it as well.
function chooseRange(from, to) {
  const query = `?${rangeQuery(from, to)}`;
  if (query !== location.search) {
    history.pushState(null, '', query + location.hash);
  }
  askForRange();
}

function askForRange() {
  refusedRange = undefined;
  if (paused) {
    pause.click();
  }
  tell(`Asks for ${rangeText(wantedRange())}`);
}

function rangeForms() {
  const {from, to} = Object.fromEntries(new URLSearchParams(shownRange));
  const field = (label, properties) => {
    const input = element('input', {required: true, ...properties});
    return {input, label: element('label', {}, `${label} `, input, ' ')};
  };
  const form = (name, parts, chosen) => {
    const made = element('form', {}, ...parts, element('button', {}, 'Show'));
    made.setAttribute('aria-label', name);
    made.addEventListener('submit', (event) => {
      event.preventDefault();
      chosen();
    });
    return made;
  };
  const minutes = field('Last minutes', {type: 'number', min: 1, max: 525_600, value: 60});
  const first = field('From', {value: from, title: 'Such as -90m, -7d, or 2026-01-31T12:00:00Z; without a zone, it is UTC'});
  const last = field('To', {value: to === '-0s' ? 'now' : to, title: 'The same, or now'});
  return element('details', {}, element('summary', {className: 'chosen-range'}),
    form('Last minutes', [minutes.label], () => chooseRange(`-${minutes.input.value}m`, 'now')),
    form('Range', [first.label, last.label], () => chooseRange(first.input.value, last.input.value)));
}

let keptAt = 0;

// A page that is paused asks for nothing else, and the server ends ranges of which nobody asks.
async function keepRange() {
  if (location.search && Date.now() - keptAt >= KEEP_EVERY) {
    keptAt = Date.now();
    await fetch(`data?keep&${location.search.slice(1)}`, {signal: AbortSignal.timeout(60_000)}).catch(() => {});
  }
}

async function follow() {
  try {
    if (paused) {
      await keepRange();
    }
    if (refusedRange !== undefined && refusedRange === wantedRange()) {
      return;
    }
    const isWaitedFor = wantedRange() !== shownRange; // the server ends what nobody asks for
    if (!paused && choosesOrMarks() && !isWaitedFor) {
      tell('Waits while you choose or mark text');
    } else if (!paused && (!document.hidden || isWaitedFor)) {
      await ask();
    }
  } finally {
    setTimeout(follow, ASK_EVERY);
  }
}

addEventListener('pointerdown', ({button}) => { choosing = button === 0; });
addEventListener('keydown', ({target, key}) => { choosing = target.localName === 'select' && key !== 'Escape'; });
for (const end of ['change', 'focusout']) {
  addEventListener(end, ({target}) => { choosing = choosing && target.localName !== 'select'; });
}
for (const end of ['pointerup', 'pointercancel']) {
  addEventListener(end, ({target}) => { choosing = choosing && target.localName === 'select'; });
}
document.getElementById('find').prepend(element('span', {className: 'live'}, state, ' ', pause, ' ',
  save, ' ', ...(shownRange ? [rangeForms()] : [])));
addEventListener('popstate', () => {
  if (![shownRange, refusedRange].includes(wantedRange())) {
    askForRange();
  }
});
showRange(shownRange);
document.body.dataset.version = version;
follow();
