// Whether A and B differ by more than chance. Chance.java is the same, and docs/internals/statistics.md has the method. A side is
// {requests, amount}. A spread is how requests differ in an amount: [variance by mean, third central moment by variance].
const SIGMAS = 2; // of an amount that is not compared
const LEVEL = 0.05; // how often rows that are judged together may have a false one
const ENOUGH_REQUESTS = 100;
const MOST_CLUSTERS = 1e5;
const LANCZOS = [76.18009172947146, -86.50532032941677, 24.01409824083091, -1.231739572450155, 0.1208650973866179e-2, -0.5395239384953e-5];

// `sample` is the mean amount of a sample, 0 of samples that are not independent. `level` is the part of LEVEL that this row has.
// `needed` is how many times as many samples would tell, if the difference stayed. ± is NaN if a side has no request, or if both
// have one, which does not tell how much others differ.
function judge(a, b, spread, sample, level) {
  const difference = ofRequests(b.amount, b.requests) - ofRequests(a.amount, a.requests);
  const both = a.requests > 0 && b.requests > 0;
  if (!both || a.requests + b.requests === 2) {
    return {difference, plusMinus: NaN, chance: both || difference === 0};
  }
  const requests = a.requests + b.requests;
  const sigma = requests * Math.sqrt(varianceOf(a, b, spread, sample) / (requests - 1) / a.requests / b.requests);
  const plusMinus = sigma > 0 ? quantile(level) * sigma : 0;
  const chance = difference === 0 || !(probability(a, b, spread, sample) <= level);
  const size = Math.abs(difference);
  return {
    difference, chance,
    plusMinus: chance ? Math.max(plusMinus, size) : Math.min(plusMinus, size),
    needed: chance && difference !== 0 ? Math.max(1, plusMinus / size) ** 2 : undefined,
  };
}

// A verdict inside of what may be chance is none.
function judgedInside(above, verdict) {
  return above.chance && !verdict.chance ? {...verdict, chance: true, plusMinus: Math.max(verdict.plusMinus, Math.abs(verdict.difference))} : verdict;
}

function ofRequests(sum, requests) {
  return requests > 0 ? sum / requests : 0;
}

function varianceOf(a, b, [cluster], sample) {
  const requests = a.requests + b.requests;
  return (a.amount + b.amount) / requests * Math.max(cluster, requests < ENOUGH_REQUESTS ? sample : 0);
}

function probability(a, b, spread, sample) {
  const requests = a.requests + b.requests;
  const scatter = varianceOf(a, b, spread, sample) * requests * requests / (requests - 1);
  if (!(scatter > 0)) {
    return 1;
  }
  const least = Math.sqrt(scatter / MOST_CLUSTERS);
  const size = Math.abs(spread[1]) < least ? least : spread[1];
  const clusters = scatter / (size * size);
  const share = b.requests / requests;
  const ofB = clusters * share + (b.amount - share * (a.amount + b.amount)) / size;
  const above = (beta(share, ofB, clusters - ofB + 1) + beta(share, ofB + 1, clusters - ofB)) / 2;
  return Math.min(1, 2 * Math.min(above, 1 - above));
}

// The regularized incomplete beta function.
function beta(x, a, b) {
  if (a <= 0 || b <= 0) {
    return a <= 0 ? 1 : 0;
  }
  const factor = Math.exp(lnGamma(a + b) - lnGamma(a) - lnGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  return x < (a + 1) / (a + b + 2) ? factor * fraction(a, b, x) / a : 1 - factor * fraction(b, a, 1 - x) / b;
}

function fraction(a, b, x) {
  const notZero = (value) => Math.abs(value) < 1e-300 ? 1e-300 : value;
  let c = 1;
  let d = 1 / notZero(1 - (a + b) * x / (a + 1));
  let value = d;
  let change = 0;
  for (let m = 1; m < 10_000 && Math.abs(change - 1) > 1e-12; m++) {
    const even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    const odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    for (const step of [even, odd]) {
      d = 1 / notZero(1 + step * d);
      c = notZero(1 + step / c);
      change = c * d;
      value *= change;
    }
  }
  return value;
}

function lnGamma(x) {
  const sum = LANCZOS.reduce((all, factor, i) => all + factor / (x + i + 1), 1.000000000190015);
  return (x + 0.5) * Math.log(x + 5.5) - (x + 5.5) + Math.log(2.5066282746310005 * sum / x);
}

function quantile(level) {
  const t = Math.sqrt(-2 * Math.log(level / 2));
  return t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
}

// How so many requests of an endpoint differ in an amount and in that of its methods. Methods that are not in the data are as if
// samples came independently of each other. Frames that sum up others have the spread of the endpoint, and so do all methods if
// the data have none.
function spreadsOf({spread}, {name}, sample, requests) {
  const {whole = [sample, sample], methods} = spread?.[name] ?? {};
  const known = new Map(methods?.map(([frame, self, total]) => [frame, {self, total}]));
  return spreadsByMethod(requests, whole, ({frames}, frame, column) => known.get(frame)?.[column]
    ?? (!methods || sumsUp(frames[frame]) ? whole : [sample, sample]));
}

// What `ofMethod` knows of a method, also for the frames of the method.
function spreadsByMethod(requests, whole, ofMethod) {
  return {
    requests, whole, ofMethod,
    ofNode(graph, node) {
      if (node === 0 && !graph.ofMethod) {
        return whole;
      }
      let method = node;
      while (graph.ofCallers && graph.parent[method] >= (graph.ofMethod ? 0 : 1)) {
        method = graph.parent[method];
      }
      return ofMethod(graph, graph.frame[method], graph.ofCallers ?? 'total');
    },
  };
}

// What is after ± at an amount that is not compared, by the spread of requests and by the number of samples.
function plusMinusOf(amount, samples, requests, [cluster] = [0]) {
  return SIGMAS * Math.sqrt(amount * Math.max(ofRequests(amount, samples), requests > 1 ? cluster * requests / (requests - 1) : 0));
}
