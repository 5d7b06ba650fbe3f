import { type View, figuresIn, isOwn, spanOf } from '../../figures/range.js';
import { change, count, percent, ratio, utcDay } from '../../figures/format.js';
import { useRead } from '../../service/read.js';
import { type Strategy, inTimeframe } from '../../service/records.js';
import { Figure, Figures } from '../common/figure.js';
import { Shown } from '../common/shown.js';
import { Change, Fall } from '../common/signed.js';
import { LiveReturn } from './segments-panel.js';

/** The figures of the chosen range; of own dates and against a benchmark by the service's statistics. */
export function RangeFigures({
  strategy,
  view,
}: {
  readonly strategy: Strategy;
  readonly view: View;
}) {
  const { range, benchmark } = view;
  const known = figuresIn(strategy, range);
  const timeframe = isOwn(range) || range.timeframe === 'all' ? 'five_year' : range.timeframe;
  return (
    <>
      {known && (
        <Figures>
          <Figure label="Return" what="return">
            <LiveReturn strategy={strategy} of={known.return} />
          </Figure>
          <Figure label="Maximum drawdown" what="drawdown">
            <Fall of={known.max_drawdown} />
          </Figure>
          <Figure label="Rank" what="rank">
            {count(inTimeframe(strategy, timeframe)?.rank_top)}
          </Figure>
          <Figure label="Followers" what="followers">
            {count(strategy.subscriber_count)}
          </Figure>
          <Figure label="Days of record" what="age">
            {count(String(strategy.age_days))}
          </Figure>
        </Figures>
      )}
      {(!known || benchmark !== null) && <Asked strategy={strategy} view={view} />}
    </>
  );
}

function Asked({ strategy, view }: { readonly strategy: Strategy; readonly view: View }) {
  const { range, benchmark } = view;
  const fields = {
    strategy_id: strategy.strategy_id,
    ...spanOf(range, new Date(Date.now() - 86_400_000).toJSON()),
    ...(benchmark !== null && { benchmark }),
  };
  const statistics = useRead(`statistics ${JSON.stringify(fields)}`, (client) =>
    client.getStrategyStatistics(fields),
  );
  return (
    <Shown of={statistics} what="the figures of this range" height="4rem">
      {(all) => (
        <>
          {isOwn(range) && (
            <Figures>
              <Figure label="Return" what="range_return">
                <Change of={all.total_return.value} />
              </Figure>
              <Figure label="Maximum drawdown" what="range_drawdown">
                <Fall of={all.max_drawdown.value} />
              </Figure>
              <Figure label="Days" what="range_days">
                {utcDay(all.from)} to {utcDay(all.to)}
              </Figure>
            </Figures>
          )}
          {benchmark !== null && (
            <Figures>
              <Figure label={`Beta to ${benchmark}`} what="beta">
                {ratio(all.beta.value)}
              </Figure>
              <Figure label="Alpha a year" what="alpha">
                {change(all.alpha.value)}
              </Figure>
              <Figure label="Correlation" what="correlation">
                {ratio(all.correlation.value)}
              </Figure>
              <Figure label="Tracking" what="tracking_error">
                {percent(all.tracking.value)}
              </Figure>
            </Figures>
          )}
          {benchmark !== null && all.beta.reason !== null && (
            <p class="small quiet">{all.beta.reason}</p>
          )}
        </>
      )}
    </Shown>
  );
}
