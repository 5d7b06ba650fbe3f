import type { Decimal, TradingRules } from '@slipstream/domain';
import { type Clock, keptFor } from '@slipstream/ports';
import type { ExchangeApi } from './exchange-api.js';
import type { Market, Venue } from './venue.js';

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
  /** Has the sessions read again: an order was just refused. */
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
  readonly byCode: ReadonlyMap<string, Market>;
  readonly byName: ReadonlyMap<string, string>;
}

/** Two markets of one coin: neither is certainly the one that is meant. */
function listOf(markets: readonly Market[]): MarketList {
  const byCode = new Map<string, Market>();
  const several = new Set<string>();
  for (const market of markets) {
    if (byCode.has(market.code)) several.add(market.code);
    byCode.set(market.code, market);
  }
  for (const code of several) byCode.delete(code);
  const names = [...byCode.values()].flatMap(({ code, id, alias }) => [
    [id, code] as const,
    [alias, code] as const,
  ]);
  return { byCode, byName: new Map(names) };
}

/** `api` is that without a key. */
export function marketsOf(venue: Venue, api: ExchangeApi, clock: Clock): Markets {
  const daily = keptFor<MarketList>(clock, DAY);
  const list = (): Promise<MarketList> => daily('', async () => listOf(await venue.markets(api)));
  const sessions = askedTogether(clock, MINUTE, (ids) => venue.sessions(api, ids));
  const prices = askedTogether(clock, PRICES_LAST, (ids) => venue.prices(api, ids));
  return {
    of: async (code) => (await list()).byCode.get(code),
    codeOf: async (marketName) => (await list()).byName.get(marketName),
    session: async ({ id }) => (await sessions.of(id)) ?? 'halted',
    price: ({ id }) => prices.of(id),
    expect(markets) {
      const ids = markets.map(({ id }) => id);
      sessions.expect(ids);
      prices.expect(ids);
    },
    doubt: sessions.forget,
  };
}
