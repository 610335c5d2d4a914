// The last choice while the page is open. A range is [first bin, bin after the last one].
const chosen = {ranges: undefined, next: 'A'};

// Chooses two ranges of time, A and B, with lists or by dragging on a chart, which calls choose.
function rangeChooser(data, {ranges, dragging = false} = {}) {
  const {start, width, series} = data.overTime;
  const bins = series[0].length;
  const half = Math.floor(bins / 2);
  const withDate = isOfSeveralDays(data.overTime);
  const listeners = [];
  chosen.ranges = ranges ?? chosen.ranges ?? {A: [0, half], B: [half, bins]};

  const list = (letter, end, title) => {
    const select = element('select', {}, ...Array.from({length: bins}, (_, bin) =>
      element('option', {value: bin + end}, clock(start + (bin + end) * width, withDate))));
    select.setAttribute('aria-label', `${letter} ${title}`);
    select.addEventListener('change', () => {
      chosen.ranges[letter][end] = Number(select.value);
      update();
    });
    return select;
  };
  const radio = (letter) => {
    const input = element('input', {type: 'radio', name: 'dragged', value: letter});
    radios.push(input);
    input.addEventListener('change', () => { chosen.next = letter; });
    return element('label', {}, input, ' choose by dragging');
  };
  const lists = {};
  const radios = [];
  const part = (letter) => {
    lists[letter] = [list(letter, 0, 'from'), list(letter, 1, 'to')];
    return element('fieldset', {}, element('legend', {}, `Range ${letter}`),
      element('label', {}, 'from ', lists[letter][0]), element('label', {}, 'to ', lists[letter][1]),
      ...(dragging ? [radio(letter)] : []));
  };
  const button = element('button', {type: 'button'}, 'Compare A with B');
  const message = element('output');
  const form = element('div', {className: 'tools ranges'}, part('A'), part('B'), button, message);
  form.setAttribute('role', 'group');
  form.setAttribute('aria-label', 'Compare two ranges of time, in UTC');

  function update() {
    for (const [letter, range] of Object.entries(chosen.ranges)) {
      range.forEach((bin, end) => { lists[letter][end].value = bin; });
    }
    radios.forEach((input) => { input.checked = chosen.next === input.value; });
    const empty = Object.keys(chosen.ranges).find((letter) => chosen.ranges[letter][0] >= chosen.ranges[letter][1]);
    button.disabled = empty !== undefined;
    message.value = empty === undefined ? '' : `Range ${empty} must end after it begins.`;
    listeners.forEach((listener) => listener());
  }

  button.addEventListener('click', () => {
    const text = ([from, to]) => `${start + from * width}-${start + to * width}`;
    location.hash = `#compare/${text(chosen.ranges.A)}/${text(chosen.ranges.B)}`;
  });
  update();
  return {
    form,
    ranges: () => chosen.ranges,
    onChange: (listener) => listeners.push(listener),
    // Positions on the chart, in bins, where dragging began and ended.
    choose(left, right) {
      const from = Math.max(0, Math.min(bins - 1, Math.floor(left)));
      chosen.ranges[chosen.next] = [from, Math.max(from + 1, Math.min(bins, Math.ceil(right)))];
      chosen.next = chosen.next === 'A' ? 'B' : 'A';
      update();
    },
  };
}

function isOfSeveralDays({start, width, series}) {
  return clock(start, true).slice(0, 10) !== clock(start + series[0].length * width, true).slice(0, 10);
}

// Two of "from-to" in seconds since the epoch. Undefined if they are not on the chart.
function rangesOf(data, [a, b]) {
  const {start, width, series} = data.overTime;
  const bins = series[0].length;
  const ranges = [a, b].map((text) => {
    const match = /^(\d{1,12})-(\d{1,12})$/.exec(text ?? '');
    return match ? [Math.floor((match[1] - start) / width), Math.ceil((match[2] - start) / width)] : [0, 0];
  });
  const valid = bins > 1 && ranges.every(([from, to]) => from >= 0 && from < to && to <= bins);
  return valid ? {A: ranges[0], B: ranges[1]} : undefined;
}
