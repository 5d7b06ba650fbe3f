import { count, monthly, value } from '../../figures/format.js';
import { useChannel } from '../../service/live.js';
import { type Strategy, TIMEFRAMES, type Timeframe, inTimeframe } from '../../service/records.js';
import { Basis } from '../common/basis.js';
import { Change, Fall } from '../common/signed.js';
import { type Column, Table, Unseen } from '../common/table.js';

/** The timeframes whose returns are always there on a wide screen. */
const SHOWN: readonly Timeframe[] = ['day', 'month', 'year'];

/** How many values move: a connection has 100 channels, and the page needs some for others. */
const MOST_LIVE = 90;

/** The value of a strategy, as it moves or as it was read. */
export function LiveValue(props: { readonly strategy: Strategy; readonly isStill?: boolean }) {
  const { strategy, isStill } = props;
  const live = useChannel('wsStrategyValue', isStill ? null : strategy.strategy_id).value.data;
  return <>{value(live ? live.strategy_value : strategy.strategy_value)}</>;
}

function Name({ strategy }: { readonly strategy: Strategy }) {
  return (
    <>
      <a href={`/strategies/${strategy.strategy_id}`}>
        <b>{strategy.name}</b>
      </a>
      <div class="small quiet">
        {strategy.type === 'stock' ? 'stocks' : 'coins'}
        {strategy.owner.name !== null && ` by ${strategy.owner.name}`}
        {strategy.private && ' · private'}
        {strategy.ended_at !== null && ' · ended'} <Basis of={strategy.basis} />
      </div>
    </>
  );
}

const columns = (
  timeframe: Timeframe,
  isStill: (strategy: Strategy) => boolean,
): readonly Column<Strategy>[] => [
  { name: 'Strategy', what: 'strategy', cell: (strategy) => <Name strategy={strategy} /> },
  {
    name: 'Value',
    what: 'value',
    isNumber: true,
    cell: (strategy) => <LiveValue strategy={strategy} isStill={isStill(strategy)} />,
  },
  ...TIMEFRAMES.filter(([name]) => name === timeframe || SHOWN.includes(name)).map(
    ([name, label]): Column<Strategy> => ({
      name: label,
      what: 'return',
      isNumber: true,
      isWide: name !== timeframe,
      cell: (strategy) => <Change of={inTimeframe(strategy, name)?.return} />,
    }),
  ),
  {
    name: 'Drawdown',
    what: 'drawdown',
    isNumber: true,
    isWide: true,
    cell: (strategy) => <Fall of={inTimeframe(strategy, timeframe)?.max_drawdown} />,
  },
  {
    name: 'Rank',
    what: 'rank',
    isNumber: true,
    isWide: true,
    cell: (strategy) => count(inTimeframe(strategy, timeframe)?.rank_top),
  },
  {
    name: 'Followers',
    what: 'followers',
    isNumber: true,
    isWide: true,
    cell: ({ subscriber_count: followers }) => count(followers),
  },
  {
    name: 'Days',
    what: 'age',
    isNumber: true,
    isWide: true,
    cell: ({ age_days: days }) => count(String(days)),
  },
  { name: 'Month', what: 'price_a_month', isNumber: true, cell: ({ price }) => monthly(price) },
];

/** A strategy in a file, with the figures of its timeframes beside each other. */
export const recordOf = ({ owner, timeframes, segments: _, ...strategy }: Strategy) => ({
  ...strategy,
  owner: owner.name,
  ...Object.fromEntries(
    timeframes.flatMap(({ timeframe, ...figures }) =>
      Object.entries(figures).map(([name, figure]) => [`${name}_${timeframe}`, figure]),
    ),
  ),
});

/** Strategies as rows. The columns that matter most are there on a phone too. */
export function StrategiesTable(props: {
  readonly strategies: readonly Strategy[];
  readonly timeframe: Timeframe;
  readonly chosen?: readonly string[];
  readonly onChoose?: (strategy: Strategy) => void;
}) {
  const { chosen, onChoose } = props;
  const still = new Set(props.strategies.slice(MOST_LIVE));
  return (
    <Table
      label="Strategies"
      rows={props.strategies}
      keyOf={({ strategy_id }) => strategy_id}
      record={recordOf}
      empty="No strategies."
      columns={[
        ...columns(props.timeframe, (strategy) => still.has(strategy)),
        onChoose !== undefined && {
          name: <Unseen>Compare</Unseen>,
          what: null,
          class: 'choose',
          cell: (strategy) => (
            <input
              type="checkbox"
              aria-label={`Compare ${strategy.name}`}
              checked={chosen?.includes(strategy.strategy_id) ?? false}
              onChange={() => onChoose(strategy)}
            />
          ),
        },
      ]}
    />
  );
}
