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

function partsOfEndpoint(data, endpoint, range) {
  if (range) {
    const measured = measuredIn(endpoint.slices, range);
    if (measured.duration === 0) {
      return [];
    }
    const {nanos, parts} = meanOf(measured);
    const amounts = parts.map(({part, nanos}) => [part, nanos]);
    const sentence = meanSentence(data, nanos, parts, graphInRange(endpoint, data.frames, range));
    return [...partsSection(data, {amounts, sentence}, 'The mean request: '), ...notRecorded(data, endpoint)];
  }
  const {ofMean, ofSlowest} = endpoint;
  return [
    ...(ofMean ? partsSection(data, ofMean, 'The mean request: ') : []),
    ...(ofSlowest ? partsSection(data, ofSlowest, 'The mean of the slowest: ') : []),
    ...notRecorded(data, endpoint),
  ];
}

// In the service of an endpoint, or in all.
function notRecorded(data, {notRecorded: text = data.notRecorded} = {}) {
  return text ? [paragraph(...withCode(text))] : [];
}

const LEAST_OF_LANE = 8; // percent of its height, of which a mark has at least

// By how much of each bin processes were stopped and throttled: [kind, bottom, height], in percent, upon each other.
function marksOf(causes, width) {
  const sum = (stop) => causes.reduce((all, [cause, , nanos]) => all + (Boolean(cause) === stop ? nanos : 0), 0);
  const heights = [['stopped', sum(true)], ['throttled', sum(false)]].filter(([, nanos]) => nanos > 0)
    .map(([kind, nanos]) => [kind, Math.min(100, Math.max(LEAST_OF_LANE, nanos / width / 1e7))]);
  const whole = heights.reduce((all, [, height]) => all + height, 0);
  let bottom = 0;
  return heights.map(([kind, height]) => {
    const fitting = height * Math.min(1, 100 / whole);
    bottom += fitting;
    return [kind, bottom - fitting, fitting];
  });
}

// What the whole lane shows, by kind.
function haltTexts(halts) {
  const byCause = new Map();
  let stops = 0;
  let throttled = 0;
  halts.flatMap(([, ...causes]) => causes).forEach(([cause, many, nanos]) => {
    stops += cause ? many : 0;
    throttled += cause ? 0 : nanos;
    if (cause) {
      byCause.set(cause, (byCause.get(cause) ?? 0) + nanos);
    }
  });
  const [most] = [...byCause].sort((a, b) => b[1] - a[1]);
  const stopped = [...byCause.values()].reduce((all, nanos) => all + nanos, 0);
  return [
    ...(most ? [['stopped', `${count(stops, 'stop', 'stops')} of the JVM, ${time(stopped)}, ${byCause.size > 1 ? 'most by' : 'by'} ${most[0]}`]] : []),
    ...(throttled > 0 ? [['throttled', `${time(throttled)} throttled by the container`]] : []),
  ];
}

// Above the chart over time: when processes were stopped or throttled, with the causes as titles, and a legend with the sums.
function haltLane({halts, overTime: {start, width, series}}) {
  if (halts.length === 0) {
    return [];
  }
  const bins = series[0].length;
  const lane = element('div', {className: 'lane'}, ...halts.flatMap(([bin, ...causes]) => {
    const texts = [...causes].sort((a, b) => b[2] - a[2]).map(([cause, many, nanos]) =>
      cause ? `${time(nanos)} stopped by ${many > 1 ? `${number(many)} × ` : ''}${cause}` : `${time(nanos)} throttled`);
    const title = `${clock(start + bin * width, true)} UTC: ${texts.join('; ')}`;
    return marksOf(causes, width).map(([kind, bottom, height]) => {
      const mark = element('span', {title});
      mark.dataset.part = kind;
      Object.assign(mark.style, {left: `${100 * bin / bins}%`, width: `${100 / bins}%`, bottom: `${bottom}%`, height: `${height}%`});
      return mark;
    });
  }));
  const sums = haltTexts(halts);
  lane.setAttribute('role', 'img');
  lane.setAttribute('aria-label', `Over time: ${sums.map(([, text]) => text).join('; ')}`);
  return [lane, legendOf('Stops and throttling', sums.map(([part, text]) => [{part}, text]))];
}
