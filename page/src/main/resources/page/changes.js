const CHANCE = 'A difference within ± is grey, as it may be nothing but chance; the number of samples that would tell is beside it. '
  + '± follows from how requests differ among themselves, and is wider the more rows are judged together and the less a row has of '
  + 'them: chance colours a row on one of twenty pages. Frames and methods are coloured only inside what differs by more than chance.';

const MOST_BESIDE = 2; // kinds of samples beside the one compared for which a table has room

// The endpoints of a comparison, the one that changed most first.
function changedEndpoints(comparison, changes, lens) {
  const wholes = comparison.wholes(lens);
  const share = shareOf(lens);
  const of = (side, format) => (change) => change[side].requests > 0 ? format(change[side], change) : '–';
  const beside = ({name, format}, side, range) => of(side, ({requests}, {endpoint}) => format(sumOfCells(endpoint.slices, name, range) / requests));
  const relative = ({both, a, difference}) => both && a.perRequest > 0 ? difference.difference / a.perRequest : 0;
  const others = comparison.lenses.filter((other) => other !== lens);
  const rows = table('Endpoints that changed', [
    ['Endpoint', true, ({endpoint}) => link(endpointName(endpoint), to(...comparison.parts, 'endpoint', endpoint.name, endpoint.service)),
      ({endpoint}) => endpoint.name],
    ['Service', true, ({endpoint}) => endpoint.service, ({endpoint}) => endpoint.service],
    ['New or gone', true, ({kind}) => kind, ({kind}) => kind],
    [`${lens.perRequest} A`, false, of('a', ({perRequest}) => lens.format(perRequest)), ({a}) => a.perRequest],
    [`${lens.perRequest} B`, false, of('b', ({perRequest}) => lens.format(perRequest)), ({b}) => b.perRequest],
    ['Difference', false, ({difference}) => signed(difference.difference, lens.format), ({difference}) => difference.difference],
    ['±', false, ({difference}) => plusMinusText(difference, lens.format), ({difference}) => difference.plusMinus || 0],
    ['Difference, %', false, (row) => row.both && row.a.perRequest > 0 ? signed(100 * relative(row), (value) => value.toFixed(1)) : '–', relative],
    [capital(lens.many), false, ({difference}) => samplesText(difference), ({difference}) => difference.samples],
    [`${share}, A`, false, of('a', ({amount}) => percent(amount, wholes.a)), ({a}) => a.amount],
    [`${share}, B`, false, of('b', ({amount}) => percent(amount, wholes.b)), ({b}) => b.amount],
    ['Requests A', false, ({a}) => number(a.requests), ({a}) => a.requests],
    ['Requests B', false, ({b}) => number(b.requests), ({b}) => b.requests],
    ['Mean A', false, of('a', meanText), ({a}) => a.mean],
    ['Mean B', false, of('b', meanText), ({b}) => b.mean],
    ['Mean difference', false, ({timed, longer}) => timed ? signed(longer, time) : '–', ({longer}) => longer],
    ...(others.length > MOST_BESIDE ? [] : others).flatMap((other) => ['A', 'B'].map((letter) =>
      [`${other.perRequest} ${letter}`, false, beside(other, letter.toLowerCase(), comparison.ranges[letter])])),
  ], changes, {rowClass: ({difference}) => difference.chance ? 'unsure' : '', order: 'sort-endpoints'});
  return [
    ...comparison.notes(lens),
    element('h2', {}, 'Endpoints that changed'),
    changes.length > 0 ? rows : paragraph('Neither A nor B has a request.'),
    paragraph('Sorted by the difference times the requests of B, or the requests of A if B does not have any. ', CHANCE),
  ];
}

function meanText({timed, mean}) {
  return timed > 0 ? time(mean) : '–';
}

function plusMinusText({plusMinus}, format) {
  return isNaN(plusMinus) ? '–' : format(plusMinus);
}

// How many samples there are, and how many would be needed to tell the difference from chance.
function samplesText({samples, needed}) {
  return needed === undefined ? number(samples) : `${number(samples)} of ${number(needed)}`;
}

function changedEndpoint(data, comparison, change, lens) {
  const {endpoint, a, b, kind, difference} = change;
  const {format, noun, many} = lens;
  const side = (letter, {requests, perRequest, ...durations}) => requests === 0 ? `${letter}: no request.`
    : `${letter}: ${count(requests, 'request', 'requests')}, mean ${meanText(durations)}, ${format(perRequest)} of ${noun} per request.`;
  const graph = differentialGraph(endpoint.slices, data.frames, comparison.ranges, lens);
  const unknown = isNaN(difference.plusMinus);
  const chance = unknown && difference.difference !== 0 ? ' That may be chance: one request does not tell how much others differ.'
    : difference.needed === undefined ? '' : ` That may be chance: with a difference of this size, ${number(difference.needed)} ${many} `
    + `would tell, and there are ${number(difference.samples)}.`;
  return [
    paragraph(side('A', a)),
    paragraph(side('B', b)),
    paragraph(kind ? `The endpoint is ${kind}.`
      : `The difference is ${signed(difference.difference, format)}${unknown ? '' : ` ± ${format(difference.plusMinus)}`} of ${noun} per request.${chance}`),
    ...(graph.values.a[0] + graph.values.b[0] === 0 ? [paragraph(`A and B do not have samples of ${noun}.`)] : [
      graphPanel(graph, {label: `Differential flame graph of ${endpoint.name}`, title: endpointName(endpoint), lenses: [differenceLens(graph, change, lens)]}),
      paragraph(`The width of a frame is its ${lens.title} per request in A and B together, so that frames of one side only are visible. `, CHANCE),
    ]),
  ];
}

const LEVELS = [0.01, 0.03, 0.1]; // shares of the amount of a request at which the colour becomes stronger

// Frames and methods are judged by their share of the endpoint, and inside of what differs by more than chance.
// What is `known` to differ for certain has its signed ± in place of a spread. Of a method, a frame has the ± as well: it differs for
// certain if it differs by as much.
function differenceLens(base, {a: sideA, b: sideB, difference: ofEndpoint, spreads, sample, known = false, isJudged = true, exact}, {title, noun, many, format, independent}) {
  const perRequest = ({a, b}) => ({a: ofRequests(a, sideA.requests), b: ofRequests(b, sideB.requests)});
  const at = ({values}, node) => perRequest({a: values.a[node], b: values.b[node]});
  const whole = base.values.a[0] + base.values.b[0];
  const verdict = ({a, b}, spread, above, isFrame) => known ? knownVerdict(perRequest({a, b}), spread, isFrame)
    : judgedInside(above, judge({requests: sideA.requests, amount: a}, {requests: sideB.requests, amount: b}, spread,
      independent ? sample : 0, LEVEL * ofRequests(a + b, whole)));
  const judged = ({a, b, aSamples, bSamples}, spread, above, isFrame) =>
    withSamples(verdict({a, b}, spread, above, isFrame), aSamples + bSamples);
  const knownVerdict = ({a, b}, plusMinus, isFrame) => {
    const difference = b - a;
    const isCertain = plusMinus !== undefined && (!isFrame || difference * Math.sign(plusMinus) >= Math.abs(plusMinus) * (1 - 1e-9));
    return {difference, plusMinus: isCertain ? Math.abs(plusMinus) : NaN, chance: !isCertain};
  };
  const verdicts = remembered((graph) => {
    const made = [];
    graph.parent.forEach((parent, node) => {
      made[node] = node === 0 && !graph.ofMethod ? ofEndpoint
        : judged(mapped(graph.values, (values) => values[node]), spreads.ofNode(graph, node), made[parent] ?? ofEndpoint, true);
    });
    return made;
  }, new WeakMap());
  const of = (graph, node) => verdicts(graph)[node];
  const larger = Math.max(at(base, 0).a, at(base, 0).b);
  const level = ({difference, chance}) => chance ? 0 : LEVELS.filter((least) => Math.abs(difference) >= least * larger).length;
  const change = (judged) => level(judged) === 0 ? 'same' : `${judged.difference > 0 ? 'more' : 'less'}${level(judged)}`;
  const amounts = (row, column) => ({...row[column], ...exact?.(row.frame, column)});
  const ownOfRow = (row) => perRequest(amounts(row, 'self'));
  const allOfRow = (row) => perRequest(amounts(row, 'total'));
  const ofRow = (column) => remembered((row) => judged(amounts(row, column), spreads.ofMethod(row.graph, row.frame, column), ofEndpoint), new WeakMap());
  const self = ofRow('self');
  const total = ofRow('total');
  const both = (title, of, sum) => [
    [`${title} A`, false, (row) => format(sum(row).a), (row) => sum(row).a],
    [`${title} B`, false, (row) => format(sum(row).b), (row) => sum(row).b],
    [`${title} difference`, false, (row) => signed(of(row).difference, format), (row) => of(row).difference, unsure(of)],
    [`${title} ±`, false, (row) => plusMinusText(of(row), format), (row) => of(row).plusMinus || 0, unsure(of)],
  ];
  const unsure = (of) => (row) => of(row).chance ? 'unsure' : '';
  return {
    name: 'change',
    title: `${title} of A and B`,
    sizes: ({values: {a, b}}) => a.map((value, node) => ofRequests(value, sideA.requests) + ofRequests(b[node], sideB.requests)),
    label: (graph, node, title) => {
      const judged = of(graph, node);
      return labelOf(graph, node, title) + (level(judged) === 0 ? '' : ` ${signed(judged.difference, format)}`);
    },
    data: (graph, node) => ({change: change(of(graph, node))}),
    describe: (graph, node, {name}) => {
      const {a, b} = at(graph, node);
      const verdict = of(graph, node);
      const {difference, chance} = verdict;
      const relative = a > 0 && b > 0 ? `, ${signed(100 * difference / a, (value) => `${value.toFixed(1)} %`)}` : '';
      return `${name}: A ${format(a)}, B ${format(b)} per request, difference ${signed(difference, format)}${isNaN(verdict.plusMinus) ? '' : ` ± ${format(verdict.plusMinus)}`}${relative}`
        + (chance && difference !== 0 ? isJudged ? known ? ', may be chance or in proportion' : ', may be chance' : ', not judged' : '');
    },
    columns: () => [...both('Self', self, ownOfRow), ...both('Total', total, allOfRow),
      [capital(many), false, (row) => samplesText(total(row)), (row) => total(row).samples]],
    classColumns: () => [...both(capital(noun), self, ownOfRow), [capital(many), false, (row) => samplesText(self(row)), (row) => self(row).samples]],
    order: (row) => [known && isJudged ? Math.max(0, ...[self(row), total(row)].filter(({chance}) => !chance).map(({difference}) => Math.abs(difference)))
      : Math.abs(self(row).difference), row.total.a + row.total.b],
    legend: () => legendOf('Colours of the differential flame graph', [
      [{change: 'more3'}, `more ${noun} in B [+]`], [{change: 'less3'}, `less ${noun} in B [−]`],
      [{change: 'same'}, 'within 1 % of a request, or within chance'],
    ]),
    note: () => '',
    small: (row) => self(row).chance && total(row).chance,
  };
}
