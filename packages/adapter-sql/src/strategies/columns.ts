import {
  type OwnerTrades,
  type Segment,
  type SegmentEnd,
  type Strategy,
  type Subscription,
  decimal,
} from '@slipstream/domain';
import {
  type Codec,
  type RowOf,
  columnsOf,
  decimalAsText,
  flag,
  integer,
  json,
  nullable,
  text,
} from '../storage/codec.js';

interface StoredEnd extends Pick<SegmentEnd, 'at'> {
  readonly value: string;
  readonly maxDrawdown: string;
}

interface StoredSegment extends Pick<Segment, 'kind' | 'reason' | 'startedAt'> {
  readonly startValue: string;
  readonly jump: string | null;
  readonly end: StoredEnd | null;
}

const storedEnd = ({ at, value, maxDrawdown }: SegmentEnd): StoredEnd => ({
  at,
  value: value.toFixed(),
  maxDrawdown: maxDrawdown.toFixed(),
});

const loadedEnd = ({ at, value, maxDrawdown }: StoredEnd): SegmentEnd => ({
  at,
  value: decimal(value),
  maxDrawdown: decimal(maxDrawdown),
});

const segments: Codec<Strategy['segments'], string> = {
  store: (list) =>
    JSON.stringify(
      list.map(({ kind, reason, startedAt, startValue, jump, end }): StoredSegment => ({
        kind,
        reason,
        startedAt,
        startValue: startValue.toFixed(),
        jump: jump && jump.toFixed(),
        end: end && storedEnd(end),
      })),
    ),
  load: (kept) => {
    const [first, ...others] = (JSON.parse(kept) as StoredSegment[]).map(
      ({ startValue, jump, end, ...segment }): Segment => ({
        startValue: decimal(startValue),
        jump: jump === null ? null : decimal(jump),
        end: end && loadedEnd(end),
        ...segment,
      }),
    );
    if (!first) throw new Error('a strategy has no segment');
    return [first, ...others];
  },
};

type StoredOwnerTrades = Omit<OwnerTrades, 'share'> & { readonly share: string };

const ownerTrades: Codec<OwnerTrades, string> = {
  store: ({ share, ...rest }) =>
    JSON.stringify({ ...rest, share: share.toFixed() } satisfies StoredOwnerTrades),
  load: (kept) => {
    const { share, ...rest } = JSON.parse(kept) as StoredOwnerTrades;
    return { share: decimal(share), ...rest };
  },
};

export const strategyColumns = columnsOf<Strategy>()({
  id: text(),
  productId: text(),
  userId: text(),
  type: text(),
  private: flag,
  name: text(),
  description: text(),
  categories: json(),
  price: integer,
  invitedUserIds: json(),
  createdAt: integer,
  updatedAt: integer,
  belowZeroFor: integer,
  endedAt: nullable(integer),
  deletedAt: nullable(integer),
  endUnderWay: nullable(json()),
  segments,
  segmentOpening: nullable(json()),
  ownerTrades: nullable(ownerTrades),
  claimed: nullable(json()),
  alertWatch: nullable(integer),
  alertDueAt: nullable(integer),
});

export const subscriptionColumns = columnsOf<Subscription>()({
  id: text(),
  strategyId: text(),
  userId: text(),
  relation: text(),
  status: text(),
  statusReason: nullable(text()),
  price: integer,
  inputValue: nullable(decimalAsText),
  inputDate: nullable(integer),
  inputMultiplier: nullable(decimalAsText),
  renewsAt: nullable(integer),
  endsAt: nullable(integer),
  createdAt: integer,
  updatedAt: integer,
});

export interface StrategyTables {
  readonly strategies: RowOf<typeof strategyColumns>;
  readonly subscriptions: RowOf<typeof subscriptionColumns>;
}
