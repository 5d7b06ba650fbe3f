import { exactMoment, price, value } from '../../figures/format.js';
import type { Sample } from '../../figures/series.js';
import { Basis } from '../common/basis.js';
import { Table } from '../common/table.js';

/** Every point of a chart, the newest first. */
export function PointTable(props: {
  readonly basis: string;
  readonly samples: readonly Sample[];
  readonly claimed: readonly Sample[];
  readonly benchmark: string | null;
}) {
  const { samples, claimed, benchmark } = props;
  const before = new Set(claimed);
  return (
    <Table
      label="Points of the curve"
      rows={[...claimed, ...samples].reverse()}
      keyOf={({ at }) => at}
      record={(sample) => ({
        ...sample,
        basis: before.has(sample) ? 'claimed' : props.basis,
      })}
      empty="No values yet."
      columns={[
        { name: 'Time', what: 'time', cell: ({ at }) => exactMoment(at) },
        {
          name: 'Value',
          what: 'point_value',
          isNumber: true,
          cell: (sample) => value(sample.strategy_value),
        },
        benchmark !== null && {
          name: benchmark,
          what: 'benchmark',
          isNumber: true,
          cell: ({ benchmark: close }) => price(close),
        },
        claimed.length > 0 && {
          name: 'Basis',
          what: 'basis',
          cell: (sample) => <Basis of={before.has(sample) ? 'claimed' : props.basis} />,
        },
      ]}
    />
  );
}
