import {
  type Decimal,
  type Delivery,
  type Endpoint,
  type EndpointEvent,
  decimal,
} from '@slipstream/domain';
import type { LastTurn } from '@slipstream/ports';
import {
  type Codec,
  type RowOf,
  columnsOf,
  integer,
  json,
  nullable,
  text,
} from '../storage/codec.js';

const decimals: Codec<readonly Decimal[], string> = {
  store: (values) => JSON.stringify(values.map((value) => value.toFixed())),
  load: (kept) => (JSON.parse(kept) as string[]).map(decimal),
};

type Moved = NonNullable<EndpointEvent['moved']>;

const moved: Codec<Moved, string> = {
  store: ({ from, to }) => `${from.toFixed()} ${to.toFixed()}`,
  load: (kept) => {
    const [from = '', to = ''] = kept.split(' ');
    return { from: decimal(from), to: decimal(to) };
  },
};

export const endpointColumns = columnsOf<Endpoint>()({
  id: text(),
  userId: text(),
  tokenId: nullable(text()),
  kind: text(),
  events: json(),
  strategyIds: nullable(json()),
  valueLevels: decimals,
  status: text(),
  statusReason: nullable(text()),
  sealedTarget: text(),
  createdAt: integer,
});

export const endpointEventColumns = columnsOf<EndpointEvent>()({
  id: text(),
  name: text(),
  strategyId: nullable(text()),
  userId: nullable(text()),
  topics: json(),
  moved: nullable(moved),
  sealed: text(),
  createdAt: integer,
});

export const deliveryColumns = columnsOf<Delivery>()({
  id: text(),
  endpointId: text(),
  eventId: text(),
  event: text(),
  place: integer,
  status: text(),
  attempt: integer,
  responseStatus: nullable(integer),
  reason: nullable(text()),
  nextAt: nullable(integer),
  createdAt: integer,
});

export interface EndpointTables {
  readonly endpoints: RowOf<typeof endpointColumns> & {
    readonly due_at: number | null;
    readonly last_turn: LastTurn;
  };
  /** The topics on which an endpoint listens: what it asks for again, to be found by. */
  readonly endpoint_topics: { readonly topic: string; readonly endpoint_id: string };
  readonly endpoint_events: RowOf<typeof endpointEventColumns> & {
    /** In the order in which they were added; the database gives it. */
    readonly place: number;
    readonly addressed_to: string | null;
    readonly is_addressed: number;
  };
  readonly deliveries: RowOf<typeof deliveryColumns>;
}
