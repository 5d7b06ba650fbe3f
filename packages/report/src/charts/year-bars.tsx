import { scaleBand, scaleLinear } from 'd3-scale';
import type { JSX } from 'preact';
import { signedPercent, toneOf } from '../format.js';
import type { YearReturn } from '../years.js';
import { WIDTH } from './frame.js';

const HEIGHT = 200;
const [TOP, BOTTOM] = [22, 44];
const WIDEST = 96;

/** A bar for the return of each year. */
export function YearBars({ years }: { readonly years: readonly YearReturn[] }): JSX.Element {
  const returns = years.map(({ growth }) => growth);
  const y = scaleLinear(
    [Math.min(0, ...returns), Math.max(0.01, ...returns)],
    [HEIGHT - BOTTOM, TOP],
  );
  const x = scaleBand(
    years.map(({ year }) => year),
    [0, Math.min(WIDTH, years.length * WIDEST)],
  ).padding(0.3);
  const label = `Returns by year: ${years.map(({ year, text }) => `${year} ${signedPercent(text)}`).join(', ')}`;
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label} class="chart">
      <line class="zero" x1={0} x2={WIDTH} y1={y(0)} y2={y(0)} />
      {years.map(({ year, growth, text }) => {
        const [left = 0, top, bottom] = [x(year), y(Math.max(growth, 0)), y(Math.min(growth, 0))];
        const middle = left + x.bandwidth() / 2;
        return (
          <g class={`bar ${toneOf(text) ?? ''}`}>
            <rect x={left} y={top} width={x.bandwidth()} height={Math.max(bottom - top, 1)} />
            <text x={middle} y={growth < 0 ? bottom + 14 : top - 6} text-anchor="middle">
              {signedPercent(text)}
            </text>
            <text class="name" x={middle} y={HEIGHT - 6} text-anchor="middle">
              {year}
            </text>
          </g>
        );
      })}
    </svg>
  );
}
