function overview(data, problem) {
  const ranged = canNarrow(data);
  const chart = data.overTime.series[0].length > 1;
  const result = paragraph();
  const received = element('span');
  result.className = 'result';
  const parts = element('div', {className: 'parts'});
  const bar = ranged ? rangeBar(data, update) : {ranges: () => ({}), onChange: () => {}, choose: () => {}};
  const overTime = chart ? [element('section', {}, element('h2', {}, 'CPU time over time'), ...cpuChart(data, bar), ...(ranged ? [bar.form] : []),
    ...(data.overTime.outside > 0 ? [paragraph(`${time(data.overTime.outside)} of CPU time are far away from this time, and not on the chart.`)] : []))] : [];

  // Everything below the chart, and the sentence above it.
  function update() {
    const range = chosenRange(data);
    const known = range ? requestsByEndpoint(data, range) : [];
    const rows = data.endpoints.map((endpoint, place) => figuresOf(endpoint, range, known[place])).filter(({requests}) => requests > 0);
    const whole = wholeOf(data, range);
    result.textContent = resultOf(rows, whole, range && periodText(data, range));
    received.textContent = (range ? 'In the whole time, not only in the range: ' : '') + receivedText(data);
    parts.replaceChildren(...overTime, endpointSection(data, rows, whole, range), ...requestSection(data, range),
      ...threadSection(data, range), unjoinedSection(data, range), ...noteSection(data));
  }

  update();
  return {title: 'CPU time of endpoints', path: [], content: [
    ...(problem ? [paragraph(problem)] : []),
    result,
    paragraph(received, ...(data.comparison ? [' The page has a baseline: ', link('compare with the baseline', '#compare/baseline'), '.'] : [])),
    parts,
  ]};
}

function periodText({overTime: {start, width}}, [from, to]) {
  return `${clock(start + from * width, true)} to ${clock(start + to * width, true)} UTC`;
}

// The sentence that a reader should remember.
function resultOf(rows, {none, all}, period) {
  const [first] = [...rows].sort((a, b) => b.tally.cpu - a.tally.cpu);
  const share = (part) => `${(100 * part / all).toFixed(part > 0 && part < all / 10 ? 1 : 0)} %`; // of all CPU time
  const when = period ? `${period}: ` : '';
  if (all === 0) {
    return `${when}no CPU time was sampled.`;
  }
  const outside = none > 0 ? `${share(none)} belongs to no request` : 'all of it belongs to requests';
  return first?.tally.cpu > 0
    ? `${when}${share(first.tally.cpu)} of all CPU time is ${endpointName(first.endpoint)}; ${outside}.`
    : `${when}no CPU time belongs to a request on this page.`;
}

function receivedText({received, endpoints}) {
  const onPage = endpoints.reduce((sum, endpoint) => sum + endpoint.tally.cpu, 0);
  return `${count(received.samples, 'sample', 'samples')} of ${time(received.cpu)} of CPU time were received; `
    + `${percent(onPage, received.cpu)} of all CPU time belongs to these endpoints.`
    + (received.waits ? ` ${count(received.waits, 'wait', 'waits')} of ${time(received.waiting)} were received.` : '');
}

const SHARE = 'Of all CPU time'; // the base of all shares outside flame graphs

function endpointSection(data, rows, {all}, range) {
  const known = (value, {about}) => value === undefined ? '–' : aboutTime(value, about);
  const waits = data.received.waits;
  const shown = table('Endpoints', [
    ['Endpoint', true, ({endpoint}) => endpointLink(data, data.endpoints.indexOf(endpoint)), ({endpoint}) => endpoint.name],
    ['Service', true, ({endpoint}) => endpoint.service, ({endpoint}) => endpoint.service],
    ['Requests', false, ({requests}) => number(requests), ({requests}) => requests],
    ['Mean', false, ({mean}) => time(mean), ({mean}) => mean],
    ['p99', false, (row) => known(row.p99, row), ({p99}) => p99 ?? 0],
    ['CPU time', false, ({tally}) => time(tally.cpu), ({tally}) => tally.cpu],
    [SHARE, false, ({tally}) => percent(tally.cpu, all), ({tally}) => tally.cpu],
    ...(waits ? [
      ['Waiting', false, ({tally, about}) => aboutTime(tally.waiting ?? 0, about), ({tally}) => tally.waiting ?? 0],
      ['Neither', false, ({neither, about}) => aboutTime(neither, about), ({neither}) => neither],
    ] : []),
    ['CPU per request', false, ({tally, requests}) => time(tally.cpu / requests), ({tally, requests}) => tally.cpu / requests],
  ], rows, {most: 30, order: 'sort-endpoints'});
  return element('section', {}, element('h2', {}, 'Endpoints'), ...(rows.length > MANY_ENDPOINTS ? [endpointFilter(rows, shown)] : []), shown,
  ...(waits ? [paragraph('“Neither” is the rest of the durations: for instance waits of virtual threads, and waits that the profiler did not record.')] : []),
  ...(range ? [paragraph('Requests that begin in the range, with all of their CPU time. All CPU time of the range is theirs and that of no request.'
    + (rows.some(({about}) => about) ? ' ≈ is estimated from those requests whose times are on the page.' : ''))] : []));
}

const MANY_ENDPOINTS = 10; // so many that a reader looks for one

// The filter of a table of endpoints, which is in the address, too.
function endpointFilter(rows, shown) {
  const filter = element('input', {type: 'search', placeholder: 'Filter endpoints', value: param('filter')});
  filter.setAttribute('aria-label', 'Filter endpoints by regular expression');
  const found = element('output');
  function show() {
    const {matches} = matcher(filter.value);
    const some = filter.value === '' ? rows : rows.filter(({endpoint}) => matches(endpoint.name) || matches(endpoint.service));
    found.value = filter.value === '' ? '' : `${number(some.length)} of ${count(rows.length, 'endpoint', 'endpoints')}`;
    shown.show(some);
  }
  filter.addEventListener('input', () => {
    keep({filter: filter.value});
    show();
  });
  show();
  return element('div', {className: 'tools'}, filter, found);
}

function requestSection(data, range) {
  const inside = startsInRange(data, range);
  const known = allRequests(data);
  const requests = known.filter(({start}) => inside(start));
  if (known.length === 0) {
    return [];
  }
  const {step, dots} = dotsOf(requests);
  const without = step > 1 || data.requests.leftOut > 0;
  return [element('section', {}, element('h2', {}, 'Requests'),
    ...(dots.length > 0 ? requestsChart(data, dots) : [paragraph('No request of the page begins in the range.')]),
    paragraph((without ? 'Of the faster requests, only some have a dot. ' : '') + 'A click opens the request.'),
    requestTable(data, 'Slowest requests', requests.sort((a, b) => b.duration - a.duration), true))];
}

function threadSection(data, range) {
  if (data.threads.length === 0) {
    return [];
  }
  const rows = data.threads.map((thread) => ({thread, tally: thread.tally}));
  return [element('section', {}, element('h2', {}, 'CPU time outside requests, by thread'),
    table('CPU time outside requests, by thread', [
      ['Thread', true, ({thread}) => thread.tree ? link(thread.name, to(...threadParts(thread))) : thread.name, ({thread}) => thread.name],
      ...(data.threads.some(({process}) => process)
        ? [['Process', true, ({thread}) => thread.process, ({thread}) => thread.process]] : []),
      ['Samples', false, ({tally}) => number(tally.samples), ({tally}) => tally.samples],
      ['CPU time', false, ({tally}) => time(tally.cpu), ({tally}) => tally.cpu],
      [SHARE, false, ({tally}) => percent(tally.cpu, data.received.cpu), ({tally}) => tally.cpu],
    ], rows.filter(({tally}) => tally.cpu > 0), {most: 30, order: 'sort-threads'}),
    ...(range ? [paragraph('Of the whole time, not of the range: the page does not know threads by time.')] : []))];
}

function threadParts({name, process = ''}) {
  return ['thread', process, name];
}

function threadName({name, process}) {
  return process ? `${name} of ${process}` : name;
}

function unjoinedSection(data, range) {
  return element('section', {}, element('h2', {}, 'Not joined'), table('Not on this page', [
    ['Not on this page', true, (row) => row.reason],
    ['Samples', false, (row) => number(row.tally.samples)],
    ['CPU time', false, (row) => time(row.tally.cpu)],
    [SHARE, false, (row) => percent(row.tally.cpu, data.received.cpu)],
    ...(data.received.waits ? [['Waiting', false, (row) => time(row.tally.waiting ?? 0)]] : []),
  ], data.unjoined), ...(range ? [paragraph('Of the whole time, not of the range.')] : []));
}

function noteSection({problems}) {
  return problems.length > 0
    ? [element('section', {}, element('h2', {}, 'Notes'), element('ul', {}, ...problems.map((problem) => element('li', {}, problem))))] : [];
}
