function timeline(request) {
  const end = Math.max(1, ...request.spans.map((span) => span.start + span.duration));
  const rows = request.spans.map((span) => {
    const bar = element('span', {className: span.localRoot ? 'bar' : 'bar inner'});
    bar.style.left = `${100 * span.start / end}%`;
    bar.style.width = `${100 * span.duration / end}%`;
    const what = element('span', {className: 'what'},
      `${span.name} – ${span.service} – ${time(span.duration)}${span.failed ? ' – failed' : ''}`);
    what.style.marginLeft = `${Math.min(span.depth, 20)}rem`;
    const row = element('li', {title: `begins after ${time(span.start)}, takes ${time(span.duration)}`}, bar, what);
    return row;
  });
  const list = element('ul', {className: 'spans'}, ...rows);
  list.setAttribute('aria-label', 'Spans of the trace');
  const section = element('section', {}, list,
    element('p', {}, `The line is ${time(end)} long. A dotted bar is a span within the process of its parent.`));
  if (request.spansLeftOut > 0) {
    section.append(element('p', {}, `${count(request.spansLeftOut, 'shorter span is', 'shorter spans are')} left out.`));
  }
  return section;
}
