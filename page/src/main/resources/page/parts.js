// What a duration consists of: sentences of the program, with the same parts as bars.

// Between backticks is code.
function withCode(text) {
  return text.split('`').map((part, place) => place % 2 ? element('code', {}, part) : part);
}

// A piece for each part, as wide as its share.
function partsBar(data, amounts) {
  const whole = amounts.reduce((sum, [, nanos]) => sum + nanos, 0);
  return amounts.map(([key, nanos]) => {
    const piece = element('span', {className: 'part', title: `${time(nanos)} ${data.parts[key]}`});
    piece.dataset.part = key;
    piece.style.width = `${100 * nanos / Math.max(1, whole)}%`;
    return piece;
  });
}

function partsText(data, amounts) {
  return amounts.map(([key, nanos]) => `${time(nanos)} ${data.parts[key]}`).join('; ');
}

function partsSection(data, {amounts, sentence = partsText(data, amounts)}, before = '') {
  const bar = element('div', {className: 'partsbar'}, ...partsBar(data, amounts));
  bar.setAttribute('role', 'img');
  bar.setAttribute('aria-label', partsText(data, amounts));
  const first = paragraph(before, ...withCode(sentence));
  first.className = 'sentence';
  return [first, bar, legendOf('Parts', amounts.map(([part]) => [{part}, data.parts[part]]))];
}

function partsOfEndpoint(data, {ofMean, ofSlowest}) {
  return [
    ...(ofMean ? partsSection(data, ofMean, 'The mean request: ') : []),
    ...(ofSlowest ? partsSection(data, ofSlowest, 'The mean of the slowest: ') : []),
    ...notRecorded(data),
  ];
}

function notRecorded({notRecorded: text}) {
  return text ? [paragraph(...withCode(text))] : [];
}

// Above the chart over time: when processes were stopped or throttled, with the causes as titles.
function haltLane({halts, overTime: {start, width, series}}) {
  if (halts.length === 0) {
    return [];
  }
  const bins = series[0].length;
  const lane = element('div', {className: 'lane'}, ...halts.map(([bin, ...causes]) => {
    const stopped = causes.some(([cause]) => cause);
    const texts = [...causes].sort((a, b) => b[2] - a[2]).map(([cause, many, nanos]) =>
      cause ? `${time(nanos)} stopped ${many > 1 ? `by ${number(many)} × ` : 'by '}${cause}` : `${time(nanos)} throttled`);
    const mark = element('span', {title: `${clock(start + bin * width, true)} UTC: ${texts.join('; ')}`});
    mark.dataset.part = stopped ? 'stopped' : 'throttled';
    mark.style.left = `${100 * bin / bins}%`;
    mark.style.width = `${100 / bins}%`;
    return mark;
  }));
  lane.setAttribute('role', 'img');
  lane.setAttribute('aria-label', 'Stops of the JVM, and throttling');
  return [lane];
}
