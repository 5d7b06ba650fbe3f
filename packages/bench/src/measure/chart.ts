import type { Curve } from './benchmark.js';

const WIDTH = 720;
const HEIGHT = 320;
const LEFT = 80;
const RIGHT = 200;
const TOP = 40;
const BOTTOM = 50;
const COLOURS = ['#0b6bcb', '#c2410c', '#15803d', '#7c3aed'];

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** The powers of ten from below the smallest to above the largest value. */
function decades(values: readonly number[]): readonly [low: number, high: number] {
  const logs = values.filter((value) => value > 0).map(Math.log10);
  const [low, high] = [Math.floor(Math.min(...logs)), Math.ceil(Math.max(...logs))];
  return [low, high === low ? low + 1 : high];
}

const range = (low: number, high: number): number[] =>
  Array.from({ length: high - low + 1 }, (_, index) => low + index);

const label = (power: number): string =>
  power >= 6
    ? `${10 ** (power - 6)}M`
    : power >= 3
      ? `${10 ** (power - 3)}k`
      : String(Number((10 ** power).toPrecision(1)));

/** One chart with logarithmic axes: proportional growth has a slope of one decade per decade. */
function drawn({ name, x, y, series }: Curve, top: number): string {
  const all = series.flatMap(({ points }) => points);
  const [xLow, xHigh] = decades(all.map(([value]) => value));
  const [yLow, yHigh] = decades(all.map(([, value]) => value));
  const [right, bottom] = [WIDTH - RIGHT, HEIGHT - BOTTOM];
  const across = (log: number) => LEFT + ((log - xLow) / (xHigh - xLow)) * (right - LEFT);
  const down = (log: number) => bottom - ((log - yLow) / (yHigh - yLow)) * (bottom - TOP);
  const parts = [
    `<text x="${LEFT}" y="22" font-size="15" font-weight="bold">${escaped(name)}</text>`,
  ];
  for (const power of range(xLow, xHigh)) {
    const at = across(power).toFixed(1);
    parts.push(
      `<line x1="${at}" y1="${TOP}" x2="${at}" y2="${bottom}" stroke="#ddd"/>`,
      `<text x="${at}" y="${bottom + 18}" text-anchor="middle">${label(power)}</text>`,
    );
  }
  for (const power of range(yLow, yHigh)) {
    const at = down(power).toFixed(1);
    parts.push(
      `<line x1="${LEFT}" y1="${at}" x2="${right}" y2="${at}" stroke="#ddd"/>`,
      `<text x="${LEFT - 8}" y="${Number(at) + 4}" text-anchor="end">${label(power)}</text>`,
    );
  }
  parts.push(
    `<text x="${(LEFT + right) / 2}" y="${HEIGHT - 10}" text-anchor="middle">${escaped(x)}</text>`,
    `<text transform="translate(18 ${(TOP + bottom) / 2}) rotate(-90)" text-anchor="middle">${escaped(y)}</text>`,
  );
  series.forEach(({ name: whose, points }, index) => {
    const colour = COLOURS[index % COLOURS.length] ?? '#000';
    const placed = points.map(
      ([atX, atY]) => [across(Math.log10(atX)), down(Math.log10(atY))] as const,
    );
    const path = placed.map(([atX, atY]) => `${atX.toFixed(1)},${atY.toFixed(1)}`).join(' ');
    parts.push(
      `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>`,
      ...placed.map(
        ([atX, atY]) =>
          `<circle cx="${atX.toFixed(1)}" cy="${atY.toFixed(1)}" r="3" fill="${colour}"/>`,
      ),
      `<text x="${right + 14}" y="${TOP + 14 + index * 20}" fill="${colour}">${escaped(whose)}</text>`,
    );
  });
  return `<g transform="translate(0 ${top})">${parts.join('')}</g>`;
}

/** The growth curves, one below the other, as SVG. */
export function chartOf(curves: readonly Curve[]): string {
  const height = Math.max(1, curves.length) * HEIGHT;
  const charts = curves.map((curve, index) => drawn(curve, index * HEIGHT));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-family="sans-serif" font-size="12">`,
    '<rect width="100%" height="100%" fill="#fff"/>',
    ...charts,
    '</svg>\n',
  ].join('\n');
}
