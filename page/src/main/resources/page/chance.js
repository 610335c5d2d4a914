// What chance does to sums of samples. A number of samples n varies by √n (Poisson), so a time of n samples of a period each
// varies by √n periods, which is the root of time times period.
const SIGMAS = 2; // how many standard deviations a difference must have to be more than chance

function periodOf({amount, samples}) {
  return samples > 0 ? amount / samples : 0;
}

// The standard deviation of the difference of two times, from the time that one sample of each stands for.
function deviation(a, sampleOfA, b, sampleOfB) {
  return Math.sqrt(a * sampleOfA + b * sampleOfB);
}

// What is after ± at a time of samples that stand for one period each. 0 for no samples, of which nobody can tell.
function plusMinusOf(nanos, period) {
  return SIGMAS * deviation(nanos, period, 0, 0);
}

// By how much the mean of a value of requests varies, by the scatter of the requests. NaN if that is unknown: one request does
// not tell how much others differ from it.
function scatter({requests, amount, squares = amount === 0 ? 0 : NaN}) {
  if (requests < 2) {
    return requests === 0 ? 0 : NaN;
  }
  return Math.sqrt(Math.max(0, squares - amount ** 2 / requests) / (requests - 1) / requests);
}

// A difference with its uncertainty, whether it may be chance, and how many samples of both sides would be needed to tell,
// if the difference stayed. A difference of 0 never becomes certain, and none does with an uncertainty of NaN.
function judged(difference, sigma, samples) {
  const plusMinus = SIGMAS * sigma;
  const chance = !(Math.abs(difference) >= plusMinus) || difference === 0;
  return {
    difference, plusMinus, chance,
    needed: chance && difference !== 0 && plusMinus > 0 ? Math.round(samples * (plusMinus / difference) ** 2) : undefined,
  };
}
