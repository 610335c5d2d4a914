function isOfSeveralDays({start, width, series}) {
  return clock(start, true).slice(0, 10) !== clock(start + series[0].length * width, true).slice(0, 10);
}

// Two lists, one for the begin and one for the end of a range. `changed` receives [first bin, bin after the last one].
function rangeLists({overTime}, letter, changed) {
  const {start, width, series} = overTime;
  const bins = series[0].length;
  const withDate = isOfSeveralDays(overTime);
  const list = (end, title) => {
    const select = element('select', {}, ...Array.from({length: bins}, (_, bin) =>
      element('option', {value: bin + end}, clock(start + (bin + end) * width, withDate))));
    select.setAttribute('aria-label', `${letter} ${title}`.trim());
    select.addEventListener('change', () => changed(lists.map(({value}) => Number(value))));
    return select;
  };
  const lists = [list(0, 'from'), list(1, 'to')];
  return {
    parts: [element('label', {}, 'from ', lists[0]), element('label', {}, 'to ', lists[1])],
    show: (range) => range.forEach((bin, end) => { lists[end].value = bin; }),
  };
}

// Positions on the chart, in bins, where dragging began and ended, as a range.
function draggedRange({overTime: {series}}, left, right) {
  const bins = series[0].length;
  const from = Math.max(0, Math.min(bins - 1, Math.floor(left)));
  return [from, Math.max(from + 1, Math.min(bins, Math.ceil(right)))];
}

// Chooses the range of time that the page shows, with lists or by dragging on a chart, which calls choose.
function rangeBar(data, changed) {
  const listeners = [];
  const all = [0, data.overTime.series[0].length];
  const lists = rangeLists(data, '', choose);
  const message = element('output');
  const whole = button('Whole time', () => choose(all));
  const compare = link('Compare…', '#');
  const form = element('div', {className: 'tools ranges'}, ...lists.parts, whole, compare, message);
  form.setAttribute('role', 'group');
  form.setAttribute('aria-label', 'Range of time, in UTC');

  function choose(range) {
    const empty = range[0] >= range[1];
    message.value = empty ? 'The range must end after it begins.' : '';
    if (!empty) {
      keep({range: range[0] > 0 || range[1] < all[1] ? textOfBins(data, range) : ''});
      update();
      changed();
    }
  }

  function update() {
    const range = chosenRange(data);
    lists.show(range ?? all);
    whole.disabled = !range;
    compare.textContent = range ? 'Compare with the rest…' : 'Compare two ranges…';
    compare.href = hashOf(['compare', ...rangesToCompare(data, range).map((one) => textOfBins(data, one))], {measure: param('measure')});
    listeners.forEach((listener) => listener());
  }

  update();
  return {
    form,
    ranges: () => chosenRange(data) ? {'': chosenRange(data)} : {},
    onChange: (listener) => listeners.push(listener),
    choose: (left, right) => choose(draggedRange(data, left, right)),
  };
}

// What a range is compared with first: what was before it, else what was after it. Without a range, two halves.
function rangesToCompare({overTime: {series}}, range) {
  const bins = series[0].length;
  const half = Math.floor(bins / 2);
  if (!range) {
    return [[0, half], [half, bins]];
  }
  return range[0] > 0 ? [[0, range[0]], range] : [[range[1], bins], range];
}

// Chooses the ranges A and B, with lists or by dragging on a chart, which calls choose.
function rangeChooser(data, ranges) {
  const listeners = [];
  const chosen = {...ranges};
  let next = 'A'; // which one dragging chooses
  const lists = {};
  const radios = [];
  const radio = (letter) => {
    const input = element('input', {type: 'radio', name: 'dragged', value: letter});
    radios.push(input);
    input.addEventListener('change', () => { next = letter; });
    return element('label', {}, input, ' choose by dragging');
  };
  const part = (letter) => {
    lists[letter] = rangeLists(data, letter, (range) => {
      chosen[letter] = range;
      update();
    });
    return element('fieldset', {}, element('legend', {}, `Range ${letter}`), ...lists[letter].parts, radio(letter));
  };
  const compare = button('Compare A with B', () => {
    location.hash = hashOf(['compare', textOfBins(data, chosen.A), textOfBins(data, chosen.B)], {measure: param('measure')});
  });
  const message = element('output');
  const form = element('div', {className: 'tools ranges'}, part('A'), part('B'), compare, message);
  form.setAttribute('role', 'group');
  form.setAttribute('aria-label', 'Compare two ranges of time, in UTC');

  function update() {
    for (const [letter, range] of Object.entries(chosen)) {
      lists[letter].show(range);
    }
    radios.forEach((input) => { input.checked = next === input.value; });
    const empty = Object.keys(chosen).find((letter) => chosen[letter][0] >= chosen[letter][1]);
    compare.disabled = empty !== undefined;
    message.value = empty === undefined ? '' : `Range ${empty} must end after it begins.`;
    listeners.forEach((listener) => listener());
  }

  update();
  return {
    form,
    ranges: () => chosen,
    onChange: (listener) => listeners.push(listener),
    choose(left, right) {
      chosen[next] = draggedRange(data, left, right);
      next = next === 'A' ? 'B' : 'A';
      update();
    },
  };
}

// Two texts as ranges. Undefined if they are not both on the chart.
function rangesOf(data, texts) {
  const [A, B] = [0, 1].map((place) => binsOf(data, texts[place]));
  return A && B ? {A, B} : undefined;
}
