import Table from 'cli-table3';
import type { Gate } from './benchmark.js';
import type { Row } from './measure.js';

/** Four significant digits, grouped; empty for a missing figure. */
export function figureText(value: number | undefined): string {
  if (value === undefined) return '';
  const size = Math.abs(value);
  const decimals = size === 0 || size >= 1000 ? 0 : Math.min(6, 3 - Math.floor(Math.log10(size)));
  return value.toLocaleString('en-US', { maximumFractionDigits: decimals });
}

export const gateText = ({ of, is, limit }: Gate): string =>
  `${is === 'at least' ? '>=' : '<='} ${figureText(limit)}${of === 'ratio' ? 'x' : ''}`;

const cpuText = ({ cpu, baselineCpu }: Row): string =>
  cpu === undefined
    ? ''
    : baselineCpu === undefined
      ? figureText(cpu)
      : `${figureText(cpu)} / ${figureText(baselineCpu)}`;

/** The table that `pnpm bench` prints. */
export function tableText(rows: readonly Row[]): string {
  const table = new Table({
    head: [
      'benchmark',
      'measured',
      'figure',
      'baseline',
      "baseline's figure",
      'ratio',
      'gate',
      'verdict',
      'spread',
      'CPU us/op',
    ],
    colWidths: [5, 38, 12, 30, 12, 10, 11, 15, 8, 15],
    wordWrap: true,
    style: { head: [], border: [], compact: true },
  });
  for (const row of rows) {
    table.push([
      row.benchmark,
      row.what,
      figureText(row.figure),
      row.reason === undefined ? row.baseline : `${row.baseline}: ${row.reason}`,
      figureText(row.baselineFigure),
      row.ratio === undefined ? '' : `${figureText(row.ratio)}x`,
      gateText(row.gate),
      row.verdict,
      row.spread === undefined ? '' : `${Math.round(row.spread * 100)} %`,
      cpuText(row),
    ]);
  }
  return table.toString();
}
