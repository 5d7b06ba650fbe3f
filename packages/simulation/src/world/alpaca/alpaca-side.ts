import {
  type Decimal,
  type Stock,
  type StockAction,
  ZERO,
  decimal,
  max,
  min,
} from '@slipstream/domain';
import type { Clock, TradingHours } from '@slipstream/ports';
import {
  type AlpacaAccount,
  type AlpacaAsset,
  type AlpacaOrder,
  type AlpacaStandIn,
  type Venue,
  alpacaStandIn,
} from '@slipstream/stand-ins';
import { type Accounts, type KeptOrder, type SideOptions, amountByHand } from '../accounts.js';
import { STOCKS } from '../stocks.js';
import { kept as keptAmount, ownersParts } from './owners-parts.js';
import { type SplitsBetween, splitsBetween } from './splits-between.js';
import type { TrueMarket } from '../true-market.js';
import { type VenueTroubles, venueTroubles } from './venue-troubles.js';
import type { VenueTrouble } from '../../story/story.js';

/** Alpaca as its stand-in imitates it, with the story's time and prices. */
export interface AlpacaSide
  extends Accounts, SplitsBetween, Pick<VenueTroubles, 'endTroubles' | 'isBeyond'> {
  readonly name: 'alpaca_paper';
  readonly standIn: AlpacaStandIn;
  /** Without network faults. */
  readonly venue: Venue;
  /** Its own records of the accounts. */
  venueAccounts(): readonly AlpacaAccount[];
  /** The key of a new account. */
  newKey(): Readonly<Record<string, string>>;
  /** So much of each holding must stay, whatever the bot does: the owner had it before the bot, less what he sold since. */
  owned(accountId: string): ReadonlyMap<string, Decimal>;
  /** The most that may be the owner's of each holding: what was there before the bot, and what he bought since. */
  mostOwned(accountId: string): ReadonlyMap<string, Decimal>;
  /** A corporate action is in force: Alpaca applies it by itself, at once unless it is told otherwise. */
  takesEffect(action: Pick<StockAction, 'kind' | 'figure'> & { readonly stockId: string }): void;
  /** Stocks that had a new symbol, with the last one, which one side may not have yet. */
  readonly renamed: Map<string, string>;
  /** The symbol of the stock. */
  symbolOf(stockId: string): string;
  /** The stock has another symbol there from now on. */
  rename(stockId: string, symbol: string): void;
  /** Something happens to the account or the stock without anybody's order. Returns whether it did. */
  trouble(what: VenueTrouble, accountId: string, stockId: string): boolean;
  /** Whether a split of any stock has reached one side alone. */
  betweenAny(): boolean;
}

/** How long orders take to fill, and to be cancelled. */
const [FILLING, CANCELLING] = [500, 400];
const COIN_FEE = decimal('0.0025');

/** Something that the service does not list. */
const UNLISTED = { symbol: 'KO', bid: '60', ask: '60.1', exchange: 'NYSE' };
const UNLISTED_ID = 'alpaca:KO';

/** What the owners of the first accounts hold, and of the next ones again. */
const HOLDINGS: readonly Readonly<Record<string, string>>[] = [
  { MSFT: '3', KO: '2', 'BTC/USD': '0.02' },
  {},
  { AAPL: '5', FUND: '0.7', 'DOGE/USD': '4000' },
];

const symbolOf = ({ security, symbol, stock }: Stock): string =>
  security === 'stock' ? symbol : `${stock}/USD`;

const statusOf = ({ status }: AlpacaOrder): KeptOrder['status'] => {
  if (status === 'filled' || status === 'rejected') return status;
  return ['canceled', 'expired', 'replaced'].includes(status) ? 'cancelled' : 'open';
};

const BY_HAND = 'by-hand-';
const KEY_HEADER = 'apca-api-key-id';

interface AlpacaSideOptions extends SideOptions {
  /** What is known here of an order's fills. */
  readonly knownFill: (clientOrderId: string) => string | undefined;
  /** The time at the venue, which goes on when the service's clock is set back. */
  readonly now: () => number;
}

export function alpacaSide(
  clock: Clock,
  market: TrueMarket,
  hours: TradingHours,
  { strict, manners, now: venueNow, knownFill }: AlpacaSideOptions,
): AlpacaSide {
  const standIn = alpacaStandIn({
    now: venueNow,
    filling: manners.includes('accepts_first') ? FILLING : 0,
    cancelling: manners.includes('slow_cancel') ? CANCELLING : 0,
    coinFee: manners.includes('fee_in_asset') ? COIN_FEE : ZERO,
  });
  const stockIds = new Map<AlpacaAsset, string>();
  const assets = new Map<string, AlpacaAsset>();
  for (const [stock, price] of STOCKS) {
    const isStock = stock.security === 'stock';
    const asset = standIn.addAsset({
      symbol: symbolOf(stock),
      bid: price,
      ask: price,
      priceIncrement: '0.000001',
      fractionable: !(isStock && strict),
    });
    stockIds.set(asset, stock.id);
    assets.set(stock.id, asset);
  }
  stockIds.set(standIn.addAsset(UNLISTED), UNLISTED_ID);
  const accounts = new Map<string, AlpacaAccount>();
  const owners = ownersParts();
  /** The stocks that were traded by hand since the positions were asked for, by key. */
  const unread = new Map<string, Set<string>>();
  const unreadOf = (keyId: string): Set<string> => {
    const found = unread.get(keyId) ?? new Set();
    unread.set(keyId, found);
    return found;
  };
  const [[first]] = STOCKS as readonly [readonly [Stock, string]];

  /** The venue has the prices and the session of this moment. */
  const now = (): void => {
    for (const [asset, stockId] of stockIds) {
      const quote = market.latest(stockId);
      const inNew = (price: Decimal): Decimal => splits.inNewShares(stockId, price);
      if (quote) Object.assign(asset, { bid: inNew(quote.bid), ask: inNew(quote.ask) });
    }
    splits.bringShares();
    if (hours.sessionAt(first, clock.now())) standIn.openMarket();
    else standIn.closeMarket();
  };

  /** The holding in new shares: `part` of it is from before the split. */
  const splitHolding = (
    number: string,
    asset: AlpacaAsset,
    ratio: Decimal,
    part: Decimal,
  ): void => {
    const account = accounts.get(number);
    const stockId = stockIds.get(asset) ?? asset.symbol;
    const more = keptAmount(part.times(ratio)).minus(part);
    if (account && !more.eq(ZERO))
      standIn.book(account, 'REORG', '0', { name: asset.symbol, qty: more });
    owners.scale(number, stockId, ratio);
  };

  const cancelOrdersIn = (asset: AlpacaAsset): void => {
    for (const { orders } of accounts.values())
      for (const order of orders)
        if (order.asset === asset && statusOf(order) === 'open') order.status = 'canceled';
  };

  const splits = splitsBetween({
    now: venueNow,
    beginSplit(stockId) {
      const asset = assets.get(stockId);
      if (!asset) return new Map();
      cancelOrdersIn(asset);
      return new Map(
        [...accounts].map(([number, { positions }]) => [number, positions.get(asset.id) ?? ZERO]),
      );
    },
    split(stockId, ratio, held) {
      const asset = assets.get(stockId);
      if (asset) for (const [number, part] of held) splitHolding(number, asset, ratio, part);
    },
  });

  const troubles = venueTroubles({
    ...{ standIn, now: venueNow, knownFill },
    counted: ({ number }, asset, amount) =>
      owners.bought(number, stockIds.get(asset) ?? '', amount),
  });

  const keptOrder = (order: AlpacaOrder): KeptOrder => ({
    clientOrderId: order.clientOrderId,
    stockId: stockIds.get(order.asset) ?? order.asset.symbol,
    action: order.side,
    amount: order.qty.toFixed(),
    status: statusOf(order),
    filledAmount: order.filledQty.toFixed(),
  });

  const kept = ({ cash, positions, orders }: AlpacaAccount) => ({
    cash: cash.toFixed(),
    amounts: Object.fromEntries(
      [...stockIds].flatMap(([{ id }, stockId]) => {
        const amount = positions.get(id);
        return amount ? [[stockId, amount.toFixed()]] : [];
      }),
    ),
    orders: orders.filter((one) => !one.clientOrderId.startsWith(BY_HAND)).map(keptOrder),
  });

  return {
    ...splits.seen,
    name: 'alpaca_paper',
    standIn,
    venue: async (request) => {
      now();
      const key = request.headers[KEY_HEADER] ?? '';
      const account = [...accounts.values()].find(({ keyId }) => keyId === key);
      if (request.path === '/v2/positions' && account) {
        unread.delete(key);
        troubles.seeReading(account);
      }
      const outcome = await standIn.venue(request);
      if (request.method === 'POST' && account) troubles.tellsLate(account);
      return outcome;
    },
    venueAccounts: () => [...accounts.values()],
    newKey() {
      const count = accounts.size + 1;
      const names = {
        keyId: `PKSTORY${String(count).padStart(9, '0')}`,
        secretKey: `secret-of-${count}`,
      };
      const number = `PA3STORY${count}`;
      const account = standIn.addAccount({ number, ...names, cash: '10000' });
      accounts.set(number, account);
      const holdings = HOLDINGS[(count - 1) % HOLDINGS.length] ?? {};
      const owned = new Map<string, Decimal>();
      for (const [symbol, amount] of Object.entries(holdings)) {
        const asset = assets.get(symbol) ?? standIn.asset(symbol);
        account.positions.set(asset.id, decimal(amount));
        owned.set(stockIds.get(asset) ?? symbol, decimal(amount));
      }
      owners.open(number, owned);
      return { key_id: names.keyId, secret_key: names.secretKey };
    },
    owned: owners.least,
    mostOwned: owners.most,
    renamed: new Map(),
    symbolOf: (stockId) => assets.get(stockId)?.symbol ?? stockId,
    rename(stockId, symbol) {
      const asset = assets.get(stockId);
      if (asset) asset.symbol = symbol;
    },
    betweenAny: () => [...assets.keys()].some((stockId) => splits.seen.isBetween(stockId)),
    splitsFirst(stockId, ratio) {
      // Nobody could tell what of a change is the split and what the trade.
      if (!assets.has(stockId) || [...unread.values()].some((one) => one.has(stockId))) return;
      splits.bringShares();
      splits.seen.splitsFirst(stockId, ratio);
    },
    account(accountId) {
      const account = accounts.get(accountId);
      return account && kept(account);
    },
    accounts: () => new Map([...accounts].map(([number, account]) => [number, kept(account)])),
    async tradeByHand({ account_id }, trade) {
      const account = accounts.get(account_id);
      const asset = assets.get(trade.stock.id);
      if (!account || !asset?.tradable || asset.halted) return;
      now();
      const isCoin = asset.class === 'crypto';
      if (!isCoin && !hours.sessionAt(first, clock.now())) return;
      const held = account.positions.get(asset.id) ?? ZERO;
      // As above.
      if (splits.seen.isBetween(trade.stock.id)) return;
      const open = account.orders.filter(
        (order) => order.asset === asset && statusOf(order) === 'open',
      );
      const isSale = trade.dollars < 0;
      // Alpaca takes neither an order against another one, nor one that is not covered.
      if (open.some(({ side }) => (side === 'sell') !== isSale)) return;
      const reserved = open.reduce((all, { qty }) => all.plus(qty), ZERO);
      const wanted = amountByHand(trade);
      const amount = isSale ? min(wanted, max(ZERO, held.minus(reserved))) : wanted;
      const isCovered = isSale || amount.times(asset.ask).lte(account.cash);
      if (!amount.gt(ZERO) || !isCovered) return;
      standIn.tradeByHand(account, asset.id, isSale ? 'sell' : 'buy', amount);
      unreadOf(account.keyId).add(trade.stock.id);
      if (isSale) owners.sold(account_id, trade.stock.id, amount);
      else owners.bought(account_id, trade.stock.id, amount);
    },
    endTroubles: troubles.endTroubles,
    isBeyond: troubles.isBeyond,
    trouble(what, accountId, stockId) {
      const [account, asset] = [accounts.get(accountId), assets.get(stockId)];
      if (!account || asset?.status !== 'active' || splits.seen.isBetween(stockId)) return false;
      now();
      return troubles.trouble(what, account, asset);
    },
    takesEffect({ kind, figure, stockId }) {
      const asset = assets.get(stockId);
      if (!asset) return;
      splits.bringShares();
      const { id, symbol } = asset;
      if (kind === 'split') return splits.booked(stockId, figure);
      if (kind === 'delisting') {
        Object.assign(asset, { status: 'inactive', tradable: false });
        cancelOrdersIn(asset);
        splits.forget(stockId);
      }
      for (const [number, account] of accounts) {
        const held = account.positions.get(id) ?? ZERO;
        const paid = held.times(figure).round(2, 0);
        if (kind === 'cash_dividend') {
          if (!paid.eq(ZERO))
            standIn.book(account, 'DIV', paid.toFixed(), { name: symbol, qty: ZERO });
          continue;
        }
        if (!held.eq(ZERO))
          standIn.book(account, 'REORG', paid.toFixed(), { name: symbol, qty: ZERO.minus(held) });
        owners.scale(number, stockId, ZERO);
      }
    },
  };
}
