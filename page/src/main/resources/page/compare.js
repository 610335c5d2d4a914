// Compares range A of the bins with range B. The files of a baseline are bin 0, the others bin 1.
function sideOf(slices, range, lens) {
  const amount = sumOfCells(slices, lens.name, range);
  const samples = lens === CPU ? sumInRange(slices.samples, range) : sumOfCells(slices, lens.counts, range);
  const requests = sumInRange(slices.requests, range);
  return {requests, amount, samples, perRequest: ofRequests(amount, requests), timed: timedIn(slices, range), mean: meanIn(slices, range)};
}

// The endpoint that changed most first: by the difference times the requests of B, or of A if B does not have any.
function changesOf(comparison, lens) {
  const {endpoints, ranges, lenses} = comparison;
  const sides = endpoints.map(({slices}) => ({a: sideOf(slices, ranges.A, lens), b: sideOf(slices, ranges.B, lens)}));
  const all = sides.reduce((sum, {a, b}) => sum + a.amount + b.amount, comparison.others(lens));
  return endpoints.map((endpoint, index) => {
    const {a, b} = sides[index];
    const both = a.requests > 0 && b.requests > 0;
    const weight = b.requests || a.requests;
    const timed = a.timed > 0 && b.timed > 0;
    const longer = timed ? b.mean - a.mean : 0;
    const kind = both ? '' : b.requests > 0 ? 'only in B' : 'only in A';
    const amount = a.amount + b.amount;
    const samples = a.samples + b.samples;
    const sample = ofRequests(amount, samples);
    const spreads = spreadsOf(endpoint, lens, sample, a.requests + b.requests);
    const difference = withSamples(judge(a, b, spreads.whole, lens.independent ? sample : 0, LEVEL / lenses.length * ofRequests(amount, all)), samples);
    return {
      endpoint, index, a, b, both, kind, difference, timed, longer, spreads, sample,
      impact: Math.abs(difference.difference) * weight, delay: Math.abs(longer) * weight,
    };
  }).filter(({a, b}) => a.requests + b.requests > 0)
    .sort((one, other) => other.impact - one.impact || other.delay - one.delay || one.index - other.index);
}

function withSamples({needed, ...verdict}, samples) {
  return {...verdict, samples: Math.round(samples), needed: needed && Math.round(samples * needed)};
}

// A graph with the amount of each node in A and in B, of all requests, and with the numbers of samples.
// Integers, because amounts per request would leave a remainder where one is taken from the other.
function differentialGraph(slices, frames, ranges, lens) {
  const own = {};
  for (const [side, range] of [['a', ranges.A], ['b', ranges.B]]) {
    own[side] = nodesInRange(slices, lens.name, range);
    own[`${side}Samples`] = nodesInRange(slices, lens.counts, range);
  }
  return graphOfOwn(slices.parent, slices.frame, frames, own, slices.leftOut);
}

function baselineComparison(data) {
  const {received, unjoined, endpoints, others} = data.comparison;
  const of = (tally, {name, counts, one, many, format}) => `${count(tally[counts] ?? 0, one, many)} of ${format(tally[name] ?? 0)}`;
  const without = (lens) => [['A', received], ['B', data.received]].filter(([, tally]) => !tally[lens.counts]);
  return {
    parts: ['compare', 'baseline'], endpoints, ranges: {A: [0, 1], B: [1, 2]}, lenses: lensesOf(received, data.received),
    others: ({name}) => (others[name] ?? []).reduce((sum, amount) => sum + amount, 0),
    wholes: ({name}) => ({a: received[name] ?? 0, b: data.received[name] ?? 0}),
    notes: (lens) => [
      paragraph(`A is the baseline, with ${of(received, lens)} of ${lens.noun} received; `
        + `B is everything else on this page, with ${of(data.received, lens)}.`),
      ...without(lens).map(([letter]) => paragraph(`${letter} has no sample of ${lens.noun}: perhaps its profiler did not record any, `
        + 'and then the differences say nothing about the application.')),
      ...(others.endpoints > 0 ? [paragraph(`${lens === CPU ? count(others.endpoints, 'endpoint that changed less is', 'endpoints that changed less are')
        : count(others.endpoints, 'endpoint whose CPU time changed less is', 'endpoints whose CPU time changed less are')} `
        + `not in the table, with ${lens.format(others[lens.name][0])} of ${lens.noun} in A and ${lens.format(others[lens.name][1])} in B.`)] : []),
      ...(unjoined.some(({tally}) => tally[lens.counts] > 0) ? [paragraph('Not joined in A: ',
        unjoined.filter(({tally}) => tally[lens.counts] > 0).map(({reason, tally}) => `${reason} ${lens.format(tally[lens.name])}`).join(', '), '.')] : []),
    ],
  };
}

function rangeComparison(data, texts) {
  const chart = data.overTime.series[0].length > 1;
  if (chart && !canNarrow(data)) {
    return {problem: [paragraph('Ranges of this chart cannot be compared, because a page from ClickHouse does not have sums by time and '
      + 'stack. The options --baseline-from and --baseline-to compare two ranges.')]};
  }
  const ranges = rangesOf(data, texts);
  if (!ranges) {
    if (!chart) {
      return {problem: [paragraph(data.received.samples > 0
        ? 'All samples are of the same second, so there are not two ranges of time to compare.'
        : 'There is no CPU time, so there is no chart over time, and there are not two ranges to compare.')]};
    }
    const [A, B] = rangesToCompare(data);
    const chooser = rangeChooser(data, {A, B});
    return {problem: [paragraph('The link does not name two ranges of time that are on the chart of this page. Choose two:'),
      ...overTimeChart(data, chooser, chosenLens(data.received)), chooser.form]};
  }
  const {width} = data.overTime;
  const text = (letter) => {
    const requests = data.endpoints.reduce((sum, {slices}) => sum + sumInRange(slices.requests, ranges[letter]), 0);
    const seconds = (ranges[letter][1] - ranges[letter][0]) * width;
    return `${letter} is ${periodText(data, ranges[letter])}, ${seconds} s with `
      + `${count(requests, 'request', 'requests')}, ${(requests / seconds).toFixed(2)} per second.`;
  };
  const inside = (slices) => slices.requests.reduce((sum, value) => sum + value, 0);
  const outside = data.endpoints.reduce((sum, {requests, slices}) => sum + requests - inside(slices), 0);
  const overlap = ranges.A[0] < ranges.B[1] && ranges.B[0] < ranges.A[1];
  const chooser = rangeChooser(data, ranges);
  const charts = remembered((lens) => overTimeChart(data, chooser, lens));
  return {
    parts: ['compare', ...texts], endpoints: data.endpoints, ranges, lenses: lensesOf(data.received),
    others: () => 0,
    wholes: (lens) => ({a: wholeOf(data, ranges.A, lens).all, b: wholeOf(data, ranges.B, lens).all}),
    notes: (lens) => [
      paragraph(text('A')), paragraph(text('B')),
      paragraph(`A request belongs to the range in which it begins, with all of its ${lens.title}.`
        + (overlap ? ' The ranges overlap: requests that begin in both count in both.' : '')),
      ...(outside > 0 ? [paragraph(`${count(outside, 'request begins', 'requests begin')} outside the chart and not in any range.`)] : []),
      ...charts(lens), chooser.form,
    ],
  };
}

function comparisonView(data, parts) {
  const baseline = parts[0] === 'baseline';
  const path = [[ALL, to('')]];
  if (baseline && !data.comparison) {
    return {title: 'Comparison', path, content: [paragraph('This page was made without a baseline; the option --baseline names one.')]};
  }
  const comparison = baseline ? baselineComparison(data) : rangeComparison(data, parts.slice(0, 2));
  if (comparison.problem) {
    return {title: 'Comparison', path, content: comparison.problem};
  }
  const [kind, name, service] = parts.slice(baseline ? 1 : 2);
  const of = ({endpoint}) => kind === 'endpoint' && plain(endpoint.name) === name && plain(endpoint.service) === service;
  const shown = changesOf(comparison, CPU).find(of)?.endpoint;
  const missing = kind && !shown ? [paragraph(`There is no endpoint “${name} ${service}” in this comparison.`)] : [];
  return {
    title: shown ? `${endpointName(shown)} – ${shown.service}` : 'Comparison',
    path: shown ? [...path, ['Comparison', to(...comparison.parts)]] : path,
    content: [...missing, ...byMeasure(comparison.lenses, (lens) => {
      const changes = changesOf(comparison, lens);
      return shown ? changedEndpoint(data, comparison, changes.find(of), lens) : changedEndpoints(comparison, changes, lens);
    })],
  };
}
