import { type Decimal, decimal } from '@slipstream/domain';
import type { AlpacaAccount, AlpacaAsset, AlpacaOrder, AlpacaStandIn } from '@slipstream/stand-ins';
import type { VenueTrouble } from '../../story/story.js';

/** An order that ended at the exchange as it was filled: it tells the fill later. */
interface LateFill {
  readonly account: AlpacaAccount;
  readonly order: AlpacaOrder;
}

/** What troubles need of the venue. */
interface Venue {
  readonly standIn: AlpacaStandIn;
  /** The time at the venue. */
  readonly now: () => number;
  /** So much of the order is known to its bot. */
  readonly knownFill: (clientOrderId: string) => string | undefined;
  /** Nobody is asked for a fill any more: it counts as a trade of the owner. */
  readonly counted: (account: AlpacaAccount, asset: AlpacaAsset, bought: Decimal) => void;
}

/** What an account meets at its broker without anybody's order. */
export interface VenueTroubles {
  /** It begins; where it has begun, it ends. Returns whether anything happened. */
  trouble(what: VenueTrouble, account: AlpacaAccount, asset: AlpacaAsset): boolean;
  /** The last order of the account, if it ended so. */
  tellsLate(account: AlpacaAccount): void;
  /** All is well from now on. */
  endTroubles(): void;
  /** The positions of the account are read: fills of orders that are older by then may count as its owner's. */
  seeReading(account: AlpacaAccount): void;
  /** Whether a fill of that order came too late for its bot. */
  isBeyond(clientOrderId: string): boolean;
}

/** The bot asks again for orders of five minutes, less a bit on the way. */
const ASKED_WITHIN = 280_000;
const DEPOSIT = decimal('700');

export function venueTroubles({ standIn, now, knownFill, counted }: Venue): VenueTroubles {
  const accounts = new Set<AlpacaAccount>();
  const assets = new Map<AlpacaAsset, Pick<AlpacaAsset, 'fractionable' | 'shortable'>>();
  /** Those that no bot knows yet. */
  let unknown: LateFill[] = [];
  const beyond = new Set<string>();

  const withdraw = (account: AlpacaAccount): boolean => {
    if (account.cash.lt(DEPOSIT)) return false;
    standIn.book(account, 'CSW', `-${DEPOSIT.toFixed()}`);
    return true;
  };

  /** A deposit; where the last booking is one, it bounces. */
  const deposit = (account: AlpacaAccount): boolean => {
    const last = account.activities.at(-1);
    if (last?.type !== 'CSD' || last.isCancelled) standIn.book(account, 'CSD', DEPOSIT.toFixed());
    else if (account.cash.lt(DEPOSIT)) return false;
    else standIn.cancelBooking(account);
    return true;
  };

  return {
    trouble(what, account, asset) {
      accounts.add(account);
      if (!assets.has(asset))
        assets.set(asset, { fractionable: asset.fractionable, shortable: asset.shortable });
      switch (what) {
        case 'blocked':
          account.tradingBlocked = !account.tradingBlocked;
          break;
        case 'suspended':
          account.suspendedByUser = !account.suspendedByUser;
          break;
        case 'no_coins':
          account.cryptoStatus = account.cryptoStatus === 'ACTIVE' ? 'INACTIVE' : 'ACTIVE';
          break;
        case 'no_margin':
          account.multiplier = account.multiplier === 1 ? 2 : 1;
          break;
        case 'no_shorts':
          account.shorting = !account.shorting;
          break;
        case 'day_trader':
          account.dayTrader = !account.dayTrader;
          break;
        case 'halted':
          asset.halted = !asset.halted;
          break;
        case 'whole_shares':
          asset.fractionable = !asset.fractionable;
          break;
        case 'not_lent':
          asset.shortable = !asset.shortable;
          break;
        case 'deposit':
          return deposit(account);
        case 'withdrawal':
          return withdraw(account);
      }
      return true;
    },
    tellsLate(account) {
      const order = account.orders.at(-1);
      const isTold = !order || order.fillsToldAt <= now();
      if (!isTold && !unknown.some((one) => one.order === order)) unknown.push({ account, order });
    },
    endTroubles() {
      for (const account of accounts)
        Object.assign(account, {
          tradingBlocked: false,
          suspendedByUser: false,
          cryptoStatus: 'ACTIVE',
          multiplier: 2,
          shorting: true,
          dayTrader: false,
        });
      for (const [asset, usual] of assets) Object.assign(asset, { ...usual, halted: false });
    },
    seeReading(account) {
      unknown = unknown.filter(({ account: its, order }) => {
        const known = knownFill(order.clientOrderId);
        if (known !== undefined && decimal(known).eq(order.filledQty)) return false;
        if (its !== account || now() - order.submittedAt < ASKED_WITHIN) return true;
        beyond.add(order.clientOrderId);
        if (order.side === 'buy') counted(account, order.asset, order.filledQty);
        return false;
      });
    },
    isBeyond: (clientOrderId) => beyond.has(clientOrderId),
  };
}
