import {
  type BrokerAccount,
  type BrokerPosition,
  type Decimal,
  ONE,
  type Security,
  TWO,
  ZERO,
  decimal,
  divide,
  max,
  min,
  sum,
} from '@slipstream/domain';
import { AccountUnsettled, BrokerUnreachable, type Instruments } from '@slipstream/ports';
import type { AccountAnswer, PositionAnswer } from './answers.js';
import type { AlpacaApi } from './api.js';
import { stocksNamed, unlistedId } from './identity.js';

const READS = 3;
const TOLERANCE = decimal('0.005');
const CENT = decimal('0.01');

/** Signed by `side`: the sign of `qty` differs between answers. */
const amountOf = ({ qty, side }: PositionAnswer): Decimal =>
  side === 'long' ? qty.abs() : ZERO.minus(qty.abs());

/** What one is worth; undefined when Alpaca tells no price. A contract is over many: its value counts, not its quote. */
function priceOf(position: PositionAnswer): Decimal | undefined {
  const { asset_class, qty, market_value, current_price, lastday_price } = position;
  const isQuoted = asset_class === 'us_equity' || asset_class === 'crypto';
  if (!isQuoted && market_value) return divide(market_value, qty).abs();
  const price = current_price ?? lastday_price;
  return price?.gt(ZERO) === true ? price : undefined;
}

type Holding = Pick<BrokerPosition, 'stockId' | 'amount'> & Partial<BrokerPosition>;
type Holdings = Pick<BrokerAccount, 'positions' | 'unpriced'>;

function holdingOf(instruments: Instruments, position: PositionAnswer): Holding {
  const amount = amountOf(position);
  const price = priceOf(position);
  const [stock, other] = stocksNamed(instruments, position);
  if (other) {
    throw new BrokerUnreachable(
      `Alpaca's ${position.symbol} may be that of ${stock?.exchange} or of ${other.exchange}`,
    );
  }
  const stockId = stock?.id ?? unlistedId(position);
  if (price) return { stockId, amount, price, value: amount.times(price) };
  // What is not traded here any more, or was never listed, would hold up the reductions of everything else.
  if (stock && stock.status !== 'delisted')
    throw new BrokerUnreachable(`Alpaca tells no price of ${position.symbol}`);
  return { stockId, amount };
}

/** After a reverse split, old shares that nobody can trade may stand beside the new ones, under the symbol of both. */
function requireOneOfEach(instruments: Instruments, all: readonly Holding[]): void {
  const seen = new Set<string>();
  for (const { stockId } of all) {
    const symbol = instruments.find(stockId)?.symbol;
    if (symbol !== undefined && seen.has(stockId))
      throw new AccountUnsettled(`Alpaca shows two positions in ${symbol}`);
    seen.add(stockId);
  }
}

const isPriced = (holding: Holding): holding is BrokerPosition => holding.price !== undefined;

/** The positions, apart from those that Alpaca tells no price of. */
function holdingsOf(instruments: Instruments, answers: readonly PositionAnswer[]): Holdings {
  const all = answers.map((one) => holdingOf(instruments, one));
  requireOneOfEach(instruments, all);
  return {
    positions: all.filter(isPriced),
    unpriced: all.filter((holding) => !isPriced(holding)),
  };
}

/** Whether nothing was traded between the first answer about the account and the last one. */
function isOneMoment(
  before: Pick<AccountAnswer, 'cash'>,
  positions: readonly BrokerPosition[],
  after: AccountAnswer,
): boolean {
  if (!before.cash.eq(after.cash)) return false;
  const { long_market_value: long, short_market_value: short } = after;
  const told = long.plus(short);
  const gross = long.abs().plus(short.abs());
  const difference = sum(positions.map(({ value }) => value)).minus(told);
  return difference.abs().lte(max(gross.times(TOLERANCE), CENT));
}

/** In words, why the account takes no orders; null while it does. */
export function blockOf(account: AccountAnswer, type: Security): string | null {
  if (account.account_blocked) return 'Alpaca has blocked the account.';
  if (account.trading_blocked) return 'Alpaca has blocked trading in the account.';
  if (account.trade_suspended_by_user) return 'Trading is suspended in the settings at Alpaca.';
  if (account.status !== 'ACTIVE') return `The account's status at Alpaca is ${account.status}.`;
  if (type === 'cryptocurrency' && account.crypto_status !== 'ACTIVE')
    return 'The account is not open for coins at Alpaca.';
  return null;
}

/** Overnight no more than twice the equity is lent; coins are bought with own money only. */
const maxGrossOf = ({ multiplier }: AccountAnswer, type: Security): Decimal =>
  type === 'stock' ? max(ONE, min(multiplier, TWO)) : ONE;

function accountOf(
  answer: AccountAnswer,
  { positions, unpriced = [] }: Holdings,
  type: Security,
): BrokerAccount {
  const because = blockOf(answer, type);
  const power = type === 'stock' ? answer.buying_power : answer.non_marginable_buying_power;
  return {
    equity: answer.cash.plus(sum(positions.map(({ value }) => value))),
    cash: answer.cash,
    buyingPower: max(power, ZERO),
    maxGross: maxGrossOf(answer, type),
    positions: positions.filter(({ amount }) => !amount.eq(ZERO)),
    ...(unpriced.length > 0 && { unpriced }),
    allows: because === null ? 'all' : 'nothing',
    because,
  };
}

/**
 * Reads the positions, then the account, until they are those of one moment: nothing was traded while the cash is that of the answer
 * before (`before`), which may be a minute old.
 */
export async function readAccount(
  api: AlpacaApi,
  instruments: Instruments,
  type: Security,
  before: Pick<AccountAnswer, 'cash'>,
): Promise<readonly [BrokerAccount, AccountAnswer]> {
  let last = before;
  for (let read = 1; read <= READS; read += 1) {
    const held = holdingsOf(instruments, await api.positions());
    const after = await api.account('read');
    if (isOneMoment(last, held.positions, after)) return [accountOf(after, held, type), after];
    last = after;
  }
  throw new AccountUnsettled('the account at Alpaca changed while it was read');
}
