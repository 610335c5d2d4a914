// The endpoints of a comparison, the one that changed most first.
function changedEndpoints(comparison, changes) {
  const whole = (side, place) => changes.reduce((sum, change) => sum + change[side].cpu, comparison.others?.cpu[place] ?? 0);
  const wholes = {a: whole('a', 0), b: whole('b', 1)};
  const of = (side, format) => (change) => change[side].requests > 0 ? format(change[side], change) : '–';
  const waiting = (side, place) => of(side, ({requests}, {endpoint}) => time(endpoint.waiting[place] / requests));
  const rows = table('Endpoints that changed', [
    ['Endpoint', true, ({endpoint, index}) => link(endpoint.name || '(no name)', `${comparison.hash}/endpoint/${index}`)],
    ['Service', true, ({endpoint}) => endpoint.service],
    ['New or gone', true, ({kind}) => kind],
    ['CPU per request A', false, of('a', ({perRequest}) => time(perRequest))],
    ['CPU per request B', false, of('b', ({perRequest}) => time(perRequest))],
    ['Difference', false, ({difference}) => signed(difference, time)],
    ['Difference, %', false, ({both, a, difference}) => both && a.perRequest > 0 ? signed(100 * difference / a.perRequest, (value) => value.toFixed(1)) : '–'],
    ['Share A', false, of('a', ({cpu}) => percent(cpu, wholes.a))],
    ['Share B', false, of('b', ({cpu}) => percent(cpu, wholes.b))],
    ['Requests A', false, ({a}) => a.requests.toLocaleString('en')],
    ['Requests B', false, ({b}) => b.requests.toLocaleString('en')],
    ['Mean A', false, of('a', ({mean}) => time(mean))],
    ['Mean B', false, of('b', ({mean}) => time(mean))],
    ['Mean difference', false, ({both, longer}) => both ? signed(longer, time) : '–'],
    ...(comparison.withWaits ? [['Waiting per request A', false, waiting('a', 0)], ['Waiting per request B', false, waiting('b', 1)]] : []),
  ], changes);
  const scrolled = element('div', {className: 'wide', tabIndex: 0}, rows);
  scrolled.setAttribute('role', 'region');
  scrolled.setAttribute('aria-label', 'Endpoints that changed');
  return {
    title: 'Comparison',
    path: [['All endpoints', '#']],
    content: [
      ...comparison.notes,
      element('h2', {}, 'Endpoints that changed'),
      changes.length > 0 ? scrolled : element('p', {}, 'Neither A nor B has a request.'),
      element('p', {}, 'Sorted by the difference times the requests of B, or the requests of A if B does not have any. '
        + 'Small numbers of samples vary by chance: each sample represents the time between two of them.'),
    ],
  };
}

function changedEndpoint(data, comparison, {endpoint, a, b, kind, difference}) {
  const side = (letter, {requests, perRequest, mean}) => requests === 0 ? `${letter}: no request.`
    : `${letter}: ${count(requests, 'request', 'requests')}, mean ${time(mean)}, ${time(perRequest)} of CPU time per request.`;
  return {
    title: `${endpoint.name || '(no name)'} – ${endpoint.service}`,
    path: [['All endpoints', '#'], ['Comparison', comparison.hash]],
    content: [
      element('p', {}, side('A', a)),
      element('p', {}, side('B', b)),
      element('p', {}, kind ? `The endpoint is ${kind}.` : `The difference is ${signed(difference, time)} of CPU time per request.`),
      differentialFlame(endpoint.slices, data.frames, differentialTree(endpoint.slices, comparison.ranges, {a, b}), `Differential flame graph of ${endpoint.name}`),
    ],
  };
}

const LEVELS = [0.01, 0.03, 0.1]; // shares of a request's CPU time at which the colour becomes stronger

function differentialFlame(slices, frames, {A, B}, label) {
  const larger = Math.max(A[0], B[0]);
  if (larger === 0) {
    return element('p', {}, 'A and B do not have samples of CPU time.');
  }
  const nodes = slices.frame.map((frame, index) => {
    const [name, file, kind] = frames[frame];
    const difference = B[index] - A[index];
    const level = LEVELS.filter((least) => Math.abs(difference) >= least * larger).length;
    return {
      name, file, kind, a: A[index], b: B[index], value: A[index] + B[index], children: [],
      change: level === 0 ? 'same' : `${difference > 0 ? 'more' : 'less'}${level}`,
      label: shortName(name, kind) + (level === 0 ? '' : ` ${signed(difference, time)}`),
    };
  });
  slices.parent.forEach((parent, index) => {
    if (nodes[index].value > 0) {
      nodes[parent]?.children.push(nodes[index]);
    }
  });
  const items = [['more3', 'more CPU time in B [+]'], ['less3', 'less CPU time in B [−]'], ['same', 'within 1 % of a request']].map(([change, text]) => {
    const swatch = element('span', {className: 'swatch'});
    swatch.dataset.change = change;
    return element('li', {}, swatch, text);
  });
  const legend = element('ul', {className: 'legend'}, ...items);
  legend.setAttribute('aria-label', 'Colours of the differential flame graph');
  const graph = drawFlame(nodes[0], {
    label, measures: 'CPU time of A and B', legend: [legend], leftOut: slices.leftOut, describe: describeChange,
  });
  graph.append(element('p', {}, 'The width of a frame is its CPU time per request in A and B together, so that frames of one side only are visible.'));
  return graph;
}

function describeChange({data: {name, file, kind, a, b}}) {
  const origin = [kind, file].filter((text) => text).join(', ');
  const relative = a > 0 && b > 0 ? `, ${signed(100 * (b - a) / a, (value) => `${value.toFixed(1)} %`)}` : '';
  return `${name}: A ${time(a)}, B ${time(b)} per request, difference ${signed(b - a, time)}${relative}${origin ? ` (${origin})` : ''}`;
}
