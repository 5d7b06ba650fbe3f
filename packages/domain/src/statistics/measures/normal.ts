const ROOT_OF_TWO_PI = Math.sqrt(2 * Math.PI);
const density = (x: number): number => Math.exp((-x * x) / 2) / ROOT_OF_TWO_PI;

/** Below it the series is the better one, above it the continued fraction: each is good to 12 digits there. */
const MIDDLE = 2.5;
/** Steps of the continued fraction; the next one changes no digit from the middle on. */
const STEPS = 80;

/** The part between zero and `x`, by its series (Abramowitz and Stegun 26.2.11). */
function centre(x: number): number {
  let [sum, term] = [x, x];
  for (let odd = 3, before = 0; sum !== before; odd += 2) {
    before = sum;
    term *= (x * x) / odd;
    sum += term;
  }
  return sum * density(x);
}

/** The part of the standard normal distribution beyond `x`, which is not negative (the fraction: 26.2.14). */
function tail(x: number): number {
  if (x < MIDDLE) return 0.5 - centre(x);
  let fraction = x;
  for (let step = STEPS; step > 0; step -= 1) fraction = x + step / fraction;
  return density(x) / fraction;
}

/** The probability that a standard normal variable is at most `x`, to 12 digits also where it is small. */
export const normalProbability = (x: number): number => (x > 0 ? 1 - tail(x) : tail(-x));

/** Beyond this the tail is zero in doubles. */
const FARTHEST = 40;

/** The inverse of `normalProbability`: by halving, because it is asked for a few times only. */
export function normalQuantile(probability: number): number {
  const part = Math.min(probability, 1 - probability);
  let [near, far] = [0, FARTHEST];
  for (let middle = far / 2; middle > near && middle < far; middle = (near + far) / 2) {
    if (tail(middle) > part) near = middle;
    else far = middle;
  }
  return probability < 0.5 ? -near : near;
}
