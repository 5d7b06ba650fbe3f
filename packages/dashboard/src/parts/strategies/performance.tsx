import { useEffect, useState } from 'preact/hooks';
import type { Sample } from '../../figures/series.js';
import { useChannel } from '../../service/live.js';
import { useRead } from '../../service/read.js';
import { type Strategy, TIMEFRAMES, type Timeframe, inTimeframe } from '../../service/records.js';
import { Download } from '../common/download.js';
import { EquityChart } from './equity-chart.js';
import { Figure, Figures } from '../common/figure.js';
import { Panel } from '../common/panel.js';
import { Shown } from '../common/shown.js';
import { Change, Fall } from '../common/signed.js';
import { count } from '../../figures/format.js';

/** The most points that are added while the page is open; older ones of them leave. */
const MOST_NEW = 3_000;

/** The samples of a timeframe, continued by the live value. */
function useSamples(id: string, history: readonly Sample[]): readonly Sample[] {
  const live = useChannel('wsStrategyValue', id).value;
  const [added, setAdded] = useState<readonly Sample[]>([]);
  const { at, data } = live;
  useEffect(() => {
    const now = data?.strategy_value;
    if (at === undefined || now === null || now === undefined) return;
    setAdded((before) => {
      const last = before.at(-1)?.at;
      if (last !== undefined && last >= at) return before;
      return [...before, { at, strategy_value: now }].slice(-MOST_NEW);
    });
  }, [at, data]);
  const end = history.at(-1)?.at ?? '';
  return [...history, ...added.filter((sample) => sample.at > end)];
}

/** The curve of a strategy with its timeframes. */
export function Performance(props: {
  readonly strategy: Strategy;
  readonly timeframe: Timeframe;
  readonly onTimeframe: (timeframe: Timeframe) => void;
}) {
  const { strategy, timeframe } = props;
  const id = strategy.strategy_id;
  const history = useRead(`history ${id} ${timeframe}`, (client) =>
    client.getStrategyHistory({ strategy_id: id, timeframe }),
  );
  const figures = inTimeframe(strategy, timeframe);
  return (
    <Panel
      title="Performance"
      aside={
        <div class="row" role="group" aria-label="Timeframe">
          {TIMEFRAMES.map(([name, label]) => (
            <button
              key={name}
              type="button"
              aria-pressed={name === timeframe}
              onClick={() => props.onTimeframe(name)}
            >
              {label}
            </button>
          ))}
        </div>
      }
    >
      <Shown of={history} height="25rem">
        {(samples) => <Curve id={id} name={strategy.name} samples={samples} />}
      </Shown>
      <Figures>
        <Figure label="Return" what="From the first to the present value of the timeframe.">
          <Change of={figures?.return} />
        </Figure>
        <Figure
          label="Maximum drawdown"
          what="The deepest fall from a peak within the timeframe, of all samples."
        >
          <Fall of={figures?.max_drawdown} />
        </Figure>
        <Figure label="Rank" what="Its place among the public strategies on such prices.">
          {count(figures?.rank_top)}
        </Figure>
        <Figure label="Followers">{count(strategy.subscriber_count)}</Figure>
        <Figure label="Days of record">{strategy.age_days}</Figure>
      </Figures>
      <div class="row">
        <Download
          label="Curve as CSV"
          name={`history-${id}.csv`}
          ask={(client) => client.getStrategyHistory({ strategy_id: id, timeframe, format: 'csv' })}
        />
      </div>
    </Panel>
  );
}

function Curve(props: {
  readonly id: string;
  readonly name: string;
  readonly samples: readonly Sample[];
}) {
  const samples = useSamples(props.id, props.samples);
  return <EquityChart label={`Value of ${props.name}`} samples={samples} />;
}
