function overview(data, problem) {
  const ranged = canNarrow(data);
  const chart = data.overTime.series[0].length > 1;
  const result = paragraph();
  const received = element('span');
  result.className = 'result';
  const parts = element('div', {className: 'parts'});
  const lenses = lensesOf(data.received);
  const measures = measureButtons(lenses, (measure) => {
    carry({measure});
    update();
    titled(title());
  });
  const title = () => `${capital(chosenLens(data.received).title)} of endpoints`;
  const bar = ranged ? rangeBar(data, update) : {ranges: () => ({}), onChange: () => {}, choose: () => {}};
  const charts = remembered((lens) => overTimeChart(data, bar, lens));
  const overTime = (lens) => {
    const {outside} = overTimeOf(data, lens);
    return element('section', {}, element('h2', {}, `${capital(lens.title)} over time`), ...charts(lens), ...(ranged ? [bar.form] : []),
      ...(outside > 0 ? [paragraph(`${lens.format(outside)} of ${lens.noun} are `
        + (lens === CPU ? 'far away from this time, and not on the chart.' : 'before or after the chart, which begins and ends with the CPU time.'))] : []));
  };

  // Everything below the chart, and the sentence above it.
  function update() {
    const range = chosenRange(data);
    const known = range ? requestsByEndpoint(data, range) : [];
    const rows = data.endpoints.map((endpoint, place) => figuresOf(endpoint, range, known[place])).filter(({requests}) => requests > 0);
    const lens = chosenLens(data.received);
    const whole = wholeOf(data, range, lens);
    result.textContent = resultOf(data, rows, whole, lens, range && periodText(data, range));
    measures.press(lens);
    received.textContent = (range ? 'In the whole time, not only in the range: ' : '') + receivedText(data);
    parts.replaceChildren(...(chart ? [overTime(lens)] : []),
      endpointSection(data, rows, whole, lens, range), ...requestSection(data, range, lens),
      ...threadSection(data, lens, range), unjoinedSection(data, range), ...noteSection(data), ...notRecorded(data));
  }

  update();
  return {title: title(), path: [], content: [
    ...(problem ? [paragraph(problem)] : []),
    ...(lenses.length > 1 ? [element('div', {className: 'tools'}, measures.group)] : []),
    result,
    paragraph(received, ...(data.comparison ? [' The page has a baseline: ', link('compare with the baseline', hashOf(['compare', 'baseline'], {measure: param('measure')})), '.'] : [])),
    parts,
  ]};
}

function periodText({overTime: {start, width}}, [from, to]) {
  return `${clock(start + from * width, true)} to ${clock(start + to * width, true)} UTC`;
}

// With the service, if endpoints of several services have the name.
function distinctName({endpoints}, endpoint) {
  const shared = endpoints.some(({name, service}) => name === endpoint.name && service !== endpoint.service);
  return endpointName(endpoint) + (shared ? ` of ${endpoint.service}` : '');
}

// The sentence that a reader should remember.
function resultOf(data, rows, {none, all}, {name, title}, period) {
  const amount = ({tally}) => tally[name] ?? 0;
  const [first] = [...rows].sort((a, b) => amount(b) - amount(a));
  const share = (part) => `${(100 * part / all).toFixed(part > 0 && part < all / 10 ? 1 : 0)} %`; // of all that was received
  const when = period ? `${period}: ` : '';
  if (all === 0) {
    return `${when}no ${title} was sampled.`;
  }
  if (!first || amount(first) === 0) {
    return `${when}no ${title} belongs to a request on this page.`;
  }
  const outside = none > 0 ? `${share(none)} belongs to ${outsideText(data)}` : 'all of it belongs to requests';
  return `${when}${share(amount(first))} of all ${title} is ${distinctName(data, first.endpoint)}; ${outside}.`;
}

function receivedText({received, endpoints}) {
  const onPage = endpoints.reduce((sum, endpoint) => sum + endpoint.tally.cpu, 0);
  return `${count(received.samples, 'sample', 'samples')} of ${time(received.cpu)} of CPU time were received; `
    + `${percent(onPage, received.cpu)} of all CPU time belongs to these endpoints.`
    + (received.allocations ? ` ${count(received.allocations, 'sample', 'samples')} of ${size(received.allocated)} of allocation were received.` : '')
    + (received.locks ? ` ${count(received.locks, 'wait', 'waits')} for locks of ${time(received.locking)} were received.` : '')
    + (received.waits ? ` ${count(received.waits, 'wait', 'waits')} of ${time(received.waiting)} were received.` : '');
}

const SHARE = shareOf(CPU); // the base of all shares outside flame graphs

function shareOf({title}) {
  return `Of all ${title}`;
}

function endpointSection(data, rows, {all}, lens, range) {
  const amount = ({name}) => ({tally}) => tally[name] ?? 0;
  const perRequest = (row) => amount(lens)(row) / row.requests;
  const measured = lensesOf(data.received).flatMap((one) => [
    [one.column, false, (row) => one.format(amount(one)(row)), amount(one)],
    ...(one === lens ? [[shareOf(one), false, (row) => percent(amount(one)(row), all), amount(one)]] : []),
  ]);
  const ordered = lens === CPU ? rows : sorted(rows, amount(lens), true);
  const known = (value, {about}) => value === undefined ? '–' : aboutTime(value, about);
  const shown = table('Endpoints', [
    ['Endpoint', true, ({endpoint}) => endpointLink(data, data.endpoints.indexOf(endpoint)), ({endpoint}) => endpoint.name],
    ['Service', true, ({endpoint}) => endpoint.service, ({endpoint}) => endpoint.service],
    ['Requests', false, ({requests}) => number(requests), ({requests}) => requests],
    ['Mean', false, ({mean}) => time(mean), ({mean}) => mean],
    ['p99', false, (row) => known(row.p99, row), ({p99}) => p99 ?? 0],
    ...measured,
    ...(data.moreThanCpu ? [['Not known', false, ({notKnown}) => time(notKnown), ({notKnown}) => notKnown]] : []),
    [lens.perRequest, false, (row) => lens.format(perRequest(row)), perRequest],
  ], ordered, {most: 30, order: 'sort-endpoints'});
  return element('section', {}, element('h2', {}, 'Endpoints'), ...(rows.length > MANY_ENDPOINTS ? [endpointFilter(ordered, shown)] : []), shown,
  ...(data.moreThanCpu ? [paragraph('“Not known” is the part of the durations of which neither samples nor the process tell.')] : []),
  ...(range ? [paragraph(`Requests that begin in the range, with all of their ${lens.title}. All ${lens.title} of the range is theirs and that of no request.`
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

function requestSection(data, range, lens) {
  const inside = startsInRange(data, range);
  const known = allRequests(data);
  const requests = known.filter(({start}) => inside(start));
  if (known.length === 0) {
    return [];
  }
  const {step, dots} = dotsOf(requests);
  const without = step > 1 || data.requests.leftOut > 0;
  return [element('section', {}, element('h2', {}, 'Requests'),
    ...(dots.length > 0 ? requestsChart(data, dots, lens) : [paragraph('No request of the page begins in the range.')]),
    paragraph((without ? 'Of the faster requests, only some have a dot. ' : '') + 'A click opens the request.'),
    requestTable(data, 'Slowest requests', requests.sort((a, b) => b.duration - a.duration), true))];
}

function threadSection(data, lens, range) {
  const {name, counts, many, title, column, format} = lens;
  const amount = ({tally}) => tally[name] ?? 0;
  const rows = sorted(data.threads.map((thread) => ({thread, tally: thread.tally})).filter((row) => amount(row) > 0), amount, true);
  if (rows.length === 0) {
    return [];
  }
  const heading = `${capital(title)} outside requests, by thread`;
  return [element('section', {}, element('h2', {}, heading),
    table(heading, [
      [rows.some(({thread}) => isNotSampled(thread)) ? 'Thread, or requests that are not sampled' : 'Thread', true, ({thread}) => thread.tree ? link(thread.name, to(...threadParts(thread))) : thread.name, ({thread}) => thread.name],
      ...(data.threads.some(({process}) => process)
        ? [['Process', true, ({thread}) => thread.process, ({thread}) => thread.process]] : []),
      [capital(many), false, ({tally}) => number(tally[counts]), ({tally}) => tally[counts]],
      [column, false, (row) => format(amount(row)), amount],
      [shareOf(lens), false, (row) => percent(amount(row), data.received[name]), amount],
    ], rows, {most: 30, order: 'sort-threads'}),
    ...(range ? [paragraph('Of the whole time, not of the range: the page does not know threads by time.')] : []))];
}

function threadParts({name, process = ''}) {
  return ['thread', process, name];
}

// To what samples without a Link belong.
function outsideText({threads}) {
  return threads.some(isNotSampled) ? 'requests that are not sampled, or to none' : 'no request';
}

// Whether it is not a thread, but the requests of a name that are not sampled.
function isNotSampled({name}) {
  return name.startsWith('not sampled: ');
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
    ...lensesOf(data.received).slice(1).map(({name, column, format}) => [column, false, (row) => format(row.tally[name] ?? 0)]),
  ], data.unjoined), ...(range ? [paragraph('Of the whole time, not of the range.')] : []));
}

function noteSection({problems}) {
  return problems.length > 0
    ? [element('section', {}, element('h2', {}, 'Notes'), element('ul', {}, ...problems.map((problem) => element('li', {}, problem))))] : [];
}
