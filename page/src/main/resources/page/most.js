// Whether the answer method finds the requests of a method. A sum of endpoints has no slow ones, nor one that is too large for a page from ClickHouse.
function isAnswered({frames}, {slow}, frame) {
  return Boolean(slow) && !sumsUp(frames[frame]);
}

// The requests of an endpoint with the most of a method, and when it was.
function requestsWith(data, endpoint, frame, lens) {
  const most = endpoint.most?.[lens.name]?.find(([of]) => of === frame)?.slice(1) ?? [];
  const known = knownRequests(data);
  const rows = most.map(([trace, span, start, duration, amount]) => ({trace, span, start, duration, amount}));
  return [
    ...(rows.length === 0 ? isAnswered(data, endpoint, frame) ? [paragraph('The page knows the requests of larger methods only: the answer method with --endpoint finds those of this one.')] : [] : [
      element('h3', {}, 'Requests with the most of it'),
      table('Requests with the most of the method', [
        ['Trace', true, ({trace, span}) => known.has(trace + span) ? link(trace, to('request', trace, span)) : trace],
        ['Start', true, ({start}) => new Date(start).toISOString(), ({start}) => start],
        ['Duration', false, ({duration}) => time(duration), ({duration}) => duration],
        [lens.column, false, ({amount}) => lens.format(amount), ({amount}) => amount],
        ...(lens === ALLOC ? [] : [['Of the duration', false, ({amount, duration}) => percent(amount, duration), ({amount, duration}) => ofRequests(amount, duration)]]),
      ], rows, {order: 'sort-most'}),
    ]),
    ...(canNarrow(data) ? methodOverTime(data, endpoint, frame, lens) : []),
  ];
}

const knownRequests = remembered((data) => new Set(allRequests(data).map(({trace, span}) => trace + span)));

// What a method has in each bin, with all that it calls.
function amountsOverTime({slices}, frame, lens) {
  const inside = [];
  slices.parent.forEach((parent, node) => { inside[node] = node > 0 && (slices.frame[node] === frame || inside[parent]); });
  const sums = slices.requests.map(() => 0);
  slices[lens.name]?.forEach((amount, cell) => {
    if (inside[slices.node[cell]]) {
      sums[slices.bin[cell]] += amount;
    }
  });
  return sums;
}

function methodOverTime(data, endpoint, frame, lens) {
  const {start, width} = data.overTime;
  const [unit, units] = lens.rate;
  const rates = amountsOverTime(endpoint, frame, lens).map((amount) => amount / width);
  if (!rates.some((rate) => rate > 0)) {
    return []; // too small for a cell of its own
  }
  const amounts = amountAxis(unit, Math.max(...rates), units);
  const withDate = isOfSeveralDays(data.overTime);
  return [
    element('h3', {}, 'Over time, by the start of requests'),
    chart('The method over time', 140, {
      scales: {x: {range: [start, start + rates.length * width]}, y: amounts.scale},
      axes: [axis({incrs: SECONDS, space: withDate ? 150 : 70, values: (_, splits) => splits.map((second) => clock(second, withDate))}), amounts.axis],
      cursor: {show: false},
      series: [{}, {stroke: COLOURS[0], fill: COLOURS[0], width: 1.5, points: {show: rates.length === 1}}],
    }, [rates.map((_, bin) => start + bin * width), rates.map((rate) => rate / amounts.one)]),
  ];
}
