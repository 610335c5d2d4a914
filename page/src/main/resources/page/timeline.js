// The span and those below it in the same process. The spans are in the order of the time line.
function withSpansBelow(spans, number) {
  const below = [spans[number]];
  let elsewhere = Infinity; // the depth of a span of another process, below which all spans are skipped
  for (const span of spans.slice(number + 1)) {
    if (span.depth <= spans[number].depth) {
      break;
    }
    if (span.depth <= elsewhere) {
      elsewhere = span.localRoot ? span.depth : Infinity;
    }
    if (span.depth < elsewhere) {
      below.push(span);
    }
  }
  return below;
}

function sumOf(spans) {
  return Object.fromEntries(MEASURES.flat().map((name) => [name, spans.reduce((sum, {tally}) => sum + (tally?.[name] ?? 0), 0)]));
}

function hasSamples(sum) {
  return MEASURES.some(([, counts]) => sum[counts] > 0);
}

function timeline(data, trace, request) {
  const end = Math.max(1, ...trace.spans.map((span) => span.start + span.duration));
  // Whether the samples distinguish a span from those below it.
  const told = trace.spans.some((span) => !span.localRoot && span.tally);
  const rows = trace.spans.map((span, number) => {
    const bar = element('span', {className: span.localRoot ? 'bar' : 'bar inner'});
    bar.style.left = `${100 * span.start / end}%`;
    bar.style.width = `${100 * span.duration / end}%`;
    const whole = sumOf(withSpansBelow(trace.spans, number));
    const own = sumOf([span]);
    const name = hasSamples(whole) ? link(span.name || '(no name)', to('request', ...request, 'span', span.id)) : span.name;
    const amounts = LENSES.filter(({counts}) => whole[counts] > 0).map(({name, column, format}) =>
      ` – ${column === 'CPU time' ? 'CPU' : column.toLowerCase()} ${format(whole[name])}${told ? `, by itself ${format(own[name])}` : ''}`).join('');
    const what = element('span', {className: 'what'}, name,
      ` – ${span.service} – ${time(span.duration)}${amounts}${span.failed ? ' – failed' : ''}`);
    what.style.setProperty('--depth', span.depth);
    if (span.parts) {
      bar.append(...partsBar(data, span.parts));
    }
    return element('li', {title: `begins after ${time(span.start)}, takes ${time(span.duration)}`}, bar, what);
  });
  const list = element('ul', {className: 'spans'}, ...rows);
  list.setAttribute('aria-label', 'Spans of the trace');
  const section = element('section', {}, list,
    element('p', {}, `The line is ${time(end)} long. A dotted bar is a span within the process of its parent.`));
  if (trace.spansLeftOut > 0) {
    section.append(element('p', {}, `${count(trace.spansLeftOut, 'shorter span is', 'shorter spans are')} left out.`));
  }
  if (trace.spans.some((span) => !span.localRoot) && !told) {
    section.append(element('p', {}, 'The profiler names the span of the whole request in each process, '
      + 'so the CPU time of a span includes that of the spans below it in its process.'));
  }
  return section;
}
