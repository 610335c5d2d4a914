const ALL = 'All endpoints';

function endpointDetails(data, index) {
  const endpoint = data.endpoints[index];
  const range = chosenRange(data);
  const known = requestsByEndpoint(data, range)[index].sort((a, b) => b.duration - a.duration);
  const {requests, mean, p99, about, tally} = figuresOf(endpoint, range, known);
  const more = requests - known.length;
  const head = {title: `${endpointName(endpoint)} – ${endpoint.service}`, path: [[ALL, to('')]]};
  const ofRange = range ? [paragraph(`${periodText(data, range)}. `,
    link('The whole time', hashOf(['endpoint', endpoint.name, endpoint.service], {measure: param('measure')})))]
    : missingRange(data).map((text) => paragraph(text));
  if (requests === 0) {
    return {...head, content: [...ofRange, paragraph('No request of this endpoint begins in the range.')]};
  }
  return {
    ...head,
    content: [
      ...ofRange,
      paragraph(`${count(requests, 'request', 'requests')}, mean ${time(mean)}, `
        + (p99 === undefined ? '' : `p99 ${aboutTime(p99, about)}, `) + `${time(tally.cpu)} of CPU time, ${percent(tally.cpu, wholeOf(data, range).all)} of all CPU time, by `
        + count(tally.samples, 'sample', 'samples') + besideCpuText(tally)),
      ...partsOfEndpoint(data, endpoint, range),
      ...(range ? [paragraph(wholeTimeText(endpoint, about))] : slowSection(data, endpoint)),
      ...graphWithWaits(graphInRange(endpoint, data.frames, range), {
        label: `Flame graph of ${endpoint.name}`, title: endpointName(endpoint), of: range ? 'this endpoint in the range' : 'this endpoint', lines: linesOf(endpoint, range),
        requests: (frame, lens) => range ? [] : requestsWith(data, endpoint, frame, lens),
        spreads: remembered((lens) => spreadsOf(endpoint, lens, ofRequests(endpoint.tally[lens.name], endpoint.tally[lens.counts]), requests)),
      }),
      element('h2', {}, 'Slowest requests'),
      requestTable(data, 'Slowest requests', known),
      ...(more > 0 ? [paragraph(`${count(more, 'other request is', 'other requests are')} not listed.`)] : []),
    ],
  };
}

// What a range does not narrow.
function wholeTimeText({lines}, about) {
  return (lines ? 'The page knows lines of methods of the whole time only: look there without a range. ' : '')
    + (about ? '≈ is estimated from those requests whose times are on the page.' : '');
}

function threadDetails(data, thread) {
  return {
    title: `${isNotSampled(thread) ? 'Requests' : 'Thread'} ${threadName(thread)}`,
    path: [[ALL, to('')]],
    content: [
      paragraph(`${time(thread.tally.cpu)} of CPU time, ${percent(thread.tally.cpu, data.received.cpu)} of all CPU time, by ${count(thread.tally.samples, 'sample', 'samples')}${besideCpuText(thread.tally)}, `
        + (isNotSampled(thread) ? 'of requests whose spans the sampler did not keep: the page knows neither their number nor their durations.'
          : 'which belongs to no request. A # is in place of numbers and ids in the names of threads.')
        + (chosenRange(data) ? ' All of it is of the whole time, not of the range: the page does not know threads by time.' : '')),
      ...graphWithWaits(graphInRange(thread, data.frames), {label: `Flame graph of thread ${thread.name}`, title: thread.name, of: isNotSampled(thread) ? 'these requests' : 'this thread', lines: linesOf(thread)}),
    ],
  };
}

function requestDetails(data, request) {
  const {name, service} = data.endpoints[request.endpoint];
  const trace = request.listed && data.traces[request.listed.trace];
  const title = `Trace ${request.trace}`;
  const path = [[ALL, to('')], [name || '(no name)', to('endpoint', name, service)]];
  if (!trace) {
    return {title, path, content: [
      paragraph(`${name} – ${service}, span ${request.span}: began ${new Date(request.start).toISOString()}, took ${time(request.duration)}, `
        + `${time(request.cpu)} of CPU time${besideCpuText(request)}.`),
      paragraph('The spans and the flame graph of this request are not on the page, which has those of the requests of each endpoint that took the longest, '
        + 'the most CPU time or the most waiting'
        + `${lensesOf(data.received).slice(1).filter((lens) => lens !== WAITING).map(({title}) => `, or the most ${title}`).join('')}. `,
        link('Its endpoint at that time', hashOf(['endpoint', name, service], {range: rangeAround(data, request.start)})), '.'),
    ]};
  }
  const {listed} = request;
  return {title, path, content: [
    paragraph(`${name} – ${service}, span ${request.span}: ${time(request.duration)}, ${time(request.cpu)} of CPU time by `
      + count(listed.tally.samples, 'sample', 'samples') + besideCpuText(listed.tally)),
    ...partsSection(data, listed.parts),
    ...notRecorded(data, data.endpoints[request.endpoint]),
    element('h2', {}, 'Spans'),
    timeline(data, trace, [request.trace, request.span]),
    element('h2', {}, 'Flame graph'),
    ...graphWithWaits(graphOf(trace.tree, data.frames), {label: `Flame graph of trace ${trace.id}`, of: 'this trace'}),
  ]};
}

// The bin of a time, and its neighbours, which have enough samples to show something.
function rangeAround(data, millis) {
  const {start, width, series} = data.overTime;
  const bin = Math.floor((millis / 1e3 - start) / width);
  const range = [Math.max(0, bin - 1), Math.min(series[0].length, bin + 2)];
  return canNarrow(data) && range[0] < range[1] ? textOfBins(data, range) : '';
}

function spanDetails(data, request, number) {
  const {name, service} = data.endpoints[request.endpoint];
  const trace = data.traces[request.listed.trace];
  const span = trace.spans[number];
  const below = withSpansBelow(trace.spans, number);
  const whole = sumOf(below);
  const alone = sumOf([span]);
  const graphs = [];
  if (hasSamples(whole)) {
    const trees = below.filter((one) => one.tree).map((one) => graphOf(one.tree, data.frames));
    graphs.push(element('h2', {}, 'With the spans below it'), ...(trees.length > 0 ? graphWithWaits(sumOfGraphs(trees),
      {label: `Flame graph of ${span.name} and the spans below it`, title: span.name, of: 'this span and those below it'}) : []));
    if (below.some((one) => one.tally && !one.tree)) {
      graphs.push(paragraph('The spans with the fewest samples are not in this graph.'));
    }
  }
  const alsoBelow = MEASURES.some(([, counts]) => alone[counts] < whole[counts]);
  if (span.tree && alsoBelow) {
    graphs.push(element('h2', {}, 'By itself'),
      ...graphWithWaits(graphOf(span.tree, data.frames), {label: `Flame graph of ${span.name} by itself`, of: 'this span', key: 'self-'}));
  }
  return {
    title: `${span.name || '(no name)'} – ${span.service}`,
    path: [
      [ALL, to('')],
      [name || '(no name)', to('endpoint', name, service)],
      [`Trace ${trace.id}`, to('request', request.trace, request.span)],
    ],
    content: [
      paragraph(`${time(span.duration)}, of which CPU time by itself ${time(alone.cpu)} `
        + `(${count(alone.samples, 'sample', 'samples')}), with the spans below it ${time(whole.cpu)} `
        + `(${count(whole.samples, 'sample', 'samples')})`
        + BESIDE_CPU.filter(({counts}) => whole[counts] > 0).map(({name, column, format}) =>
          `; ${column.toLowerCase()} by itself ${format(alone[name])}, with the spans below it ${format(whole[name])}`).join('')),
      ...(span.parts ? partsSection(data, {amounts: span.parts}) : []),
      ...graphs,
    ],
  };
}
