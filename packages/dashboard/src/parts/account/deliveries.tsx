import type { ResponseOf } from '@slipstream/wire';
import { useState } from 'preact/hooks';
import { moment } from '../../figures/format.js';
import { useAction } from '../../service/action.js';
import { useReadSince } from '../../service/read.js';
import { Failure } from '../common/form.js';
import { More } from '../common/more.js';
import { Shown } from '../common/shown.js';
import { type Column, Table, Unseen } from '../common/table.js';

type Delivery = ResponseOf<'getDeliveries'>[number];

const stateOf = ({ status, reason, next_at: nextAt }: Delivery): string => {
  const why = reason === null ? status : `${status}: ${reason}`;
  return status === 'retrying' && nextAt !== null ? `${why}, again at ${moment(nextAt)}` : why;
};

/** How many deliveries are shown at first, and at most. */
const [FEW, MOST] = [20, 100];

/** What was sent to an endpoint last; each message can be sent again. */
export function Deliveries(props: { readonly endpointId: string }) {
  const { endpointId } = props;
  const [limit, setLimit] = useState(FEW);
  // More of them take their place below those that are there.
  const deliveries = useReadSince(
    limit,
    `deliveries ${endpointId}`,
    (client) => client.getDeliveries({ endpoint_id: endpointId, limit }),
    5_000,
  );
  const columns: readonly Column<Delivery>[] = [
    { name: 'At', what: 'time', class: 'small', cell: (delivery) => moment(delivery.created_at) },
    { name: 'Event', what: 'event', cell: ({ event }) => event },
    {
      name: 'Attempts',
      what: 'attempts',
      isNumber: true,
      isWide: true,
      cell: ({ attempt }) => attempt,
    },
    { name: 'State', what: 'status', class: 'small', cell: stateOf },
    {
      name: <Unseen>Retry</Unseen>,
      what: null,
      cell: ({ delivery_id: id }) => <Retry deliveryId={id} onRetry={deliveries.again} />,
    },
  ];
  return (
    <Shown of={deliveries} what="the deliveries" height="4rem">
      {(all) => (
        <>
          <Table
            label="Deliveries"
            columns={columns}
            rows={all}
            keyOf={({ delivery_id }) => delivery_id}
            record={(delivery) => ({ ...delivery })}
            empty="Nothing was sent in the last 30 days."
          />
          <More
            is={all.length >= limit}
            onMore={limit < MOST && (() => setLimit(MOST))}
            said={`The latest ${MOST}.`}
          />
        </>
      )}
    </Shown>
  );
}

function Retry(props: { readonly deliveryId: string; readonly onRetry: () => void }) {
  const retry = useAction(
    (client, delivery_id: string, options) => client.retryDelivery({ delivery_id }, options),
    props.onRetry,
  );
  return (
    <>
      <button
        type="button"
        aria-disabled={retry.isBusy}
        onClick={() => void retry.run(props.deliveryId)}
      >
        Send again
      </button>
      <Failure of={retry} />
    </>
  );
}
