import Table from 'cli-table3';
import type { Curve } from '../measure/benchmark.js';
import { figureText } from '../measure/table.js';
import type { Grown } from './dimension.js';

type Point = readonly [size: number, figure: number];

/** The figures of one cost by size. A figure of 0 or less was too small to measure and is left out. */
const pointsOf = ({ measured }: Grown, cost: number): Point[] =>
  measured.flatMap((one) => {
    const figure = 'figures' in one ? one.figures[cost] : undefined;
    return figure !== undefined && figure > 0 ? [[one.size, figure] as const] : [];
  });

/** The growth of size and cost from the first to the last point, as factors. */
interface Growth {
  readonly first: Point;
  readonly last: Point;
  readonly ofSize: number;
  readonly ofCost: number;
  /** 0 if the cost is constant, 1 if it grows in proportion to the size. */
  readonly exponent: number;
}

function growthOf(points: readonly Point[]): Growth | undefined {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || first === last) return undefined;
  const [ofSize, ofCost] = [last[0] / first[0], last[1] / first[1]];
  return { first, last, ofSize, ofCost, exponent: Math.log(ofCost) / Math.log(ofSize) };
}

/** The error of an exponent from the machine and other processes: at 100 times the size a constant cost may look doubled. */
const TOLERANCE = 0.15;

const shapeText = (exponent: number): string =>
  exponent < -TOLERANCE
    ? 'does not grow'
    : exponent <= TOLERANCE
      ? 'hardly grows'
      : exponent < 1 - TOLERANCE
        ? 'grows more slowly'
        : exponent <= 1 + TOLERANCE
          ? 'grows in proportion'
          : 'grows faster';

const allowed = { not: TOLERANCE, 'in proportion': 1 + TOLERANCE } as const;

const times = (ratio: number): string => `${figureText(Number(ratio.toPrecision(2)))}x`;

const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** The measured shape of one cost and its explanation; undefined with fewer than two usable sizes. */
function sentence(grown: Grown, index: number): string | undefined {
  const cost = grown.dimension.costs[index];
  const growth = growthOf(pointsOf(grown, index));
  if (!cost || !growth) return undefined;
  const { ofSize, ofCost, exponent } = growth;
  const link = exponent <= allowed[cost.grows] ? 'because' : 'although';
  const figures = `${times(ofCost)} with ${times(ofSize)} the ${grown.dimension.id}`;
  return `${capitalized(cost.name)} ${shapeText(exponent)} (${figures}), ${link} ${cost.why}.`;
}

/** A sentence for each cost. */
export const growthSentences = (grown: Grown): string[] =>
  grown.dimension.costs.flatMap((_, index) => sentence(grown, index) ?? []);

/** A table with a row for each cost, a column for each size and the growth from first to last size; below it the explanations. */
export function growthTable(grown: Grown): string {
  const { title, costs } = grown.dimension;
  const table = new Table({
    head: [title, ...grown.measured.map(({ size }) => size.toLocaleString('en-US')), 'growth'],
    colAligns: ['left', ...grown.measured.map(() => 'right' as const), 'right'],
    style: { head: [], border: [], compact: true },
  });
  costs.forEach(({ name, unit }, index) => {
    const growth = growthOf(pointsOf(grown, index));
    table.push([
      `${name}, ${unit}`,
      ...grown.measured.map((one) =>
        'figures' in one ? figureText(one.figures[index]) : 'not measured',
      ),
      growth ? times(growth.ofCost) : '',
    ]);
  });
  const reasons = grown.measured.flatMap((one) =>
    'reason' in one ? [`${one.size.toLocaleString('en-US')}: ${one.reason}`] : [],
  );
  return [table.toString(), ...reasons, ...growthSentences(grown)].join('\n');
}

/** One chart for all costs with the same unit. */
export function growthCurves(grown: Grown): Curve[] {
  const { id, title, costs } = grown.dimension;
  const units = [...new Set(costs.map(({ unit }) => unit))];
  return units.flatMap((unit) => {
    const series = costs
      .map(({ name, unit: own }, index) => ({ name, own, points: pointsOf(grown, index) }))
      .filter(({ own, points }) => own === unit && points.length > 0)
      .map(({ name, points }) => ({ name, points }));
    return series.length === 0 ? [] : [{ name: `${title}: ${unit}`, x: id, y: unit, series }];
  });
}
