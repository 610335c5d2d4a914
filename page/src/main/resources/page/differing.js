// Which methods two groups of requests differ in for certain, and by how much. GroupComparison.java is the same for groups by an
// amount, and docs/internals/statistics.md has the method.
const LEAST_SHARE = 0.001; // of a method whose difference is judged
const LEAST_PART = 1e-9; // of the level, for a row that does not vary

// The sums of the powers of amounts, as Spread.java has them.
class Powers {
  constructor(...sums) {
    this.sums = sums.length > 0 ? sums : [0, 0, 0];
  }

  add(amount) {
    this.sums.forEach((_, power) => { this.sums[power] += amount ** (power + 1); });
  }

  with(other) {
    return new Powers(...this.sums.map((sum, power) => sum + other.sums[power]));
  }

  mean(requests) {
    return ofRequests(this.sums[0], requests);
  }

  variance(requests) {
    return requests > 0 ? Math.max(0, this.sums[1] / requests - this.mean(requests) ** 2) : 0;
  }

  // Their cluster and skew.
  spread(requests) {
    const [sum, squares, cubes] = this.sums;
    const mean = sum / requests;
    const variance = squares / requests - mean * mean;
    const third = cubes / requests - 3 * mean * squares / requests + 2 * mean ** 3;
    return [sum === 0 ? 0 : Math.max(0, squares / sum - mean), variance > 1e-9 * mean * mean ? third / variance : 0];
  }
}

// What a group has of a method: amounts, their logarithms, which are less skewed, and the shares of the kind and of the duration.
function noPart() {
  return {amounts: new Powers(), logarithms: new Powers(), ofKind: new Powers(), ofDuration: new Powers()};
}

// Calls `receive` with a request, which is a bin, a method, a column, and what the request has of it.
function eachMethod({parent, frame, bin, node, ...slices}, frames, {name}, receive) {
  const sums = {self: new Map(), total: new Map()};
  const add = (column, of, amount) => sums[column].set(of, (sums[column].get(of) ?? 0) + amount);
  const paths = [new Set()];
  parent.forEach((above, place) => { paths[place] = place > 0 ? new Set(paths[above]).add(frame[place]) : paths[0]; });
  let request = bin[0];
  const end = () => Object.entries(sums).forEach(([column, of]) => {
    of.forEach((amount, method) => receive(request, method, column, amount));
    of.clear();
  });
  slices[name]?.forEach((amount, cell) => {
    if (bin[cell] !== request) {
      end();
      request = bin[cell];
    }
    if (amount === 0 || node[cell] === 0) {
      return;
    }
    const above = parent[node[cell]];
    add('self', frame[node[cell]], amount);
    if (isClass(frames[frame[node[cell]]]) && above > 0) {
      add('self', frame[above], amount);
    }
    paths[node[cell]].forEach((method) => add('total', method, amount));
  });
  end();
}

// By `column frame`, the ± of what group B, those bins for which `isOfB`, has more or less of than the others, and a larger or
// smaller share of. `level` is the one of each column.
function differingMethods(slices, frames, lens, isOfB, level) {
  const [a, b] = [0, 1].map(() => ({requests: 0, withKind: 0, inverseCounts: 0, methods: {self: new Map(), total: new Map()}}));
  const groupOf = isOfB.map((is) => is ? b : a);
  const sumOfBins = (values) => {
    const sums = slices.durations.map(() => 0);
    values?.forEach((value, cell) => { sums[slices.bin[cell]] += value; });
    return sums;
  };
  const kind = sumOfBins(slices[lens.name]);
  const counts = lens === CPU ? slices.samples : sumOfBins(slices[lens.counts]);
  const all = (values) => Math.max(1, values.reduce((sum, value) => sum + value, 0));
  const sample = all(kind) / all(counts);
  groupOf.forEach((group, request) => {
    group.requests++;
    if (kind[request] > 0) {
      group.withKind++;
      group.inverseCounts += 1 / Math.max(1, counts[request]);
    }
  });
  eachMethod(slices, frames, lens, (request, method, column, amount) => {
    if (sumsUp(frames[method])) {
      return;
    }
    const {methods} = groupOf[request];
    if (!methods[column].has(method)) {
      methods[column].set(method, noPart());
    }
    const part = methods[column].get(method);
    part.amounts.add(amount);
    part.logarithms.add(Math.log1p(amount / sample));
    part.ofKind.add(amount / Math.max(amount, kind[request]));
    part.ofDuration.add(amount / slices.durations[request]);
  });
  const found = new Map();
  if (lens === ALLOC || Math.min(a.requests, b.requests) < 2) {
    return found; // allocation comes in pieces so large that shares grow with the request
  }
  for (const column of ['self', 'total']) {
    for (const [one, other] of [[a, b], [b, a]]) {
      moreIn(one, other, column, lens, sample, level).forEach((plusMinus, method) => found.set(`${column} ${method}`, plusMinus));
    }
  }
  return found;
}

// The ± of the methods that group B has more of for certain, and a larger share of.
function moreIn(a, b, column, lens, sample, level) {
  // A wait that most requests of A do not have at all has no share of its kind in them.
  const byDuration = (lens === WAITING || lens === LOCK) && a.withKind * 2 < a.requests;
  const shares = byDuration ? 'ofDuration' : 'ofKind';
  const sharing = byDuration ? [a.requests, b.requests] : [a.withKind, b.withKind];
  const ofBoth = sharing[0] + sharing[1];
  const methods = [...new Set([...a.methods[column].keys(), ...b.methods[column].keys()])].sort((one, other) => one - other);
  const large = methods.map((method) => {
    const [ofA, ofB] = [a, b].map((group) => group.methods[column].get(method) ?? noPart());
    const both = Object.fromEntries(Object.entries(ofA).map(([name, powers]) => [name, powers.with(ofB[name])]));
    return {method, ofA, ofB, both, share: both[shares].mean(ofBoth), weight: Math.sqrt(both[shares].variance(ofBoth))};
  }).filter(({share}) => share > LEAST_SHARE);
  const weights = Math.max(Number.MIN_VALUE, large.reduce((sum, {weight}) => sum + weight, 0));
  const inverse = (a.inverseCounts + b.inverseCounts) / ofBoth;
  const certain = new Map();
  for (const {method, ofA, ofB, both, share, weight} of large) {
    const ofRow = level * Math.max(weight / weights, LEAST_PART);
    const judged = (name, [requestsOfA, requestsOfB], ofSample) => judge({requests: requestsOfA, amount: ofA[name].sums[0]},
      {requests: requestsOfB, amount: ofB[name].sums[0]}, both[name].spread(requestsOfA + requestsOfB), lens.independent ? ofSample : 0, ofRow);
    const requests = [a.requests, b.requests];
    const amounts = judged('amounts', requests, sample);
    const more = judged('logarithms', requests, 0);
    if (!(amounts.difference > 0) || more.chance || !(more.difference > 0) || Math.min(...sharing) < 2) {
      continue;
    }
    const larger = judged(shares, sharing, (byDuration ? share : 1 - share) * inverse);
    if (!larger.chance && larger.difference > 0 && mostOften(ofA[shares].mean(sharing[0]), ofB[shares].mean(sharing[1]), ...sharing) <= ofRow) {
      const error = Math.sqrt((ofA.amounts.variance(a.requests) / (a.requests - 1) + ofB.amounts.variance(b.requests) / (b.requests - 1)) / LEVEL);
      certain.set(method, Math.min(Math.max(amounts.plusMinus, error), amounts.difference));
    }
  }
  return certain;
}

// How often at most chance gives B such a mean share of a method, if A tells the usual one (Hoeffding).
function mostOften(meanOfA, meanOfB, sharingOfA, sharingOfB) {
  const a = Math.max(meanOfA, 1 / (sharingOfA + 2));
  const b = Math.min(meanOfB, 1); // more if threads wait at once
  if (b <= a) {
    return 1;
  }
  return Math.exp(-sharingOfB * (b * Math.log(b / a) + (b < 1 ? (1 - b) * Math.log((1 - b) / (1 - a)) : 0)));
}
