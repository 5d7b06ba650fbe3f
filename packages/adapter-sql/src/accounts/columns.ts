import {
  type AccountCode,
  type Token,
  type TokenLimits,
  type User,
  decimal,
} from '@slipstream/domain';
import type { Tally } from '@slipstream/ports';
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

export const userColumns = columnsOf<User>()({
  id: text(),
  email: text(),
  name: nullable(text()),
  nameKey: nullable(text()),
  passwordHash: text(),
  profile: json(),
  commission: integer,
  notifications: json(),
  paymentsEnabled: flag,
  verified: flag,
  confirmBy: nullable(integer),
  secondFactor: nullable(json()),
  devices: json(),
  refId: text(),
  referredBy: nullable(text()),
  createdAt: integer,
  updatedAt: integer,
  deletedAt: nullable(integer),
});

interface StoredLimits extends Pick<TokenLimits, 'maxOrdersPerDay'> {
  readonly maxNotionalPerDay: string | null;
}

const tokenLimits: Codec<TokenLimits, string> = {
  store: ({ maxNotionalPerDay, maxOrdersPerDay }) => {
    const notional = maxNotionalPerDay?.toFixed() ?? null;
    return JSON.stringify({
      maxNotionalPerDay: notional,
      maxOrdersPerDay,
    } satisfies StoredLimits);
  },
  load: (kept) => {
    const { maxNotionalPerDay: notional, maxOrdersPerDay } = JSON.parse(kept) as StoredLimits;
    return { maxNotionalPerDay: notional === null ? null : decimal(notional), maxOrdersPerDay };
  },
};

export const tokenColumns = columnsOf<Token>()({
  id: text(),
  userId: text(),
  type: text(),
  name: text(),
  scope: json(),
  strategyIds: nullable(json()),
  limits: nullable(tokenLimits),
  digest: text(),
  parentId: nullable(text()),
  createdAt: integer,
  expiresAt: nullable(integer),
  renewedByUse: flag,
  lastUsedAt: nullable(integer),
});

export const accountCodeColumns = columnsOf<AccountCode>()({
  userId: text(),
  purpose: text(),
  email: nullable(text()),
  digest: text(),
  createdAt: integer,
  expiresAt: integer,
});

/** Counts of tries, and sums of orders. */
export const tallyColumns = columnsOf<Tally>()({
  name: text(),
  count: integer,
  total: decimalAsText,
  endsAt: integer,
});

export interface AccountTables {
  readonly users: RowOf<typeof userColumns>;
  readonly tokens: RowOf<typeof tokenColumns>;
  readonly account_codes: RowOf<typeof accountCodeColumns>;
  readonly tallies: RowOf<typeof tallyColumns>;
  /** Updated by triggers, so that no write can omit it and no read has to count. */
  readonly user_figures: {
    readonly user_id: string;
    readonly strategies: number;
    readonly public_strategies: number;
    readonly subscribers: number;
    readonly posts: number;
    readonly likes: number;
  };
  /** Updated by triggers, so that no write can omit it and no read has to sum. */
  readonly user_storage: { readonly user_id: string; readonly octets: number };
}
