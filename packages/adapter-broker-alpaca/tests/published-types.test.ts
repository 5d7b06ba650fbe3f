import { describe, expect, it } from '@jest/globals';
import { trading } from '@alpacahq/alpaca-trade-api/rest';
import { decimal } from '@slipstream/domain';
import type { BrokerAccess } from '@slipstream/ports';
import { fetchFrom } from '@slipstream/stand-ins';
import { PAPER, PAPER_KEY, aWorld, acme } from './fixture.js';

/** A body as Alpaca's SDK, which is generated from Alpaca's published interface, reads it. */
interface Published {
  readonly path: string;
  /** The body's fields are the names of the model in snake case. */
  readonly read: (body: object) => object;
  /** Whether every field that the interface promises is there. */
  readonly isWhole: (model: object) => boolean;
}

const PUBLISHED: Readonly<Record<string, Published>> = {
  account: {
    path: '/v2/account',
    read: trading.AccountFromJSON,
    isWhole: trading.instanceOfAccount,
  },
  position: {
    path: '/v2/positions',
    read: trading.PositionFromJSON,
    isWhole: trading.instanceOfPosition,
  },
  order: {
    path: '/v2/orders?status=all',
    read: trading.OrderFromJSON,
    isWhole: trading.instanceOfOrder,
  },
  'asset of a stock': {
    path: '/v2/assets',
    read: trading.AssetsFromJSON,
    isWhole: trading.instanceOfAssets,
  },
  'asset of a coin': {
    path: '/v2/assets?asset_class=crypto',
    read: trading.AssetsFromJSON,
    isWhole: trading.instanceOfAssets,
  },
  clock: {
    path: '/v2/clock',
    read: trading.LegacyClockFromJSON,
    isWhole: trading.instanceOfLegacyClock,
  },
  activity: {
    path: '/v2/account/activities',
    read: trading.NonTradeActivitiesFromJSON,
    isWhole: trading.instanceOfNonTradeActivities,
  },
};

/** A field's name in the model; words of the language have `_` before them there. */
const camel = (name: string): string =>
  name === 'class'
    ? '_class'
    : name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The bodies that the stand-in answers for a path. */
async function bodiesAt(path: string): Promise<object[]> {
  const { standIn, account, broker } = aWorld({ filling: 0 });
  standIn.tradeByHand(account, 'ACME', 'buy', decimal('2'));
  standIn.book(account, 'CSD', '10');
  const access: BrokerAccess = {
    accountId: account.number,
    type: 'stock',
    credentials: PAPER_KEY,
    renew: async () => undefined,
  };
  await broker.place(access, {
    clientOrderId: 'a'.repeat(32),
    stock: acme,
    action: 'buy',
    amount: decimal('1'),
    limit: decimal('200'),
    closes: false,
  });
  const { host } = new URL(PAPER.url);
  const headers = {
    'apca-api-key-id': PAPER_KEY.key_id,
    'apca-api-secret-key': PAPER_KEY.secret_key,
  };
  const answer = await fetchFrom({ [host]: standIn.venue })(`https://${host}${path}`, { headers });
  const body = (await answer.json()) as object;
  return [body].flat();
}

describe("the stand-in's bodies, by the types that Alpaca publishes", () => {
  it.each(Object.entries(PUBLISHED))('%s has every promised field', async (_, published) => {
    const bodies = await bodiesAt(published.path);
    expect(bodies.length).toBeGreaterThan(0);
    for (const body of bodies)
      expect([body, published.isWhole(published.read(body))]).toEqual([body, true]);
  });

  it.each(Object.entries(PUBLISHED))('%s has no invented field', async (_, { path, read }) => {
    const known = new Set(Object.keys(read({})));
    for (const body of await bodiesAt(path))
      expect(Object.keys(body).filter((name) => !known.has(camel(name)))).toEqual([]);
  });

  it('is not satisfied by other bodies', () => {
    const { position } = PUBLISHED;
    expect(position?.isWhole(position.read({ symbol: 'ACME' }))).toBe(false);
    expect(Object.keys(position?.read({}) ?? {})).not.toContain('invented');
  });
});
