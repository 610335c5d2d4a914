function overview(data) {
  const whole = data.received.cpu;
  const onPage = data.endpoints.reduce((sum, endpoint) => sum + endpoint.tally.cpu, 0);
  const endpoints = table('Endpoints', [
    ['Endpoint', true, (endpoint, index) => link(endpoint.name || '(no name)', `#endpoint/${index}`)],
    ['Service', true, (endpoint) => endpoint.service],
    ['Requests', false, (endpoint) => endpoint.requests.toLocaleString('en')],
    ['Mean', false, (endpoint) => time(endpoint.mean)],
    ['p99', false, (endpoint) => time(endpoint.p99)],
    ['CPU time', false, (endpoint) => time(endpoint.tally.cpu)],
    ['Share', false, (endpoint) => percent(endpoint.tally.cpu, onPage)],
    ...(data.received.waits ? [
      ['Waiting', false, (endpoint) => time(endpoint.tally.waiting ?? 0)],
      ['Neither', false, (endpoint) => time(endpoint.neither)],
    ] : []),
    ['CPU per request', false, (endpoint) => time(endpoint.tally.cpu / endpoint.requests)],
  ], data.endpoints);

  const unjoined = table('Not on this page', [
    ['Not on this page', true, (row) => row.reason],
    ['Samples', false, (row) => row.tally.samples.toLocaleString('en')],
    ['CPU time', false, (row) => time(row.tally.cpu)],
    ['Share', false, (row) => percent(row.tally.cpu, whole)],
    ...(data.received.waits ? [['Waiting', false, (row) => time(row.tally.waiting ?? 0)]] : []),
  ], data.unjoined);

  const threads = table('CPU time outside requests, by thread', [
    ['Thread', true, (row) => row.name],
    ['Samples', false, (row) => row.tally.samples.toLocaleString('en')],
    ['CPU time', false, (row) => time(row.tally.cpu)],
    ['Share', false, (row) => percent(row.tally.cpu, whole)],
  ], data.threads);

  const content = [
    element('p', {}, `${count(data.received.samples, 'sample', 'samples')} of ${time(whole)} of CPU time were received; `
      + `${percent(onPage, whole)} of the CPU time belongs to these endpoints.`),
    ...(data.received.waits ? [element('p', {}, `${count(data.received.waits, 'wait', 'waits')} of `
      + `${time(data.received.waiting)} were received. “Neither” is the rest of the durations: `
      + 'for instance waits of virtual threads, and waits that the profiler did not record.')] : []),
    ...(data.comparison ? [element('p', {}, 'The page has a baseline: ', link('compare with the baseline', '#compare/baseline'), '.')] : []),
    ...(data.overTime.series[0].length > 1 ? cpuOverTime(data) : []),
    element('h2', {}, 'Endpoints'),
    endpoints,
    ...(data.dots.length > 0 ? [
      element('h2', {}, 'Requests'),
      requestsChart(data),
      element('p', {}, (data.dotStep > 1 ? `Of the faster requests, one in ${data.dotStep} has a dot. ` : '')
        + 'A click opens one of the slowest requests of its endpoint.'),
    ] : []),
    element('h2', {}, 'Not joined'),
    unjoined,
    ...(data.threads.length > 0 ? [element('h2', {}, 'CPU time outside requests, by thread'), threads] : []),
  ];
  if (data.problems.length > 0) {
    content.push(element('h2', {}, 'Notes'),
      element('ul', {}, ...data.problems.map((problem) => element('li', {}, problem))));
  }
  return {title: 'CPU time of endpoints', path: [], content};
}

// The form is above the chart, because the height of the chart's legend changes when the pointer leaves it.
function cpuOverTime(data) {
  const chooser = rangeChooser(data, {dragging: true});
  const chart = cpuChart(data, chooser);
  return [element('h2', {}, 'CPU time over time'), chooser.form, chart];
}
