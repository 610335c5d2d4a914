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

// By `column frame`, what group B, those requests for which `isOfB`, has of a method and what the others have: {a, b}, and ± if B
// has more of it and a larger share for certain, or −± if less and a smaller one. `level` is the one of each column; without one,
// nothing is judged. `methods` has by lens what requests have: the same of the frames in `self` and in `total`.
function differingMethods({slices: {durations, bin, samples, ...slices}, methods}, lens, isOfB, level) {
  const kind = sumsOfBins(slices[lens.name] ?? [], bin, durations.length);
  const counts = lens === CPU ? samples : sumsOfBins(slices[lens.counts] ?? [], bin, durations.length);
  const all = (values) => Math.max(1, values.reduce((sum, value) => sum + value, 0));
  const sample = all(kind) / all(counts);
  const groups = [0, 1].map(() => ({requests: 0, withDuration: 0, withKind: 0, inverseCounts: 0}));
  const groupOf = isOfB.map((is) => is ? 1 : 0);
  groupOf.forEach((group, request) => {
    groups[group].requests++;
    groups[group].withDuration += durations[request] > 0 ? 1 : 0;
    if (kind[request] > 0) {
      groups[group].withKind++;
      groups[group].inverseCounts += 1 / Math.max(1, counts[request]);
    }
  });
  const parts = methods[lens.name].map(({request, amount}) => {
    const of = [noPart(), noPart()];
    amount.forEach((one, cell) => {
      const {amounts, logarithms, ofKind, ofDuration} = of[groupOf[request[cell]]];
      amounts.add(one);
      logarithms.add(Math.log1p(one / sample));
      ofKind.add(one / Math.max(one, kind[request[cell]]));
      if (durations[request[cell]] > 0) {
        ofDuration.add(one / durations[request[cell]]);
      }
    });
    return of;
  });
  const found = new Map();
  for (const column of ['self', 'total']) {
    const ofColumn = methods[lens.name].flatMap((row, place) => row[column].map((frame) => ({key: `${column} ${frame}`, of: parts[place]})));
    ofColumn.forEach(({key, of: [a, b]}) => found.set(key, {a: a.amounts.sums[0], b: b.amounts.sums[0]}));
    // Allocation comes in pieces so large that shares grow with the request.
    if (level !== undefined && lens !== ALLOC && Math.min(...groups.map(({requests}) => requests)) >= 2) {
      for (const side of [0, 1]) {
        moreIn(groups[side], groups[1 - side], ofColumn.map(({key, of}) => ({key, ofA: of[side], ofB: of[1 - side]})), lens, sample, level)
          .forEach((plusMinus, key) => { found.get(key).plusMinus = side === 0 ? plusMinus : -plusMinus; });
      }
    }
  }
  return found;
}

// The ± of the methods that group B has more of for certain, and a larger share of.
function moreIn(a, b, methods, lens, sample, level) {
  // A wait that most requests of A do not have at all has no share of its kind in them.
  const byDuration = (lens === WAITING || lens === LOCK) && a.withKind * 2 < a.requests;
  const shares = byDuration ? 'ofDuration' : 'ofKind';
  const sharing = byDuration ? [a.withDuration, b.withDuration] : [a.withKind, b.withKind];
  const ofBoth = sharing[0] + sharing[1];
  const large = methods.map(({key, ofA, ofB}) => {
    const both = Object.fromEntries(Object.entries(ofA).map(([name, powers]) => [name, powers.with(ofB[name])]));
    return {key, ofA, ofB, both, share: both[shares].mean(ofBoth), weight: Math.sqrt(both[shares].variance(ofBoth))};
  }).filter(({share}) => share > LEAST_SHARE);
  const weights = Math.max(Number.MIN_VALUE, large.reduce((sum, {weight}) => sum + weight, 0));
  const inverse = (a.inverseCounts + b.inverseCounts) / ofBoth;
  const certain = new Map();
  for (const {key, ofA, ofB, both, share, weight} of large) {
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
      certain.set(key, Math.min(Math.max(amounts.plusMinus, error), amounts.difference));
    }
  }
  return certain;
}

// How often at most chance gives one side such a mean share of a method, if the other tells the usual one: each may be of few samples.
function mostOften(ofA, ofB, sharingOfA, sharingOfB) {
  const most = Math.min(ofB, 1); // more if threads wait at once
  return Math.max(mostOftenIn(ofA, sharingOfA, most, sharingOfB), mostOftenIn(1 - most, sharingOfB, 1 - ofA, sharingOfA));
}

// However shares are distributed (Hoeffding).
function mostOftenIn(usual, requests, larger, ofLarger) {
  const of = Math.max(usual, 1 / (requests + 2));
  if (larger <= of) {
    return 1;
  }
  return Math.exp(-ofLarger * (larger * Math.log(larger / of) + (larger < 1 ? (1 - larger) * Math.log((1 - larger) / (1 - of)) : 0)));
}
