const VIEWS = {
  '': {text: () => 'Callers above', of: (graph) => graph},
  turned: {text: () => 'Turned round', of: turnedRound},
  callers: {text: (name) => `Callers of ${name}`, of: callersOf, ofMethod: true},
  callees: {text: (name) => `Callees of ${name}`, of: calleesOf, ofMethod: true},
};
const LONGEST_BUTTON = 40;
const MEASURED = 'measured'; // sent to all graphs of a view when the reader chooses another kind of samples
const MOST_LINES = 10;

// A graph with everything that a reader can do with it: search, turn it round, fold, collapse, and the table of its methods.
// All choices are in the address, with `key` before their names if a view has several graphs. `of` says of what its shares are.
// `requests` makes what tells of the requests of a method.
function graphPanel(graph, {label, title, of, lines = () => new Map(), spreads = () => undefined, requests = () => [], lenses = LENSES, key = ''}) {
  const usable = lenses.filter((lens) => lens.sizes(graph)[0] > 0);
  const wantedLens = () => lenses.find(({name}) => name === (param('measure') || CPU.name));
  if (usable.length === 0) {
    const lens = wantedLens() ?? lenses[0];
    return paragraph(`There is no sample of ${lens.title}${lens === CPU ? ': it took less time than passes between two samples' : ''}.`);
  }
  const chosen = (name) => param(key + name);
  const addressOfMethod = (frame) => ({method: frame?.[0] ?? '', origin: frame ? originText(frame) : ''});
  const choose = (changes) => {
    keep(Object.fromEntries(Object.entries(changes).map(([name, value]) => [key + name, value])));
    update();
  };

  const details = element('div', {className: 'details'}, ' ');
  const found = element('output');
  const search = element('input', {type: 'search', placeholder: 'Search frames', value: chosen('search')});
  search.setAttribute('aria-label', 'Search frames by regular expression');
  const toggle = (name, text) => {
    const made = button(text, () => choose({[name]: chosen(name) ? '' : '1', zoom: ''}));
    return {name, made};
  };
  const toggles = [toggle('fold', 'Fold recursion'), toggle('packages', 'Packages'),
    ...(sharedBy(graph) > 0 ? [toggle('shared', 'Shared frames')] : [])];
  const views = Object.keys(VIEWS).map((name) => ({name, made: button('', () => choose({view: name, zoom: ''}))}));
  const measures = measureButtons(usable, (measure) => {
    carry({measure});
    document.querySelectorAll('.panel').forEach((panel) => panel.dispatchEvent(new Event(MEASURED)));
  });
  const reset = button('Reset', () => {
    search.value = '';
    methods.reset();
    choose({search: '', zoom: '', ...addressOfMethod(), view: '', fold: '', packages: '', shared: '', filter: '', sort: '', 'sort-classes': ''});
  });
  const linesText = paragraph();
  const legend = element('div');
  const requestsRoom = element('div');
  let shownRequests; // of which method and lens
  const note = paragraph();
  let state; // of what is shown, for the handlers

  const chart = flame(label, {
    choose(node) {
      const ofMethod = VIEWS[state.view].ofMethod;
      choose({
        zoom: node > 0 ? pathName(state.shown, node) : '',
        ...(node > 0 && !ofMethod ? addressOfMethod(state.shown.frames[state.shown.frame[node]]) : {}),
      });
      state.point(node);
    },
    point: (node) => state.point(node),
  });
  const methods = methodsTable(`Methods of ${label}`, (frame) =>
    choose({...addressOfMethod(frame === state.method ? undefined : state.base.frames[frame]), ...(VIEWS[state.view].ofMethod ? {zoom: ''} : {})}), key);
  search.addEventListener('input', () => choose({search: search.value}));

  let made = {}; // the graph of the last time, as most choices do not change it
  function baseGraph() {
    const by = `${chosen('fold')}/${chosen('packages')}/${chosen('shared')}`;
    if (made.by !== by) {
      const whole = chosen('shared') ? graph : sharedFolded(graph);
      const folded = chosen('fold') ? recursionFolded(whole) : whole;
      made = {by, base: chosen('packages') ? packagesCollapsed(folded) : folded};
    }
    return made.base;
  }

  function update() {
    const asksFor = wantedLens();
    const lens = usable.find((one) => one === asksFor) ?? usable[0];
    const base = baseGraph();
    const wholes = lens.sizes(base);
    const whole = wholes[0];
    const wanted = chosen('method');
    const meant = new Set(wanted ? framesMeant(base.frames, wanted, chosen('origin')) : []);
    const isWanted = (frame, node) => node > 0 && meant.has(frame);
    const method = base.frame.find((frame, node) => wholes[node] > 0 && isWanted(frame, node));
    const asked = Object.hasOwn(VIEWS, chosen('view')) ? chosen('view') : '';
    const view = VIEWS[asked].ofMethod && method === undefined ? '' : asked;
    const shown = VIEWS[view].of(base, method);
    const sizes = lens.sizes(shown);
    const candidate = nodeOfPath(shown, chosen('zoom'));
    const zoomed = sizes[candidate] > 0 ? candidate : 0;
    const own = view === '' ? ownOf(shown) : undefined;
    const nameOf = (node) => node === 0 && !VIEWS[view].ofMethod && title ? title : shown.frames[shown.frame[node]][0];
    const describe = (node) => lens.describe(shown, node, {name: nameOf(node), whole, own, of, spreads: spreads(lens)}) + originOf(shown, node);
    const {matches, problem} = matcher(search.value);
    const frameMatches = remembered((frame) => matches(shown.frames[frame][0]));
    state = {base, shown, view, method, point: (node) => { details.textContent = describe(node); }};

    chart.draw({
      graph: shown, sizes, zoomed, describe,
      label: (node) => lens.label(shown, node, node === 0 && !VIEWS[view].ofMethod ? title : undefined),
      data: (node) => lens.data(shown, node),
      marked: (frame) => frame === method,
      matches: frameMatches,
    });
    const result = search.value === '' ? undefined : foundIn(shown, sizes, zoomed, frameMatches);
    found.value = result ? `${count(result.nodes, 'frame', 'frames')} with ${percent(result.sum, sizes[zoomed])} of `
      + `${zoomed > 0 ? `what is shown of the ${lens.title}` : `the ${lens.title}${of ? ` of ${of}` : ''}`}${problem ? ` (${problem})` : ''}` : '';
    const linesOfMethods = lines(lens);
    const ofMethod = linesOfMethods.get(method) ?? [];
    linesText.textContent = ofMethod.length === 0 ? '' : `Lines of ${base.frames[method][0]}: `
      + ofMethod.slice(0, MOST_LINES).map(([line, amount]) => `${line} with ${lens.format(amount)}`).join(', ')
      + (ofMethod.length > MOST_LINES ? ', and others' : '');
    methods.update({graph: base, lens, spreads: spreads(lens), whole, of, chosen: method, lines: linesOfMethods});
    legend.replaceChildren(lens.legend(shown));
    if (shownRequests !== `${method}/${lens.name}`) {
      shownRequests = `${method}/${lens.name}`;
      requestsRoom.replaceChildren(...(method === undefined ? [] : requests(method, lens)));
    }
    const name = method === undefined ? 'a method' : methods.nameOf(method).slice(0, LONGEST_BUTTON);
    views.forEach(({name: one, made}) => {
      made.textContent = VIEWS[one].text(name);
      made.disabled = Boolean(VIEWS[one].ofMethod) && method === undefined;
      made.setAttribute('aria-pressed', one === view);
    });
    toggles.forEach(({name, made}) => made.setAttribute('aria-pressed', chosen(name) !== ''));
    measures.press(lens);
    note.textContent = (asksFor && asksFor !== lens ? `Nothing of the ${asksFor.title} is in this graph, so it shows the ${lens.title}. ` : '')
      + (wanted && method === undefined && base.frame.some(isWanted) ? `${wanted}${meant.size < framesMeant(base.frames, wanted, '').length ? ` (${chosen('origin')})` : ''} has nothing of the ${lens.title}. ` : '')
      + (graph.leftOut > 0 ? `${count(graph.leftOut, 'small frame is', 'small frames are')} summed up as “${REST}”.` : '');
  }

  const group = (label, buttons) => {
    const made = element('span', {className: 'buttons'}, ...buttons.map(({made}) => made));
    made.setAttribute('role', 'group');
    made.setAttribute('aria-label', label);
    return made;
  };
  const section = element('section', {className: 'panel'},
    element('div', {className: 'graph'},
      element('div', {className: 'tools'}, search, ...(usable.length > 1 ? [measures.group] : []),
        group('Direction', views), group('Frames', toggles), reset),
      element('div', {className: 'tools'}, legend, found), details, linesText, chart.container, note, requestsRoom),
    methods.section);
  section.addEventListener(MEASURED, () => {
    details.textContent = ' ';
    choose({zoom: ''});
  });
  update();
  return section;
}

function originOf(graph, node) {
  const [, file, kind, raw] = graph.frames[graph.frame[node]];
  const origin = [kind, file, raw && `recorded as ${raw}`];
  return origin.some(Boolean) ? ` (${origin.filter(Boolean).join(', ')})` : '';
}

function remembered(compute, known = new Map()) {
  return (key) => {
    if (!known.has(key)) {
      known.set(key, compute(key));
    }
    return known.get(key);
  };
}
