const CHANCE = '± is two standard deviations of what chance does to the number of samples and, in the table of endpoints, to which '
  + 'requests there are. A difference within it is grey, as it may be nothing but chance; the number of samples that would tell is beside it.';

// The endpoints of a comparison, the one that changed most first.
function changedEndpoints(comparison, changes) {
  const {wholes} = comparison;
  const of = (side, format) => (change) => change[side].requests > 0 ? format(change[side], change) : '–';
  const beside = ({name, format}, side, place) => of(side, ({requests}, {endpoint}) => format(endpoint[name][place] / requests));
  const relative = ({both, a, difference}) => both && a.perRequest > 0 ? difference.difference / a.perRequest : 0;
  const rows = table('Endpoints that changed', [
    ['Endpoint', true, ({endpoint}) => link(endpointName(endpoint), hashOf([...comparison.parts, 'endpoint', endpoint.name, endpoint.service])),
      ({endpoint}) => endpoint.name],
    ['Service', true, ({endpoint}) => endpoint.service, ({endpoint}) => endpoint.service],
    ['New or gone', true, ({kind}) => kind, ({kind}) => kind],
    ['CPU per request A', false, of('a', ({perRequest}) => time(perRequest)), ({a}) => a.perRequest],
    ['CPU per request B', false, of('b', ({perRequest}) => time(perRequest)), ({b}) => b.perRequest],
    ['Difference', false, ({difference}) => signed(difference.difference, time), ({difference}) => difference.difference],
    ['±', false, ({difference}) => time(difference.plusMinus), ({difference}) => difference.plusMinus],
    ['Difference, %', false, (row) => row.both && row.a.perRequest > 0 ? signed(100 * relative(row), (value) => value.toFixed(1)) : '–', relative],
    ['Samples', false, ({difference}) => samplesText(difference), ({difference}) => difference.samples],
    [`${SHARE}, A`, false, of('a', ({cpu}) => percent(cpu, wholes.a)), ({a}) => a.cpu],
    [`${SHARE}, B`, false, of('b', ({cpu}) => percent(cpu, wholes.b)), ({b}) => b.cpu],
    ['Requests A', false, ({a}) => number(a.requests), ({a}) => a.requests],
    ['Requests B', false, ({b}) => number(b.requests), ({b}) => b.requests],
    ['Mean A', false, of('a', ({mean}) => time(mean)), ({a}) => a.mean],
    ['Mean B', false, of('b', ({mean}) => time(mean)), ({b}) => b.mean],
    ['Mean difference', false, ({both, longer}) => both ? signed(longer, time) : '–', ({longer}) => longer],
    ...(comparison.beside ?? []).flatMap((lens) => [[`${lens.perRequest} A`, false, beside(lens, 'a', 0)], [`${lens.perRequest} B`, false, beside(lens, 'b', 1)]]),
  ], changes, {rowClass: ({difference}) => difference.chance ? 'unsure' : '', order: 'sort-endpoints'});
  return {
    title: 'Comparison',
    path: [[ALL, to('')]],
    content: [
      ...comparison.notes,
      element('h2', {}, 'Endpoints that changed'),
      changes.length > 0 ? rows : paragraph('Neither A nor B has a request.'),
      paragraph('Sorted by the difference times the requests of B, or the requests of A if B does not have any. ', CHANCE),
    ],
  };
}

// How many samples there are, and how many would be needed to tell the difference from chance.
function samplesText({samples, needed}) {
  return needed === undefined ? number(samples) : `${number(samples)} of ${number(needed)}`;
}

function changedEndpoint(data, comparison, {endpoint, a, b, kind, sample, difference}) {
  const side = (letter, {requests, perRequest, mean}) => requests === 0 ? `${letter}: no request.`
    : `${letter}: ${count(requests, 'request', 'requests')}, mean ${time(mean)}, ${time(perRequest)} of CPU time per request.`;
  const graph = differentialGraph(endpoint.slices, data.frames, comparison.ranges, {a, b});
  const chance = difference.needed === undefined ? '' : ` That may be chance: with a difference of this size, ${number(difference.needed)} samples `
    + `would tell, and there are ${number(difference.samples)}.`;
  return {
    title: `${endpointName(endpoint)} – ${endpoint.service}`,
    path: [[ALL, to('')], ['Comparison', hashOf(comparison.parts)]],
    content: [
      paragraph(side('A', a)),
      paragraph(side('B', b)),
      paragraph(kind ? `The endpoint is ${kind}.`
        : `The difference is ${signed(difference.difference, time)} ± ${time(difference.plusMinus)} of CPU time per request.${chance}`),
      ...(graph.values.a[0] + graph.values.b[0] === 0 ? [paragraph('A and B do not have samples of CPU time.')] : [
        graphPanel(graph, {label: `Differential flame graph of ${endpoint.name}`, title: endpointName(endpoint), lenses: [differenceLens(graph, sample)]}),
        paragraph('The width of a frame is its CPU time per request in A and B together, so that frames of one side only are visible. ', CHANCE),
      ]),
    ],
  };
}

const LEVELS = [0.01, 0.03, 0.1]; // shares of a request's CPU time at which the colour becomes stronger

function differenceLens(graph, sample) {
  const larger = Math.max(graph.values.a[0], graph.values.b[0]);
  const of = ({values}, node) => differenceOf(values.a[node], values.b[node], sample);
  const level = ({difference, chance}) => chance ? 0 : LEVELS.filter((least) => Math.abs(difference) >= least * larger).length;
  const change = (judged) => level(judged) === 0 ? 'same' : `${judged.difference > 0 ? 'more' : 'less'}${level(judged)}`;
  const self = (row) => differenceOf(row.self.a, row.self.b, sample);
  const total = (row) => differenceOf(row.total.a, row.total.b, sample);
  const both = (title, of, sum) => [
    [`${title} A`, false, (row) => time(sum(row).a), (row) => sum(row).a],
    [`${title} B`, false, (row) => time(sum(row).b), (row) => sum(row).b],
    [`${title} difference`, false, (row) => signed(of(row).difference, time), (row) => of(row).difference, unsure(of)],
    [`${title} ±`, false, (row) => time(of(row).plusMinus), (row) => of(row).plusMinus, unsure(of)],
  ];
  const unsure = (of) => (row) => of(row).chance ? 'unsure' : '';
  return {
    name: 'change',
    title: 'CPU time of A and B',
    sizes: ({values: {a, b}}) => a.map((value, node) => value + b[node]),
    label: (graph, node, title) => {
      const [name, , kind] = graph.frames[graph.frame[node]];
      const judged = of(graph, node);
      return (title ?? shortName(name, kind)) + (level(judged) === 0 ? '' : ` ${signed(judged.difference, time)}`);
    },
    data: (graph, node) => ({change: change(of(graph, node))}),
    describe: (graph, node, {name}) => {
      const a = graph.values.a[node];
      const b = graph.values.b[node];
      const {difference, plusMinus, chance} = of(graph, node);
      const relative = a > 0 && b > 0 ? `, ${signed(100 * difference / a, (value) => `${value.toFixed(1)} %`)}` : '';
      return `${name}: A ${time(a)}, B ${time(b)} per request, difference ${signed(difference, time)} ± ${time(plusMinus)}${relative}`
        + (chance && difference !== 0 ? ', may be chance' : '');
    },
    columns: () => [...both('Self', self, (row) => row.self), ...both('Total', total, (row) => row.total),
      ['Samples', false, (row) => samplesText(total(row)), (row) => total(row).samples]],
    order: (row) => [Math.abs(row.self.b - row.self.a), row.total.a + row.total.b],
    legend: () => legendOf('Colours of the differential flame graph', [
      [{change: 'more3'}, 'more CPU time in B [+]'], [{change: 'less3'}, 'less CPU time in B [−]'],
      [{change: 'same'}, 'within 1 % of a request, or within chance'],
    ]),
    note: () => '',
    small: (row) => self(row).chance && total(row).chance,
  };
}
