import { useEffect, useMemo, useState } from 'preact/hooks';
import { type View, isOwn } from '../../figures/range.js';
import { type Sample, withLive } from '../../figures/series.js';
import { useChannel } from '../../service/live.js';
import { useRead } from '../../service/read.js';
import { type Strategy, TIMEFRAMES } from '../../service/records.js';
import { Basis } from '../common/basis.js';
import { Download } from '../common/download.js';
import { later } from '../common/later.js';
import { Panel } from '../common/panel.js';
import { Shown } from '../common/shown.js';
import { EquityChart } from './equity-chart.js';
import { RangeFigures } from './range-figures.js';

const RangeChoice = later(() => import('./range-choice.js').then((part) => part.RangeChoice));

/** The samples of a timeframe, continued by the live value. */
function useSamples(id: string, history: readonly Sample[]): readonly Sample[] {
  const live = useChannel('wsStrategyValue', id).value;
  const [added, setAdded] = useState<readonly Sample[]>([]);
  const { at, data } = live;
  useEffect(() => {
    const now = data?.strategy_value;
    if (at === undefined || now === null || now === undefined) return;
    setAdded((before) => withLive(before, { at, strategy_value: now }));
  }, [at, data]);
  return useMemo(() => {
    const end = history.at(-1)?.at ?? '';
    return [...history, ...added.filter((sample) => sample.at > end)];
  }, [history, added]);
}

const RANGES = [...TIMEFRAMES, ['all', 'All']] as const;
const NONE: readonly Sample[] = [];

/** The curve of a strategy over the chosen range, and what it is compared with. */
export function Performance(props: {
  readonly strategy: Strategy;
  readonly view: View;
  readonly onView: (view: View) => void;
}) {
  const { strategy, view, onView } = props;
  const { range, benchmark } = view;
  const [isChosen, setChosen] = useState(isOwn(range) || benchmark !== null);
  const id = strategy.strategy_id;
  const fields = { strategy_id: id, ...range };
  const key = JSON.stringify(range);
  // A timeframe rolls on, also on a page that stays open.
  const history = useRead(
    `history ${id} ${key} ${benchmark}`,
    (client) => client.getStrategyHistory({ ...fields, ...(benchmark !== null && { benchmark }) }),
    600_000,
  );
  const isWhole = 'timeframe' in range && range.timeframe === 'all';
  const claimed = useRead(isWhole && strategy.claimed ? `claimed ${id}` : null, (client) =>
    client.getStrategyHistory({ strategy_id: id, timeframe: 'all', claimed: 'true' }),
  );
  // Own dates may end before now: then the live value is not of them.
  const isLive = !isOwn(range) || range.to === undefined;
  return (
    <Panel
      title={
        <>
          Performance <Basis of={strategy.basis} />
        </>
      }
      aside={
        <div class="row choices" role="group" aria-label="Timeframe">
          {RANGES.map(([name, label]) => (
            <button
              key={name}
              type="button"
              aria-pressed={'timeframe' in range && range.timeframe === name}
              onClick={() => onView({ ...view, range: { timeframe: name } })}
            >
              {label}
            </button>
          ))}
        </div>
      }
    >
      <Shown of={history} what="the curve" height="25.9rem">
        {(samples) => (
          <Curve
            strategy={strategy}
            samples={samples}
            claimed={claimed.data ?? NONE}
            benchmark={benchmark}
            isLive={isLive}
          />
        )}
      </Shown>
      {strategy.claimed && !isWhole && (
        <p class="small quiet">
          The owner also claims a history before the record. It is under “All”, apart and labelled.
        </p>
      )}
      <RangeFigures strategy={strategy} view={view} />
      <details open={isChosen} onToggle={({ currentTarget }) => setChosen(currentTarget.open)}>
        <summary>Own dates and a benchmark</summary>
        {isChosen && <RangeChoice key={key} strategy={strategy} view={view} onView={onView} />}
      </details>
      <div class="row">
        <Download
          label="Curve as CSV"
          name={`history-${id}.csv`}
          ask={(client) =>
            client.getStrategyHistory({
              ...fields,
              ...(benchmark !== null && { benchmark }),
              format: 'csv',
            })
          }
        />
      </div>
    </Panel>
  );
}

function Curve(props: {
  readonly strategy: Strategy;
  readonly samples: readonly Sample[];
  readonly claimed: readonly Sample[];
  readonly benchmark: string | null;
  readonly isLive: boolean;
}) {
  const { strategy, claimed, benchmark } = props;
  const continued = useSamples(strategy.strategy_id, props.samples);
  return (
    <EquityChart
      label={`Value of ${strategy.name}`}
      basis={strategy.basis}
      samples={props.isLive ? continued : props.samples}
      claimed={claimed}
      benchmark={benchmark}
    />
  );
}
