import type { ResponseOf } from '@slipstream/wire';
import { useState } from 'preact/hooks';
import { useAction } from '../../service/action.js';
import { useRead } from '../../service/read.js';
import { Confirmed } from '../common/confirmed.js';
import { Failure } from '../common/form.js';
import { Panel } from '../common/panel.js';
import { Shown } from '../common/shown.js';
import { type Column, Table, Unseen } from '../common/table.js';
import { Deliveries } from './deliveries.js';
import { NewEndpoint } from './new-endpoint.js';

export type Endpoint = ResponseOf<'getEndpoints'>[number];

const KINDS = { webhook: 'Webhook', telegram: 'Telegram', discord: 'Discord' } as const;

/** Where events go: webhooks, Telegram and Discord. Each can be disabled, looked at and removed. */
export function EndpointsPanel() {
  const endpoints = useRead('endpoints', (client) => client.getEndpoints());
  const [shown, setShown] = useState<string | undefined>();
  const columns: readonly Column<Endpoint>[] = [
    {
      name: 'Goes to',
      what: 'endpoint',
      cell: ({ kind, url }) => (
        <>
          {KINDS[kind]}
          {url !== null && <div class="small quiet">{url}</div>}
        </>
      ),
    },
    {
      name: 'Events',
      what: 'events',
      class: 'small',
      isWide: true,
      cell: ({ events }) => events.join(', '),
    },
    {
      name: 'Status',
      what: 'status',
      class: 'small',
      cell: ({ status, status_reason: reason }) =>
        reason === null ? status : `${status}: ${reason}`,
    },
    {
      name: <Unseen>Do</Unseen>,
      what: null,
      cell: (endpoint) => (
        <Actions
          endpoint={endpoint}
          isShown={shown === endpoint.endpoint_id}
          onShow={() => setShown(shown === endpoint.endpoint_id ? undefined : endpoint.endpoint_id)}
          onChange={endpoints.again}
        />
      ),
    },
  ];
  return (
    <Panel title="Events to your systems">
      <NewEndpoint onMade={endpoints.again} />
      <Shown of={endpoints} what="the endpoints" height="4rem">
        {(all) => (
          <Table
            label="Endpoints"
            columns={columns}
            rows={all}
            keyOf={({ endpoint_id }) => endpoint_id}
            record={(endpoint) => ({ ...endpoint })}
            empty="Fills, refused alerts and troubles of bots can go to your own system, Telegram or Discord."
          />
        )}
      </Shown>
      {shown !== undefined && <Deliveries endpointId={shown} />}
    </Panel>
  );
}

function Actions(props: {
  readonly endpoint: Endpoint;
  readonly isShown: boolean;
  readonly onShow: () => void;
  readonly onChange: () => void;
}) {
  const { endpoint_id: endpointId, status } = props.endpoint;
  const other = status === 'active' ? 'disabled' : 'active';
  const change = useAction(
    (client, to: typeof other, options) =>
      client.updateEndpoint({ endpoint_id: endpointId, status: to }, options),
    props.onChange,
  );
  const remove = useAction(
    (client, endpoint_id: string, options) => client.deleteEndpoint({ endpoint_id }, options),
    props.onChange,
  );
  return (
    <>
      <div class="row">
        <button type="button" aria-expanded={props.isShown} onClick={props.onShow}>
          Deliveries
        </button>
        <button type="button" aria-disabled={change.isBusy} onClick={() => void change.run(other)}>
          {status === 'active' ? 'Disable' : 'Enable'}
        </button>
        <Confirmed
          label="Remove"
          confirm="Remove it"
          consequence="It is told nothing more, and what waits for it is not sent."
          isBusy={remove.isBusy}
          onConfirm={() => remove.run(endpointId)}
          isDanger
        />
      </div>
      <Failure of={change} />
      <Failure of={remove} />
    </>
  );
}
