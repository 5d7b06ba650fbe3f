import { percent, ratio, utcDay } from '../../figures/format.js';
import { DEFINITIONS } from '../../figures/definitions.js';
import { useRead } from '../../service/read.js';
import type { Statistics, Strategy } from '../../service/records.js';
import { Basis } from '../common/basis.js';
import { Download } from '../common/download.js';
import { Figure, Figures } from '../common/figure.js';
import { Panel } from '../common/panel.js';
import { Shown } from '../common/shown.js';
import { Change } from '../common/signed.js';
import { MonthsPanel } from './months-panel.js';

/** The statistics of a strategy's record, each with its definition, and its months. */
export function StatisticsPanel({ strategy }: { readonly strategy: Strategy }) {
  const id = strategy.strategy_id;
  const statistics = useRead(
    `statistics ${id}`,
    (client) => client.getStrategyStatistics({ strategy_id: id }),
    600_000,
  );
  return (
    <Shown of={statistics} what="the statistics" height="20rem">
      {(all) => (
        <>
          <Panel title="Statistics" aside={<Basis of={all.basis} />}>
            <p class="small quiet">
              {all.from === null
                ? 'Statistics begin with the first whole day (UTC).'
                : `Days of ${utcDay(all.from)} to ${utcDay(all.to)} (UTC). Press a name for its definition.`}{' '}
              {all.disclosure}
            </p>
            <Figures>
              {DEFINITIONS.map(({ name, label, form }) => {
                const figure = all[name];
                const why =
                  figure.value === null && figure.reason !== null ? ` ${figure.reason}` : '';
                return (
                  <Figure key={name} label={label} what={name} more={`Of ${figure.n}.${why}`}>
                    {form(figure.value)}
                  </Figure>
                );
              })}
            </Figures>
            <RoundTrips of={all} />
            <div class="row">
              <Download
                label="Statistics as CSV"
                name={`statistics-${id}.csv`}
                ask={(client) => client.getStrategyStatistics({ strategy_id: id, format: 'csv' })}
              />
              <Download
                label="Report as a page"
                name={`report-${id}.html`}
                ask={(client) => client.getReport({ strategy_id: id })}
              />
            </div>
          </Panel>
          {all.monthly.length > 0 && <MonthsPanel of={all} />}
        </>
      )}
    </Shown>
  );
}

function RoundTrips({ of }: { readonly of: Statistics }) {
  const { all } = of.round_trips;
  if (all.count.value === null || all.count.value === '0')
    return <p class="small quiet">No position was opened and closed again yet.</p>;
  return (
    <Figures>
      <Figure label="Round trips" what="round_trips">
        {all.count.value}
      </Figure>
      <Figure label="Won" what="win_rate">
        {percent(all.win_rate.value)}
      </Figure>
      <Figure label="Profit factor" what="profit_factor">
        {ratio(all.profit_factor.value)}
      </Figure>
      <Figure label="Average win" what="average_win">
        <Change of={all.average_win.value} />
      </Figure>
      <Figure label="Average loss" what="average_loss">
        <Change of={all.average_loss.value} />
      </Figure>
      <Figure label="Days held" what="average_days">
        {ratio(all.average_days.value)}
      </Figure>
    </Figures>
  );
}
