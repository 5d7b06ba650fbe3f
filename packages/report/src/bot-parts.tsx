import type { BotReportContent, ReportBenchmark, SeriesPoint } from '@slipstream/domain';
import type { JSX } from 'preact';
import { fallCurve, valueCurve } from './charts/curves.js';
import { shortTime } from './format.js';
import type { Parts } from './parts.js';
import { AccountFigures, BotHeading, Flows, Orders, Tracking } from './sections/account.js';
import { Drawdowns } from './sections/drawdowns.js';
import { Months } from './sections/months.js';
import { yearsOf } from './years.js';

/** The target's daily values as closes beside the account's. */
const targetBeside = (target: readonly SeriesPoint[]): ReportBenchmark | null =>
  target.length > 1
    ? { name: 'Target', closes: new Map(target.map(({ date, value }) => [date, Number(value)])) }
    : null;

interface ValueProps {
  readonly curve: JSX.Element;
  readonly hasTarget: boolean;
}

const Value = ({ curve, hasTarget }: ValueProps): JSX.Element => (
  <section>
    <h2>Account and target</h2>
    <p class="legend quiet">
      <span class="key curve">Account without flows</span>
      {hasTarget && <span class="key benchmark">Target, scaled to the same start</span>}
      <span>Last readings of each day (UTC). The account starts at 1.</span>
    </p>
    {curve}
  </section>
);

const Falls = ({ curve }: { readonly curve: JSX.Element }): JSX.Element => (
  <section>
    <h2>Below the highest close</h2>
    {curve}
  </section>
);

const About = ({ content: { at } }: { readonly content: BotReportContent }): JSX.Element => (
  <footer>
    <h2>About this report</h2>
    <ul>
      <li>
        It is computed of the readings of the account and of the orders of the bot that the service
        keeps. getBotStatistics, getBotHistory and getBotOrders answer them.
      </li>
      <li>Made at {shortTime(at)} UTC.</li>
    </ul>
  </footer>
);

/** The parts of the report of a bot. */
export function* botParts(content: BotReportContent): Parts {
  const { statistics, flows, orders } = content;
  const { account, target } = statistics.series;
  yield <BotHeading content={content} />;
  if (account.length > 1) {
    const benchmark = targetBeside(target);
    const curve = yield* valueCurve({ name: 'the account', series: account, benchmark });
    yield <Value curve={curve} hasTarget={benchmark !== null} />;
    yield <Falls curve={yield* fallCurve({ series: account })} />;
  }
  if (statistics.monthly.length > 0) yield <Months years={yearsOf(statistics.monthly)} />;
  yield <Tracking tracking={statistics.tracking} />;
  yield <Drawdowns statistics={statistics} />;
  yield <AccountFigures statistics={statistics} />;
  yield <Flows flows={flows} />;
  yield <Orders orders={orders} />;
  yield <About content={content} />;
}
