import type { Decimal, TradingRules } from '@slipstream/domain';
import { type Clock, keptFor } from '@slipstream/ports';
import type { ExchangeApi } from './exchange-api.js';
import { Declined } from './meaning.js';
import type { Listing, Market, Venue } from './venue.js';

const DAY = 86_400_000;
const MINUTE = 60_000;
const PRICES_LAST = 10_000;

/** What the exchange trades, when and at which prices: asked for once for all accounts. */
export interface Markets {
  /** The market of the coin against dollars; undefined when the exchange has none. */
  of(code: string): Promise<Market | undefined>;
  /** The coin of the market that an order names; undefined for a market that is not against dollars. */
  codeOf(marketName: string): Promise<string | undefined>;
  session(market: Market): Promise<TradingRules['session']>;
  /** Undefined where the exchange tells none. */
  price(market: Market): Promise<Decimal | undefined>;
  /** These markets are asked about together from now on. */
  expect(markets: readonly Market[]): void;
  /** Has sessions and steps read again: an order was just refused. */
  doubt(): void;
}

/** Answers about all that was ever asked about: one request serves every account. */
function askedTogether<T>(
  clock: Clock,
  lasts: number,
  ask: (ids: readonly string[]) => Promise<ReadonlyMap<string, T>>,
) {
  const wanted = new Set<string>();
  const forget = () => keptFor<ReadonlyMap<string, T>>(clock, lasts);
  let kept = forget();
  let size = 0;
  const expect = (ids: readonly string[]): void => {
    for (const one of ids) wanted.add(one);
    if (wanted.size > size) kept = forget();
    size = wanted.size;
  };
  return {
    expect,
    forget: () => void (kept = forget()),
    of: async (id: string): Promise<T | undefined> => {
      expect([id]);
      return (await kept('', () => ask([...wanted]))).get(id);
    },
  };
}

interface MarketList {
  readonly byCode: ReadonlyMap<string, Listing>;
  readonly codes: ReadonlyMap<string, string>;
}

/** Two markets of one coin: neither is certainly the one that is meant. */
function listOf(listings: readonly Listing[]): MarketList {
  const byCode = new Map<string, Listing>();
  const several = new Set<string>();
  for (const one of listings) {
    if (byCode.has(one.code)) several.add(one.code);
    byCode.set(one.code, one);
  }
  for (const code of several) byCode.delete(code);
  const names = [...byCode.values()].flatMap(({ code, id, alias }) => [
    [id, code] as const,
    [alias, code] as const,
  ]);
  return { byCode, codes: new Map(names) };
}

/** `api` is that without a key. */
export function marketsOf(venue: Venue, api: ExchangeApi, clock: Clock): Markets {
  let daily = keptFor<MarketList>(clock, DAY);
  let readAt = -Infinity;
  const list = (): Promise<MarketList> =>
    daily('', async () => {
      readAt = clock.now();
      return listOf(await venue.markets(api));
    });
  /** A market that has gone since makes some exchanges refuse the question about all: then the list is read anew, once. */
  const ofListed =
    <T>(ask: (ids: readonly string[]) => Promise<ReadonlyMap<string, T>>) =>
    async (ids: readonly string[]): Promise<ReadonlyMap<string, T>> => {
      const askIfAny = (some: readonly string[]) => (some.length === 0 ? new Map() : ask(some));
      const listed = async (): Promise<readonly string[]> => {
        const { codes } = await list();
        return ids.filter((one) => codes.has(one));
      };
      const before = await listed();
      try {
        return await askIfAny(before);
      } catch (error) {
        if (!(error instanceof Declined)) throw error;
        daily = keptFor<MarketList>(clock, DAY);
        const left = await listed();
        if (left.length === before.length) throw error;
        return askIfAny(left);
      }
    };
  const sessions = askedTogether(
    clock,
    MINUTE,
    ofListed((ids) => venue.sessions(api, ids)),
  );
  const prices = askedTogether(
    clock,
    PRICES_LAST,
    ofListed((ids) => venue.prices(api, ids)),
  );
  return {
    of: async (code) => (await list()).byCode.get(code)?.market(),
    codeOf: async (marketName) => (await list()).codes.get(marketName),
    session: async ({ id }) => (await sessions.of(id)) ?? 'halted',
    price: ({ id }) => prices.of(id),
    expect(markets) {
      const ids = markets.map(({ id }) => id);
      sessions.expect(ids);
      prices.expect(ids);
    },
    doubt() {
      sessions.forget();
      if (clock.now() - readAt >= MINUTE) daily = keptFor<MarketList>(clock, DAY);
    },
  };
}
