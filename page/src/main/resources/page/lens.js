const CHANCE_OF_SAMPLES = '± is two standard deviations of what chance does, by how requests differ or by the number of samples.';

// A lens says what a graph is about: which sizes frames have, how they look, and what is told of them and of methods.
// Samples of waits are not `independent`: one long wait is many. Only how requests differ says by how much chance varies their time.
function measureLens({amounts, counts, one, many, title, noun, column, perRequest, rate, units = UNITS, format = time, independent = false}) {
  const known = (spreads) => independent || spreads?.requests > 1 ? spreads ?? {requests: 1} : undefined;
  const plusMinus = (values, spreads, spread) => format(plusMinusOf(values[amounts], independent ? values[counts] : 0, spreads.requests, spread));
  const after = (values, spreads, spread) => known(spreads) && values[amounts] > 0 ? ` ± ${plusMinus(values, known(spreads), spread)}` : '';
  const plusMinusColumn = (column, {graph, spreads}) => known(spreads) ? [[`${capital(column)} ±`, false,
    (row) => row[column][amounts] > 0 ? plusMinus(row[column], known(spreads), spreads?.ofMethod(graph, row.frame, column)) : '–',
    (row) => row[column][amounts]]] : [];
  return {
    name: amounts,
    counts,
    one,
    many,
    rate,
    units,
    title,
    noun,
    column,
    perRequest,
    independent,
    format,
    sizes: ({values}) => values[amounts] ?? [0],
    label: labelOf,
    data: (graph, node) => ({kind: node === 0 ? 'root' : kindOf(graph.frames[graph.frame[node]])}),
    describe: (graph, node, {name, whole, own, of, spreads}) => {
      const values = mapped(graph.values, (all) => all[node]);
      const ofSelf = own && mapped(own, (all) => all[node]);
      const self = own ? `, self ${format(ofSelf[amounts])}${after(ofSelf, spreads, spreads?.ofMethod(graph, graph.frame[node], 'self'))}` : '';
      return `${name}: ${percent(values[amounts], whole)} of ${of}, ${format(values[amounts])}${after(values, spreads, spreads?.ofNode(graph, node))}, `
        + `${count(values[counts], one, many)}${self}`;
    },
    columns: (now) => [
      ['Self', false, ({self}) => format(self[amounts]), ({self}) => self[amounts]],
      ...plusMinusColumn('self', now()),
      ['Self, %', false, ({self}) => percent(self[amounts], now().whole), ({self}) => self[amounts]],
      ['Total', false, ({total}) => format(total[amounts]), ({total}) => total[amounts]],
      ...plusMinusColumn('total', now()),
      ['Total, %', false, ({total}) => percent(total[amounts], now().whole), ({total}) => total[amounts]],
      [capital(many), false, ({total}) => number(total[counts]), ({total}) => total[counts]],
    ],
    classColumns: (now) => [
      [column, false, ({self}) => format(self[amounts]), ({self}) => self[amounts]],
      [`${column}, %`, false, ({self}) => percent(self[amounts], now().whole), ({self}) => self[amounts]],
      [capital(many), false, ({self}) => number(self[counts]), ({self}) => self[counts]],
    ],
    order: ({self, total}) => [self[amounts], total[amounts]],
    legend: (graph) => kindsLegend(graph, graph.values[amounts]),
    note: ({of, spreads}) => `Shares are of the ${title} of ${of}.${known(spreads) ? ` ${CHANCE_OF_SAMPLES}` : ''}`,
    small: () => false,
  };
}

function labelOf(graph, node, title) {
  const frame = graph.frames[graph.frame[node]];
  return (title ?? shortName(frame[0], frame[2])) + (KINDS[kindOf(frame)]?.[1] ?? '');
}

const CPU = measureLens({
  amounts: 'cpu', counts: 'samples', one: 'sample', many: 'samples', rate: ['CPUs', THREADS, threads],
  title: 'CPU time', noun: 'CPU time', column: 'CPU time', perRequest: 'CPU per request',
  independent: true,
});
const ALLOC = measureLens({
  amounts: 'allocated', counts: 'allocations', one: 'sample', many: 'samples', format: size, units: SIZES, rate: ['Allocated per second', SIZES, size],
  title: 'allocated bytes', noun: 'allocation', column: 'Allocated', perRequest: 'Allocated per request',
  independent: true,
});
const LOCK = measureLens({
  amounts: 'locking', counts: 'locks', one: 'wait', many: 'waits', rate: ['Waiting threads', THREADS, threads],
  title: 'lock waiting', noun: 'waits for locks', column: 'Lock waiting', perRequest: 'Lock waiting per request',
});
const WAITING = measureLens({
  amounts: 'waiting', counts: 'waits', one: 'wait', many: 'waits', rate: ['Waiting threads', THREADS, threads],
  title: 'waiting time', noun: 'waiting', column: 'Waiting', perRequest: 'Waiting per request',
});
const LENSES = [CPU, ALLOC, LOCK, WAITING];
const BESIDE_CPU = LENSES.slice(1);

// The kinds of samples that one of these sums has, and the one that the reader chose.
function lensesOf(...received) {
  return LENSES.filter((lens) => lens === CPU || received.some((tally) => tally[lens.counts] > 0));
}

function chosenLens(...received) {
  return lensesOf(...received).find(({name}) => name === param('measure')) ?? CPU;
}

function capital(text) {
  return text[0].toUpperCase() + text.slice(1);
}

// Buttons for the kinds of samples, of which one is pressed.
function measureButtons(lenses, choose) {
  const buttons = lenses.map((lens) => ({lens, made: button(lens.title, () => choose(lens === CPU ? '' : lens.name))}));
  const group = element('span', {className: 'buttons'}, ...buttons.map(({made}) => made));
  group.setAttribute('role', 'group');
  group.setAttribute('aria-label', 'Measure');
  return {group, press: (pressed) => buttons.forEach(({lens, made}) => made.setAttribute('aria-pressed', lens === pressed))};
}

// The content of a view below buttons for the kinds of samples, drawn anew for the one that is chosen.
function byMeasure(lenses, draw) {
  const chosen = () => lenses.find(({name}) => name === param('measure')) ?? CPU;
  if (lenses.length === 1) {
    return draw(chosen());
  }
  const room = element('div');
  const measures = measureButtons(lenses, (measure) => {
    carry({measure});
    update();
  });
  function update() {
    measures.press(chosen());
    room.replaceChildren(...draw(chosen()));
  }
  update();
  return [element('div', {className: 'tools'}, measures.group), room];
}

// A part of the texts about an endpoint, a request or a span: what it has beside CPU time.
function besideCpuText(tally) {
  return BESIDE_CPU.filter(({name}) => tally[name] > 0).map(({name, counts, format, noun}) =>
    `, ${format(tally[name])} of ${noun}`
      + (tally[counts] === undefined ? '' : ` by ${count(tally[counts], 'sample', 'samples')}`)).join('');
}

function legendOf(label, items) {
  const list = element('ul', {className: 'legend'}, ...items.map(([data, text]) => {
    const swatch = element('span', {className: 'swatch'});
    Object.assign(swatch.dataset, data);
    return element('li', {}, swatch, text);
  }));
  list.setAttribute('aria-label', label);
  return list;
}

// The kinds of frames in the graph that have a size, if there are several.
function kindsLegend({frame, frames}, sizes) {
  const kinds = new Set(frame.filter((_, node) => node > 0 && sizes[node] > 0).map((one) => kindOf(frames[one])));
  const shown = Object.keys(KINDS).filter((kind) => kinds.has(kind));
  return legendOf('Kinds of frames', shown.length > 1 ? shown.map((kind) => [{kind}, KINDS[kind][0] + KINDS[kind][1]]) : []);
}
