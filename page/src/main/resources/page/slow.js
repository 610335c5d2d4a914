// The requests of an endpoint in groups, by duration, by a part of it, or by an attribute. Groups have the form of bins of time.
const DURATION = 'duration';
const TYPICAL = [0, 1];
const ALONE = 'alone'; // in the address of a group that is compared with nothing

const SLOW_CHANCE = 'Coloured is what slow requests have more of for certain, and also a larger share of it. Grey may be chance, or a larger request. ';
const VALUE_CHANCE = 'Coloured is what these requests have more or less of for certain. Grey may be chance. ';

// All ways of grouping, that by duration first.
function splitsOf({slow, splits}) {
  return slow ? [{...slow, by: DURATION}, ...splits] : [];
}

function isByAmount(data, {by}) {
  return by === DURATION || Object.hasOwn(data.parts, by);
}

function splitName(data, {by}) {
  return by === DURATION ? by : isByAmount(data, {by}) ? data.parts[by] : by;
}

function valueName(value) {
  return value || '(without it)';
}

// The groups above a quantile, or those with a value.
function pairName(data, split, place) {
  const name = split.names[place];
  return isByAmount(data, split) ? `above ${name}` : valueName(name);
}

function splitAddress({name, service}, {by}, group, ...alone) {
  return to('slow', name, service, group, ...(by === DURATION ? [] : [by, ...alone]));
}

function pairAddress(endpoint, split, place) {
  return splitAddress(endpoint, split, split.names[place]);
}

// Two sides of bins. Those of an attribute are one value, which becomes the last bin, and all others.
function sidesOf(data, split, place) {
  const {slices} = split;
  const last = slices.requests.length - 1;
  if (isByAmount(data, split)) {
    return {slices, ranges: {A: TYPICAL, B: [place + 1, last + 1]}};
  }
  const at = (bin) => bin === place ? last : bin > place ? bin - 1 : bin;
  return {slices: regrouped(slices, last + 1, at), ranges: {A: [0, last], B: [last, last + 1]}};
}

// By how much a method may differ by chance, less than 0 if it is less in B. Undefined, or 0 in the data, if its difference may be
// nothing else.
function certainOf({certain}, place, {name}) {
  const known = new Map((certain[place][name] ?? []).map(([frame, ...columns]) => [frame, columns]));
  return (frame, column) => known.get(frame)?.[column === 'total' ? 1 : 0] || undefined;
}

// Of the requests that are not grouped.
function inNoGroup({requests}, grouped) {
  const left = requests - grouped;
  return left > 0 ? [paragraph(`${count(left, 'request', 'requests')} of unknown duration ${left > 1 ? 'are' : 'is'} in no group.`)] : [];
}

function slowSentence({texts}, place) {
  const sentence = paragraph('Per request, ', ...withCode(texts[place]), '.');
  sentence.className = 'sentence';
  return sentence;
}

// Each group leads to its graph.
function groupTable(data, lenses, split, address) {
  const {slices, groups} = split;
  const rows = groups.map((name, place) => ({name, range: [place, place + 1]}));
  const requests = ({range}) => sumInRange(slices.requests, range);
  const mean = ({range}) => meanIn(slices, range);
  const ofAny = (row, text) => requests(row) > 0 ? text : '–';
  return table(`Requests by ${splitName(data, split)}`, [
    ['Group', true, ({name}) => link(valueName(name), address(name))],
    ['Requests', false, (row) => number(requests(row)), requests],
    ['Mean', false, (row) => ofAny(row, time(mean(row))), mean],
    ...lenses.map((lens) => {
      const each = (row) => ofRequests(sumOfCells(slices, lens.name, row.range), requests(row));
      return [lens.perRequest, false, (row) => ofAny(row, lens.format(each(row))), each];
    }),
  ], rows, {order: 'sort-groups'});
}

function graphOfGroup(data, {slices, ...endpoint}, place, options) {
  return slices.requests[place] === 0 ? [paragraph('No request is in this group.')]
    : graphWithWaits(graphInRange({...endpoint, slices}, data.frames, [place, place + 1]), options);
}

// Chooses what splits the requests.
function splitLinks(data, endpoint, current) {
  const links = splitsOf(endpoint).map((split) => {
    const made = link(splitName(data, split), pairAddress(endpoint, split, split.first));
    if (split.by === current.by) {
      made.setAttribute('aria-current', 'true');
    }
    return made;
  });
  return paragraph('Requests by ', ...separated([...links, ...boxLinks(endpoint)]), '.');
}

function separated(links) {
  return links.flatMap((one, place) => place > 0 ? [', ', one] : [one]);
}

// Chooses what is compared.
function pairLinks(data, endpoint, split) {
  const links = [...split.names.keys()].filter((place) => {
    const {slices, ranges} = sidesOf(data, split, place);
    return sumInRange(slices.requests, ranges.B) > 0;
  }).map((place) => link(pairName(data, split, place), pairAddress(endpoint, split, place)));
  return links.length === 0 ? [] : [paragraph(isByAmount(data, split) ? 'Compare the typical requests with those ' : 'Compare the other requests with those of ',
    ...separated(links), '.')];
}

// A part of the view of an endpoint.
function slowSection(data, endpoint) {
  const [byDuration, ...others] = splitsOf(endpoint);
  if (!byDuration) {
    return endpoint.tooLarge ? [element('h2', {}, 'Slow against typical'), paragraph('There is no room for its requests beside those of other endpoints on a page from ClickHouse: '
      + 'a shorter range compares them, or the answer slow; the answer method finds those of a method.')] : [];
  }
  const address = (split) => link(splitName(data, split), pairAddress(endpoint, split, split.first));
  const same = others.filter(({differs}) => !differs);
  return [
    element('h2', {}, 'Slow against typical'),
    slowSentence(byDuration, byDuration.first),
    ...pairLinks(data, endpoint, byDuration),
    ...others.filter(({differs}) => differs).map((split) => paragraph('By ', address(split), ', per request, ', ...withCode(split.texts[split.first]), '.')),
    ...(same.length > 0 || endpoint.box ? [paragraph('Compare also by ', ...separated([...same.map(address), ...boxLinks(endpoint)]), '.')] : []),
    ...leftOutText(endpoint),
  ];
}

function leftOutText({splitsLeftOut: left}) {
  return left > 0 ? [paragraph(`${count(left, 'other attribute or part is', 'other attributes and parts are')} left out: `
    + 'the answer slow compares by any of them, with --by.')] : [];
}

function slowDetails(data, index, [named, by = DURATION, alone]) {
  const endpoint = data.endpoints[index];
  const head = {
    title: endpointName(endpoint),
    path: [[ALL, to('')], [endpointName(endpoint), to('endpoint', endpoint.name, endpoint.service)]],
  };
  if (param('box')) {
    return boxDetails(data, endpoint, head, named);
  }
  const split = splitsOf(endpoint).find((one) => plain(one.by) === by);
  if (!split) {
    return {...head, content: [...(endpoint.slow ? [paragraph(`This page does not group these requests by “${by}”.`)] : []), ...slowSection(data, endpoint)]};
  }
  const group = named ?? plain(split.names[split.first]);
  const lenses = lensesOf(endpoint.tally);
  const begin = `${endpointName(endpoint)} – ${by === DURATION ? '' : `${splitName(data, split)} `}`;
  const chosen = {...endpoint, slices: split.slices};
  const groups = [
    groupTable(data, lenses, split, (name) => splitAddress(endpoint, split, name, ALONE)),
    ...inNoGroup(endpoint, sumInRange(split.slices.requests, [0])),
  ];
  const ofGroup = by === DURATION || alone === ALONE ? split.groups.findIndex((name) => plain(name) === group) : -1;
  if (ofGroup >= 0) {
    const title = begin + valueName(group);
    return {...head, title, content: [
      splitLinks(data, endpoint, split),
      ...groups,
      ...graphOfGroup(data, chosen, ofGroup, {
        label: `Flame graph of ${endpoint.name} ${valueName(group)}`, title, of: 'these requests',
      }),
    ]};
  }
  const place = split.names.findIndex((name) => plain(name) === group);
  if (place < 0) {
    return {...head, title: begin + valueName(group), content: [
      paragraph(`There is no group “${group}” on this page.`), splitLinks(data, endpoint, split), ...groups,
    ]};
  }
  const {slices, ranges} = sidesOf(data, split, place);
  const sides = isByAmount(data, split) ? ['A, the typical', 'B, the slow'] : ['A, the others', `B, ${group ? `with ${group}` : 'without it'}`];
  return {...head, title: begin + pairName(data, split, place), content: [
    splitLinks(data, endpoint, split),
    slowSentence(split, place),
    ...pairLinks(data, endpoint, split),
    ...groups,
    ...comparedSides(data, endpoint, {slices, ranges}, sides, (lens) =>
      ({certain: certainOf(split, place, lens), note: isByAmount(data, split) ? SLOW_CHANCE : VALUE_CHANCE})),
  ]};
}

// What the mean request of each of the titled groups consists of, and the graph and the methods of the difference. By lens, `certain` is
// the signed ± of a frame in a column, and `exact` what the sides have of it, if the graph sums up a part.
function comparedSides(data, endpoint, {slices, ranges}, titles, ofLens) {
  if ([ranges.A, ranges.B].some((range) => sumInRange(slices.requests, range) === 0)) {
    return [paragraph('There is nothing to compare: one side has no request.')];
  }
  return [
    ...titles.flatMap((title, side) => {
      const range = [ranges.A, ranges.B][side];
      const measured = measuredIn(slices, range);
      if (measured.duration === 0) {
        return [];
      }
      const {nanos, parts} = meanOf(measured);
      return partsSection(data, {amounts: parts.map((part) => [part.part, part.nanos]), sentence: meanSentence(data, nanos, parts, graphInRange({...endpoint, slices}, data.frames, range))}, `The mean of ${title}: `);
    }),
    ...byMeasure(lensesOf(endpoint.tally), (lens) => {
      const graph = differentialGraph(slices, data.frames, ranges, lens);
      if (graph.values.a[0] + graph.values.b[0] === 0) {
        return [paragraph(`They do not have samples of ${lens.noun}.`)];
      }
      const a = sideOf(slices, ranges.A, lens);
      const b = sideOf(slices, ranges.B, lens);
      const {certain, exact, isJudged, note} = ofLens(lens);
      const change = {
        a, b, exact, isJudged, known: true, sample: ofRequests(a.amount + b.amount, a.samples + b.samples),
        difference: {difference: b.perRequest - a.perRequest, plusMinus: NaN, chance: true, samples: a.samples + b.samples},
        spreads: spreadsByMethod(a.requests + b.requests, undefined, (_, frame, column) => certain(frame, column)),
      };
      return [
        graphPanel(graph, {label: `Groups of ${endpoint.name}`, title: endpointName(endpoint), lenses: [differenceLens(graph, change, lens)]}),
        paragraph(note, `The width of a frame is its ${lens.title} per request in A and B together.`),
      ];
    }),
  ];
}
