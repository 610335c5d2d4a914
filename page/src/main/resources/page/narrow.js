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

// The figures of an endpoint. In a range, what the page does not know by time is undefined.
function figuresOf(endpoint, range) {
  const {requests, mean, p99, neither, tally} = endpoint;
  if (!range) {
    return {endpoint, requests, mean, p99, neither, tally};
  }
  const {slices} = endpoint;
  const some = sumInRange(slices.requests, range);
  const cpu = slices.cpu.reduce((sum, nanos, cell) => inRange(slices.bin[cell], range) ? sum + nanos : sum, 0);
  return {
    endpoint, requests: some, mean: some > 0 ? sumInRange(slices.durations, range) / some : 0,
    tally: {cpu, samples: slices.samples ? sumInRange(slices.samples, range) : samplesOf(cpu, tally)},
  };
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

// CPU time that belongs to no request, and all of it.
function wholeOf(data, range) {
  const none = data.unjoined.find(({reason}) => reason === 'no Link')?.tally.cpu ?? 0;
  if (!range) {
    return {none, all: data.received.cpu};
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
