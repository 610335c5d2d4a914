// The requests of an endpoint by duration. Its groups have the form of bins of time: range A is the typical ones.
const ABOVE = ['p50', 'p90', 'p99'];
const TYPICAL = [0, 1];

const SLOW_CHANCE = 'Coloured is what slow requests have more of for certain, and also a larger share of it. Grey may be chance, or a larger request. ';

function slowAddress(endpoint, place) {
  return to('slow', endpoint.name, endpoint.service, ABOVE[place]);
}

function slowRanges(place) {
  return {A: TYPICAL, B: [place + 1, ABOVE.length + 1]};
}

// By how much a method may differ by chance: undefined if its difference may be nothing else. -1 is the same in the data.
function certainOf({certain}, place, {name}) {
  const known = new Map((certain[place][name] ?? []).map(([frame, ...columns]) => [frame, columns]));
  return (frame, column) => {
    const plusMinus = known.get(frame)?.[column === 'total' ? 1 : 0] ?? -1;
    return plusMinus < 0 ? undefined : plusMinus;
  };
}

function slowSentence({slow}, place) {
  const sentence = paragraph('Per request, ', ...withCode(slow.texts[place]), '.');
  sentence.className = 'sentence';
  return sentence;
}

// Each group leads to its graph.
function groupTable(endpoint, lenses) {
  const {slow} = endpoint;
  const rows = slow.groups.map((name, place) => ({name, range: [place, place + 1]}));
  const requests = ({range}) => sumInRange(slow.slices.requests, range);
  const mean = (row) => ofRequests(sumInRange(slow.slices.durations, row.range), requests(row));
  return table('Requests by duration', [
    ['Group', true, ({name}) => link(name, to('slow', endpoint.name, endpoint.service, name))],
    ['Requests', false, (row) => number(requests(row)), requests],
    ['Mean', false, (row) => time(mean(row)), mean],
    ...lenses.map((lens) => {
      const each = (row) => ofRequests(sumOfCells(slow.slices, lens.name, row.range), requests(row));
      return [lens.perRequest, false, (row) => lens.format(each(row)), each];
    }),
  ], rows, {order: 'sort-groups'});
}

// A part of the view of an endpoint.
function slowSection(data, endpoint) {
  const {slow} = endpoint;
  const above = slow ? ABOVE.filter((_, place) => sumInRange(slow.slices.requests, slowRanges(place).B) > 0) : [];
  return [
    ...(slow || !data.allStacks ? [element('h2', {}, 'Slow against typical')] : []),
    ...(slow ? [slowSentence(endpoint, slow.first)] : []),
    ...(above.length > 0 ? [paragraph('Compare the typical requests with those ',
      ...above.flatMap((name) => [link(`above ${name}`, slowAddress(endpoint, ABOVE.indexOf(name))), ' ']),
      '– by an attribute of spans, or by a part, the answer slow compares them.')] : []),
    ...(data.allStacks ? [] : [paragraph('This page is from ClickHouse and does not have the stacks of all requests: the answers slow and method read them.')]),
  ];
}

function slowDetails(data, index, above) {
  const endpoint = data.endpoints[index];
  const place = Math.max(0, ABOVE.indexOf(above));
  const {slow} = endpoint;
  const ranges = slowRanges(place);
  const head = {
    title: `${endpointName(endpoint)} – above ${ABOVE[place]}`,
    path: [[ALL, to('')], [endpointName(endpoint), to('endpoint', endpoint.name, endpoint.service)]],
  };
  if (!slow) {
    return {...head, content: slowSection(data, endpoint)};
  }
  const lenses = lensesOf(endpoint.tally);
  const group = slow.groups.indexOf(above);
  if (group >= 0) {
    return {...head, title: `${endpointName(endpoint)} – ${above}`, content: [
      groupTable(endpoint, lenses),
      ...graphWithWaits(graphInRange({...endpoint, slices: slow.slices}, data.frames, [group, group + 1]), {
        label: `Flame graph of ${endpoint.name} ${above}`, title: `${endpointName(endpoint)} ${above}`, of: 'these requests',
      }),
    ]};
  }
  return {...head, content: [
    slowSentence(endpoint, place),
    groupTable(endpoint, lenses),
    ...[['A, the typical', ranges.A], ['B, the slow', ranges.B]].flatMap(([title, range]) => {
      const measured = measuredIn(slow.slices, range);
      if (measured.duration === 0) {
        return [];
      }
      const {nanos, parts} = meanOf(measured);
      return partsSection(data, {amounts: parts.map((part) => [part.part, part.nanos]), sentence: meanSentence(data, nanos, parts, graphInRange({...endpoint, slices: slow.slices}, data.frames, range))}, `The mean of ${title}: `);
    }),
    ...byMeasure(lenses, (lens) => {
      const graph = differentialGraph(slow.slices, data.frames, ranges, lens);
      if (graph.values.a[0] + graph.values.b[0] === 0) {
        return [paragraph(`They do not have samples of ${lens.noun}.`)];
      }
      const a = sideOf(slow.slices, ranges.A, lens);
      const b = sideOf(slow.slices, ranges.B, lens);
      const certain = certainOf(slow, place, lens);
      const change = {
        a, b, known: true, sample: ofRequests(a.amount + b.amount, a.samples + b.samples),
        difference: {difference: b.perRequest - a.perRequest, plusMinus: NaN, chance: true, samples: a.samples + b.samples},
        spreads: spreadsByMethod(a.requests + b.requests, undefined, (_, frame, column) => certain(frame, column)),
      };
      return [
        graphPanel(graph, {label: `Slow against typical of ${endpoint.name}`, title: endpointName(endpoint), lenses: [differenceLens(graph, change, lens)]}),
        paragraph(SLOW_CHANCE, `The width of a frame is its ${lens.title} per request in A and B together.`),
      ];
    }),
  ]};
}
