// What is shown of the data: all of it, or the part that belongs to a range of bins. A request belongs to the range in which
// it begins, with all of its samples.
function canNarrow({overTime, endpoints}) {
  return overTime.series[0].length > 1 && endpoints.every(({slices}) => slices);
}

// "from-to" in seconds since the epoch as [first bin, bin after the last one]. Undefined if that is not on the chart.
function binsOf({overTime: {start, width, series}}, text) {
  const match = /^(\d{1,12})-(\d{1,12})$/.exec(text ?? '');
  const range = match ? [Math.floor((match[1] - start) / width), Math.ceil((match[2] - start) / width)] : [0, 0];
  return series[0].length > 1 && range[0] >= 0 && range[0] < range[1] && range[1] <= series[0].length ? range : undefined;
}

function textOfBins({overTime: {start, width}}, [from, to]) {
  return `${start + from * width}-${start + to * width}`;
}

function chosenRange(data) {
  return canNarrow(data) ? binsOf(data, param('range')) : undefined;
}

// What a view says that shows the whole time because the page does not have the range of the address.
function missingRange(data) {
  return param('range') && !chosenRange(data) ? [`There is no range “${param('range')}” on this page.`] : [];
}

function inRange(bin, [from, to]) {
  return bin >= from && bin < to;
}

function sumInRange(values, [from, to]) {
  return values.slice(from, to).reduce((sum, value) => sum + value, 0);
}

// The figures of an endpoint. In a range, p99 is that of its requests that the page knows; `about` says that it does not know
// all of them.
function figuresOf(endpoint, range, known = []) {
  const {requests, mean, p99, notKnown, tally} = endpoint;
  if (!range) {
    return {endpoint, requests, mean, p99, notKnown, tally};
  }
  const {slices} = endpoint;
  const some = sumInRange(slices.requests, range);
  return {
    endpoint, requests: some, mean: meanIn(slices, range), ...p99Of(known, some, timedIn(slices, range)),
    notKnown: partsOf(measuredIn(slices, range)).find(({part}) => part === NOT_KNOWN).nanos,
    tally: {...Object.fromEntries(columnsOf(slices).map((name) => [name, sumOfCells(slices, name, range)])), samples: sumInRange(slices.samples, range)},
  };
}

// How many requests of a range have a known duration. `known` is left out if all have.
function timedIn({requests, known = requests}, range) {
  return sumInRange(known, range);
}

// The mean of these durations.
function meanIn(slices, range) {
  return ofRequests(sumInRange(slices.durations, range), timedIn(slices, range));
}

// What cells have: amounts and numbers of samples.
function columnsOf(slices) {
  return MEASURES.flat().filter((name) => cellsOf(slices, name));
}

// The samples of CPU time of cells follow from the time if each stands for the same. The column of their name is by bin.
function cellsOf(slices, name) {
  return name === CPU.counts ? slices.cpuSamples ?? slices.cpu?.map((nanos) => nanos / slices.sampleNanos) : slices[name];
}

function sumOfCells(slices, name, range) {
  return cellsOf(slices, name)?.reduce((sum, value, cell) => inRange(slices.bin[cell], range) ? sum + value : sum, 0) ?? 0;
}

// The sums of values that belong to so many bins.
function sumsOfBins(values, bins, count) {
  const sums = new Array(count).fill(0);
  values.forEach((value, place) => { sums[bins[place]] += value; });
  return sums;
}

// The same requests in other bins, of which there are so many: `at` says in which one those of a bin are.
function regrouped(slices, count, at) {
  const {requests, durations, samples, known, measured, bin} = slices;
  const places = requests.map((_, one) => at(one));
  const sums = (values) => values && sumsOfBins(values, places, count);
  const moved = (bins) => bins.map((one) => places[one]);
  return {
    ...slices, requests: sums(requests), durations: sums(durations), samples: sums(samples), known: sums(known), bin: moved(bin),
    ...(measured && {measured: mapped(measured, (row) => ({...row, bins: moved(row.bins)}))}),
  };
}

// The sums of the cells of each node.
function nodesInRange(slices, name, range) {
  const own = slices.parent.map(() => 0);
  cellsOf(slices, name)?.forEach((value, cell) => {
    if (inRange(slices.bin[cell], range)) {
      own[slices.node[cell]] += value;
    }
  });
  return own;
}

// Of so many requests, of which the page knows those with details and an even choice of the others. Each of the others
// stands for as many as were chosen from. The durations of so many are known, and those of the others count as the shortest.
function p99Of(known, requests, timed = requests) {
  const others = known.filter(({listed}) => !listed).length;
  const each = others > 0 ? Math.max(1, (requests - known.length + others) / others) : 1;
  const slowest = timed - Math.ceil(0.99 * timed) + 1; // p99 is the duration of this one, counted from the slowest
  let place = 0;
  const atP99 = [...known].sort((a, b) => b.duration - a.duration).find(({listed}) => (place += listed ? 1 : each) > slowest - 0.5);
  return {p99: atP99?.duration, about: known.length < requests};
}

// The requests of the range, by the number of their endpoint.
function requestsByEndpoint(data, range) {
  const inside = startsInRange(data, range);
  const known = data.endpoints.map(() => []);
  allRequests(data).forEach((request) => inside(request.start) && known[request.endpoint].push(request));
  return known;
}

// The graph of an endpoint or a thread, of the range if there is one.
function graphInRange({tree, slices}, frames, range) {
  if (!range || !slices) {
    return graphOf(tree, frames);
  }
  const own = Object.fromEntries(columnsOf(slices).map((name) => [name, nodesInRange(slices, name, range)]));
  return graphOfOwn(slices.parent, slices.frame, frames, own, slices.leftOut);
}

const OF_NO_REQUEST = ['no Link', 'after the end of a request']; // reasons why samples are not joined

// What belongs to no request, and all.
function wholeOf(data, range, lens = CPU) {
  if (!range) {
    const none = data.unjoined.filter(({reason}) => OF_NO_REQUEST.includes(reason)).reduce((sum, {tally}) => sum + (tally[lens.name] ?? 0), 0);
    return {none, all: data.received[lens.name]};
  }
  const none = sumInRange(overTimeOf(data, lens).series.at(-1), range);
  return {none, all: none + data.endpoints.reduce((sum, {slices}) => sum + sumOfCells(slices, lens.name, range), 0)};
}

// The chart of a kind of samples, with the places of its endpoints.
function overTimeOf({overTime}, lens) {
  return lens === CPU ? {...overTime, endpoints: [...overTime.series.keys()].slice(0, -2)} : overTime[lens.name];
}

// Where in its methods an endpoint or a thread has its samples of a kind: by frame, [line, amount], the most first. Only known
// of the whole time.
function linesOf({lines}, range) {
  return (lens) => {
    const known = new Map();
    (range ? undefined : lines?.[lens.name])?.forEach((amount, place) => {
      const frame = lines.frame[place];
      if (amount > 0) {
        known.set(frame, [...(known.get(frame) ?? []), [lines.line[place], amount]]);
      }
    });
    known.forEach((of) => of.sort((one, other) => other[1] - one[1]));
    return known;
  };
}

function startsInRange(data, range) {
  const {start, width} = data.overTime;
  return (millis) => !range || inRange((millis / 1e3 - start) / width, range);
}
