function endpointDetails(data, index) {
  const endpoint = data.endpoints[index];
  const slowest = table('Slowest requests', [
    ['Trace', true, (request, place) => link(request.trace, `#endpoint/${index}/request/${place}`)],
    ['Start', true, (request) => new Date(request.start).toISOString()],
    ['Duration', false, (request) => time(request.duration)],
    ['CPU time', false, (request) => time(request.tally.cpu)],
    ['Samples', false, (request) => request.tally.samples.toLocaleString('en')],
  ], endpoint.slowest);
  const more = endpoint.requests - endpoint.slowest.length;
  return {
    title: `${endpoint.name || '(no name)'} – ${endpoint.service}`,
    path: [['All endpoints', '#']],
    content: [
      element('p', {}, `${count(endpoint.requests, 'request', 'requests')}, mean ${time(endpoint.mean)}, `
        + `p99 ${time(endpoint.p99)}, ${time(endpoint.tally.cpu)} of CPU time by `
        + `${count(endpoint.tally.samples, 'sample', 'samples')}`),
      flame(endpoint.tree, data.frames, `Flame graph of ${endpoint.name}`),
      element('h2', {}, 'Slowest requests'),
      slowest,
      ...(more > 0 ? [element('p', {}, `${count(more, 'faster request is', 'faster requests are')} not listed.`)] : []),
    ],
  };
}

function requestDetails(data, index, place) {
  const endpoint = data.endpoints[index];
  const request = endpoint.slowest[place];
  return {
    title: `Trace ${request.trace}`,
    path: [['All endpoints', '#'], [endpoint.name || '(no name)', `#endpoint/${index}`]],
    content: [
      element('p', {}, `${endpoint.name} – ${endpoint.service}, span ${request.span}: `
        + `${time(request.duration)}, ${time(request.tally.cpu)} of CPU time by `
        + `${count(request.tally.samples, 'sample', 'samples')}`),
      element('h2', {}, 'Spans'),
      timeline(request),
      element('h2', {}, 'Flame graph'),
      flame(request.tree, data.frames, `Flame graph of trace ${request.trace}`),
    ],
  };
}
