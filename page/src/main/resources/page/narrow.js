// What is shown of the data: all of it, or the part that belongs to a range of bins. A request belongs to the range in which
// it begins, with all of its CPU time.
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

function inRange(bin, [from, to]) {
  return bin >= from && bin < to;
}

function sumInRange(values, [from, to]) {
  return values.slice(from, to).reduce((sum, value) => sum + value, 0);
}

// The figures of an endpoint. In a range, p99, neither and what is beside CPU time are those of its requests that the page knows; `about` says
// that it does not know all of them.
function figuresOf(endpoint, range, known = []) {
  const {requests, mean, p99, neither, tally} = endpoint;
  if (!range) {
    return {endpoint, requests, mean, p99, neither, tally};
  }
  const {slices} = endpoint;
  const some = sumInRange(slices.requests, range);
  const cpu = slices.cpu.reduce((sum, nanos, cell) => inRange(slices.bin[cell], range) ? sum + nanos : sum, 0);
  const {amounts, ...times} = timesOf(known, some);
  return {
    endpoint, requests: some, mean: some > 0 ? sumInRange(slices.durations, range) / some : 0, ...times,
    tally: {cpu, ...amounts, samples: slices.samples ? sumInRange(slices.samples, range) : samplesOf(cpu, tally)},
  };
}

// Of so many requests, of which the page knows those with details and an even choice of the others. Each of the others
// stands for as many as were chosen from.
function timesOf(known, requests) {
  const others = known.filter(({listed}) => !listed).length;
  const each = others > 0 ? Math.max(1, (requests - known.length + others) / others) : 1;
  const weight = ({listed}) => listed ? 1 : each;
  const sum = (value) => Math.round(known.reduce((all, request) => all + weight(request) * value(request), 0));
  const slowest = requests - Math.ceil(0.99 * requests) + 1; // p99 is the duration of this one, counted from the slowest
  let place = 0;
  const atP99 = [...known].sort((a, b) => b.duration - a.duration).find((request) => (place += weight(request)) > slowest - 0.5);
  const amounts = Object.fromEntries(BESIDE_CPU.map(({name}) => [name, sum((request) => request[name])]));
  return {p99: atP99?.duration, amounts, neither: sum(neitherOf), about: known.length < requests};
}

// The requests of the range, by the number of their endpoint.
function requestsByEndpoint(data, range) {
  const inside = startsInRange(data, range);
  const known = data.endpoints.map(() => []);
  allRequests(data).forEach((request) => inside(request.start) && known[request.endpoint].push(request));
  return known;
}

function samplesOf(cpu, tally) {
  return tally.cpu > 0 ? Math.round(cpu * tally.samples / tally.cpu) : 0;
}

// The graph of an endpoint or a thread, of the range if there is one.
function graphInRange({tree, slices, tally}, frames, range) {
  if (!range || !slices) {
    return graphOf(tree, frames);
  }
  const own = slices.parent.map(() => 0);
  slices.cpu.forEach((nanos, cell) => {
    if (inRange(slices.bin[cell], range)) {
      own[slices.node[cell]] += nanos;
    }
  });
  const graph = graphOfOwn(slices.parent, slices.frame, frames, {cpu: own}, slices.leftOut);
  return {...graph, values: {...graph.values, samples: graph.values.cpu.map((cpu) => samplesOf(cpu, tally))}};
}

// What belongs to no request, and all. In a range, that is known of CPU time only.
function wholeOf(data, range, lens = CPU) {
  const none = data.unjoined.find(({reason}) => reason === 'no Link')?.tally[lens.name] ?? 0;
  if (!range) {
    return {none, all: data.received[lens.name]};
  }
  if (lens !== CPU) {
    return {};
  }
  const noneInRange = sumInRange(data.overTime.series.at(-1), range);
  return {none: noneInRange, all: noneInRange + data.endpoints.reduce((sum, endpoint) => sum + figuresOf(endpoint, range).tally.cpu, 0)};
}

// Where in its methods the CPU time of an endpoint or a thread passed: by frame, [line, nanoseconds], the most first. Only
// known of the whole time.
function linesOf({lines}, range) {
  const known = new Map();
  if (lines && !range) {
    lines.frame.forEach((frame, place) => known.set(frame, [...(known.get(frame) ?? []), [lines.line[place], lines.cpu[place]]]));
  }
  return known;
}

function startsInRange(data, range) {
  const {start, width} = data.overTime;
  return (millis) => !range || inRange((millis / 1e3 - start) / width, range);
}
