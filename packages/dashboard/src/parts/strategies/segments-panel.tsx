import { day } from '../../figures/format.js';
import { returnAt } from '../../figures/range.js';
import { useChannel } from '../../service/live.js';
import type { Strategy } from '../../service/records.js';
import { Basis } from '../common/basis.js';
import { Panel } from '../common/panel.js';
import { Change, Fall } from '../common/signed.js';
import { type Column, Table } from '../common/table.js';

/** A return up to now that was read with the strategy, moving with its value. */
export function LiveReturn(props: { readonly strategy: Strategy; readonly of: string | null }) {
  const { strategy, of } = props;
  const live = useChannel('wsStrategyValue', strategy.strategy_id).value.data;
  return <Change of={returnAt(strategy, of, live?.strategy_value)} />;
}

type Segment = Strategy['segments'][number];

const REASONS = {
  created: 'the strategy began',
  market: 'another kind of prices began',
  gap: 'the service had not run for more than seven days',
} as const;

const columnsOf = (strategy: Strategy): readonly Column<Segment>[] => [
  {
    name: 'From',
    what: 'segment_from',
    cell: ({ start, reason }) => (
      <>
        {day(start)}
        <div class="small quiet">{REASONS[reason]}</div>
      </>
    ),
  },
  {
    name: 'To',
    what: 'segment_to',
    isWide: true,
    cell: ({ end }) => (end === null ? 'now' : day(end)),
  },
  { name: 'Prices', what: 'basis', cell: ({ basis }) => <Basis of={basis} /> },
  {
    name: 'Return',
    what: 'segment_return',
    isNumber: true,
    cell: ({ return: change, jump, end }) => (
      <>
        {end === null ? <LiveReturn strategy={strategy} of={change} /> : <Change of={change} />}
        {jump !== null && (
          <div class="small quiet">
            after a jump of <Change of={jump} /> that counts nowhere
          </div>
        )}
      </>
    ),
  },
  {
    name: 'Drawdown',
    what: 'segment_drawdown',
    isNumber: true,
    cell: ({ max_drawdown: fall, earlier_max_drawdown: earlier }) => (
      <>
        <Fall of={fall} />
        {earlier !== null && (
          <div class="small quiet">
            earlier <Fall of={earlier} />
          </div>
        )}
      </>
    ),
  },
];

/** The whole record in its segments. No figure reaches across the start of one. */
export const SegmentsPanel = ({ strategy }: { readonly strategy: Strategy }) => (
  <Panel title="Segments of the record">
    <Table
      label="Segments of the record"
      columns={columnsOf(strategy)}
      rows={strategy.segments}
      keyOf={({ start }) => start}
      record={(segment) => ({ ...segment })}
      empty="The record has not begun."
    />
    <p class="small quiet">
      A new segment begins with another kind of prices, and after a pause. Statistics, ranks and
      timeframes are of the last one alone.
    </p>
  </Panel>
);
