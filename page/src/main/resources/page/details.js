function endpointDetails(data, index) {
  const endpoint = data.endpoints[index];
  const slowest = table('Slowest requests', [
    ['Trace', true, (request, place) => link(data.traces[request.trace].id, `#endpoint/${index}/request/${place}`)],
    ['Start', true, (request) => new Date(request.start).toISOString()],
    ['Duration', false, (request) => time(request.duration)],
    ['CPU time', false, (request) => time(request.tally.cpu)],
    ...(data.received.waits ? [
      ['Waiting', false, (request) => time(request.tally.waiting ?? 0)],
      ['Neither', false, (request) => time(request.neither)],
    ] : []),
    ['Samples', false, (request) => request.tally.samples.toLocaleString('en')],
  ], endpoint.slowest);
  const more = endpoint.requests - endpoint.slowest.length;
  return {
    title: `${endpoint.name || '(no name)'} – ${endpoint.service}`,
    path: [['All endpoints', '#']],
    content: [
      element('p', {}, `${count(endpoint.requests, 'request', 'requests')}, mean ${time(endpoint.mean)}, `
        + `p99 ${time(endpoint.p99)}, ${time(endpoint.tally.cpu)} of CPU time by `
        + count(endpoint.tally.samples, 'sample', 'samples') + waitingText(endpoint.tally)),
      ...flames(endpoint.tree, data.frames, `Flame graph of ${endpoint.name}`),
      element('h2', {}, 'Slowest requests'),
      slowest,
      ...(more > 0 ? [element('p', {}, `${count(more, 'faster request is', 'faster requests are')} not listed.`)] : []),
    ],
  };
}

function requestDetails(data, index, place) {
  const endpoint = data.endpoints[index];
  const request = endpoint.slowest[place];
  const trace = data.traces[request.trace];
  return {
    title: `Trace ${trace.id}`,
    path: [['All endpoints', '#'], [endpoint.name || '(no name)', `#endpoint/${index}`]],
    content: [
      element('p', {}, `${endpoint.name} – ${endpoint.service}, span ${request.span}: `
        + `${time(request.duration)}, ${time(request.tally.cpu)} of CPU time by `
        + count(request.tally.samples, 'sample', 'samples') + waitingText(request.tally)),
      element('h2', {}, 'Spans'),
      timeline(trace, `#endpoint/${index}/request/${place}`),
      element('h2', {}, 'Flame graph'),
      ...flames(trace.tree, data.frames, `Flame graph of trace ${trace.id}`),
    ],
  };
}

function spanDetails(data, index, place, number) {
  const endpoint = data.endpoints[index];
  const trace = data.traces[endpoint.slowest[place].trace];
  const span = trace.spans[number];
  const below = withSpansBelow(trace.spans, number);
  const whole = sumOf(below);
  const alone = sumOf([span]);
  const graphs = [];
  if (whole.samples + whole.waits > 0) {
    const trees = below.filter((one) => one.tree).map((one) => one.tree);
    graphs.push(element('h2', {}, 'With the spans below it'),
      ...(trees.length > 0
        ? flames(mergeTrees(trees), data.frames, `Flame graph of ${span.name} and the spans below it`, span.name)
        : []));
    if (below.some((one) => one.tally && !one.tree)) {
      graphs.push(element('p', {}, 'The spans with the fewest samples are not in this graph.'));
    }
  }
  const alsoBelow = alone.samples < whole.samples || alone.waits < whole.waits;
  if (span.tree && alsoBelow) {
    graphs.push(element('h2', {}, 'By itself'),
      ...flames(span.tree, data.frames, `Flame graph of ${span.name} by itself`));
  }
  return {
    title: `${span.name || '(no name)'} – ${span.service}`,
    path: [
      ['All endpoints', '#'],
      [endpoint.name || '(no name)', `#endpoint/${index}`],
      [`Trace ${trace.id}`, `#endpoint/${index}/request/${place}`],
    ],
    content: [
      element('p', {}, `${time(span.duration)}, of which CPU time by itself ${time(alone.cpu)} `
        + `(${count(alone.samples, 'sample', 'samples')}), with the spans below it ${time(whole.cpu)} `
        + `(${count(whole.samples, 'sample', 'samples')})`
        + (whole.waits > 0 ? `; waiting by itself ${time(alone.waiting)}, with the spans below it ${time(whole.waiting)}` : '')),
      ...graphs,
    ],
  };
}
