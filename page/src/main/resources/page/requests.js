// All requests that the page knows: {endpoint, duration, notKnown, cpu, allocated, locking, waiting, start, trace, span}, with indexes of endpoints.
// Those of the list of an endpoint have `listed`, and a view with details if their trace is on the page.
function requestsOf(data) {
  const listed = data.endpoints.flatMap(({slowest}, endpoint) => slowest.map((request) => {
    const {duration, start, span, tally, parts} = request;
    const notKnown = parts.amounts.find(([part]) => part === NOT_KNOWN)?.[1] ?? 0;
    const trace = data.traces[request.trace]?.id;
    return {endpoint, duration, notKnown, start, span, trace, cpu: tally.cpu, ...besideCpu((name) => tally[name]), listed: request};
  }));
  const index = data.requests;
  const others = index.start.map((start, number) => ({
    endpoint: index.endpoint[number], start, duration: index.duration[number],
    notKnown: index.notKnown[number], cpu: index.cpu[number],
    ...besideCpu((name) => index[name]?.[number]),
    trace: index.trace.slice(32 * number, 32 * (number + 1)), span: index.span.slice(16 * number, 16 * (number + 1)),
  }));
  return [...listed, ...others];
}

function besideCpu(amount) {
  return Object.fromEntries(BESIDE_CPU.map(({name}) => [name, amount(name) ?? 0]));
}

// Found by the beginning of the id of their trace, of themselves, or of a span of a trace with details.
function requestsById(data, requests, text) {
  const id = text.trim().toLowerCase();
  if (!/^[0-9a-f]{4,32}$/.test(id)) {
    return [];
  }
  const traces = new Set(data.traces.filter(({spans}) => spans.some((span) => span.id.startsWith(id))).map((trace) => trace.id));
  return requests.filter(({trace, span}) => trace.startsWith(id) || span.startsWith(id) || traces.has(trace));
}

// A table of requests. Each can be sorted by what took time.
function requestTable(data, caption, requests, withEndpoint = false) {
  return table(caption, [
    ['Trace', true, ({trace, span}) => link(trace, to('request', trace, span))],
    ...(withEndpoint ? [['Endpoint', true, ({endpoint}) => endpointLink(data, endpoint), ({endpoint}) => data.endpoints[endpoint].name]] : []),
    ['Start', true, ({start}) => new Date(start).toISOString(), ({start}) => start],
    ['Duration', false, ({duration}) => time(duration), ({duration}) => duration],
    ['CPU time', false, ({cpu}) => time(cpu), ({cpu}) => cpu],
    ...lensesOf(data.received).slice(1).map(({name, column, format}) => [column, false, (request) => format(request[name]), (request) => request[name]]),
    ...(data.moreThanCpu ? [['Not known', false, ({notKnown}) => time(notKnown), ({notKnown}) => notKnown]] : []),
  ], requests, {most: withEndpoint ? 10 : 20, order: 'sort-requests'});
}

function endpointName({name}) {
  return name || '(no name)';
}

function endpointLink(data, index) {
  const {name, service} = data.endpoints[index];
  return link(name || '(no name)', to('endpoint', name, service));
}

// A field for the id of a trace or of a span, in the head of each view.
function idField(current) {
  const input = element('input', {type: 'search', placeholder: 'Trace or span id'});
  input.setAttribute('aria-label', 'Trace or span id');
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && input.value.trim()) {
      const found = requestsById(current(), allRequests(current()), input.value);
      location.hash = found.length === 1 ? to('request', found[0].trace, found[0].span) : to('find', input.value.trim());
    }
  });
  return input;
}

function foundRequests(data, requests, text) {
  const found = requestsById(data, requests, text);
  const left = data.requests.leftOut;
  return {
    title: `Requests with ${text}`,
    path: [['All endpoints', to('')]],
    content: [
      paragraph(`${count(found.length, 'request', 'requests')} of ${number(requests.length)} whose ids are on this page.`
        + (left > 0 ? ` ${count(left, 'request is', 'requests are')} on this page without an id.` : '')
        + (/^[0-9a-f]{4,32}$/i.test(text) ? '' : ' An id, or its beginning, has 4 to 32 of the digits 0 to 9 and a to f.')),
      ...(found.length > 0 ? [requestTable(data, 'Requests found', found, true)] : []),
    ],
  };
}
