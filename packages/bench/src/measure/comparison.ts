import Table from 'cli-table3';
import type { Row } from './measure.js';
import { figureText } from './table.js';

/** What a recorded run says, as `--json` printed it. */
export interface Recorded {
  readonly quick: boolean;
  readonly rows: readonly Row[];
}

/** A line of both runs. */
interface Change {
  readonly before: Row;
  readonly now: Row;
  /** What the gate judges. */
  readonly figures: readonly [before: number, now: number];
  readonly verdict: 'better' | 'worse' | 'as before';
}

const judged = ({ gate, ratio, figure }: Row): number | undefined =>
  gate.of === 'ratio' ? ratio : figure;

/** A change that is smaller than the rounds' own spread, in either run, is none. */
function changeOf(before: Row, now: Row): Change | undefined {
  const [was, is] = [judged(before), judged(now)];
  if (was === undefined || is === undefined) return undefined;
  const noise = Math.max(before.spread ?? 0, now.spread ?? 0);
  const isSame = Math.abs(is - was) <= noise * Math.abs(was);
  const isBetter = now.gate.is === 'at least' ? is > was : is < was;
  const verdict = isSame ? 'as before' : isBetter ? 'better' : 'worse';
  return { before, now, figures: [was, is], verdict };
}

/** The lines that both runs measured. */
export const changesSince = (before: readonly Row[], now: readonly Row[]): Change[] =>
  now.flatMap((row) => {
    const same = before.find(
      ({ benchmark, what }) => benchmark === row.benchmark && what === row.what,
    );
    return (same && changeOf(same, row)) ?? [];
  });

const percent = ([before, now]: Change['figures']): string =>
  before === 0 ? '' : `${now >= before ? '+' : ''}${Math.round((now / before - 1) * 100)} %`;

/** The table that `pnpm bench --compare` prints. */
export function comparisonText(before: Recorded, now: Recorded): string {
  const table = new Table({
    head: [
      'benchmark',
      'measured',
      'before',
      'now',
      'change',
      'verdict',
      'CPU us/op before',
      'now',
    ],
    colWidths: [11, 46, 12, 12, 10, 12, 12, 12],
    wordWrap: true,
    style: { head: [], border: [], compact: true },
  });
  for (const { before: recorded, now: row, figures, verdict } of changesSince(
    before.rows,
    now.rows,
  )) {
    const [was, is] = figures;
    const unit = row.gate.of === 'ratio' ? 'x' : '';
    table.push([
      row.benchmark,
      row.what,
      `${figureText(was)}${unit}`,
      `${figureText(is)}${unit}`,
      percent(figures),
      verdict,
      figureText(recorded.cpu),
      figureText(row.cpu),
    ]);
  }
  const quick = before.quick || now.quick ? '\nOne of the runs was quick.' : '';
  return `${table.toString()}${quick}`;
}
