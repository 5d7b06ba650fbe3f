import type { Strategy, Subscription } from '@slipstream/domain';
import {
  type RowOf,
  columnsOf,
  decimalAsText,
  flag,
  integer,
  json,
  nullable,
  text,
} from '../storage/codec.js';

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
