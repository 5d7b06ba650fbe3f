import { type Decimal, type Stock, ZERO, decimal, divide } from '@slipstream/domain';
import type {
  Broker,
  BrokerAccess,
  BrokerLink,
  BrokerOrder,
  BrokerOrderRequest,
  Instruments,
} from '@slipstream/ports';

/** What a step found: as the stand-in does it, otherwise, or not tried. */
export interface Finding {
  readonly step: string;
  readonly result: 'as expected' | 'differs' | 'left out';
  readonly saw: string;
}

export interface SmokeDeps {
  readonly broker: Broker;
  readonly link: BrokerLink;
  readonly instruments: Instruments;
  /** Five stocks; the first that the account does not hold is traded. */
  readonly stocks: readonly Stock[];
  readonly coin: Stock;
  readonly newId: () => string;
  readonly pause: (milliseconds: number) => Promise<void>;
  readonly found: (finding: Finding) => void;
}

const POLLS = 30;
const POLL_EVERY = 1_000;
const HALF = decimal('0.5');
/** About 2 USD of the stock, about 15 of the coin: above the least that Alpaca takes. */
const SHARES = decimal('0.2');
const COINS = decimal('0.0002');

const textOf = ({ status, filledAmount, filledPrice, reason }: BrokerOrder): string =>
  `${status}, ${filledAmount.toFixed()} at ${filledPrice?.toFixed() ?? '-'}${reason === null ? '' : ` (${reason})`}`;

/** Makes the round through a real paper account. Throws only when the account cannot be linked. */
export async function smoke(deps: SmokeDeps): Promise<void> {
  const { broker, instruments, stocks, coin, pause } = deps;
  const linked = await broker.link(deps.link);
  const accessOf = (type: Stock['security']): BrokerAccess => ({
    ...linked,
    type,
    renew: async () => undefined,
  });
  const say = (step: string, isAsExpected: boolean, saw: string): void =>
    deps.found({ step, result: isAsExpected ? 'as expected' : 'differs', saw });
  const step = async (name: string, work: () => Promise<readonly [boolean, string]>) => {
    try {
      say(name, ...(await work()));
    } catch (error) {
      say(name, false, String(error));
    }
  };
  const held = async ({ id, security }: Stock): Promise<Decimal> => {
    const { positions } = await broker.account(accessOf(security), instruments);
    return positions.find(({ stockId }) => stockId === id)?.amount ?? ZERO;
  };
  const find = async (order: BrokerOrderRequest): Promise<BrokerOrder | undefined> =>
    (await broker.find(accessOf(order.stock.security), [order.clientOrderId])).get(
      order.clientOrderId,
    );
  const ended = async (order: BrokerOrderRequest): Promise<BrokerOrder | undefined> => {
    for (let poll = 0; poll < POLLS; poll += 1) {
      const now = await find(order);
      if (now?.status !== 'open') return now;
      await pause(POLL_EVERY);
    }
    return find(order);
  };
  const requestOf = (
    of: Stock,
    change: Partial<BrokerOrderRequest> & Pick<BrokerOrderRequest, 'action' | 'amount'>,
  ): BrokerOrderRequest => ({
    clientOrderId: deps.newId(),
    stock: of,
    limit: null,
    closes: false,
    ...change,
  });
  const trade = async (order: BrokerOrderRequest): Promise<BrokerOrder> => {
    const placed = await broker.place(accessOf(order.stock.security), order);
    return placed.status === 'open' ? ((await ended(order)) ?? placed) : placed;
  };
  /** Sells or buys back whatever differs from the beginning, in the steps that the broker takes. */
  const flat = async (of: Stock, before: Decimal): Promise<readonly [boolean, string]> => {
    const rules = (await broker.rules(accessOf(of.security), [of])).get(of.id);
    const over = (await held(of)).minus(before);
    const amount = rules ? over.abs().minus(over.abs().mod(rules.amountStep)) : over.abs();
    if (amount.eq(ZERO)) return [over.eq(ZERO), `nothing to close, ${over.toFixed()} too much`];
    const action = over.gt(ZERO) ? 'sell' : 'buy';
    const order = await trade(requestOf(of, { action, amount, closes: before.eq(ZERO) }));
    return [order.status === 'filled', textOf(order)];
  };

  say('link', !linked.live, `${linked.label}; ${linked.holdings.length} holdings`);
  const coinBefore = await held(coin);
  const { positions: before } = await broker.account(accessOf('stock'), instruments);
  const stock = stocks.find(({ id }) => !before.some(({ stockId }) => stockId === id));

  let isOpen = false;
  await step('rules of five stocks', async () => {
    const rules = await broker.rules(accessOf('stock'), stocks);
    const told = stocks.map(
      ({ id, symbol }) => `${symbol} ${rules.get(id)?.session ?? 'not traded'}`,
    );
    isOpen = stock !== undefined && rules.get(stock.id)?.session === 'open';
    return [rules.size === stocks.length, told.join(', ')];
  });

  if (stock && isOpen) {
    const bought = requestOf(stock, { action: 'buy', amount: SHARES });
    await step('a buy in fractions is accepted first, then filled', async () => {
      const placed = await broker.place(accessOf('stock'), bought);
      const order = await ended(bought);
      const isFilled = placed.status === 'open' && order?.status === 'filled';
      return [isFilled, `${textOf(placed)}; ${order ? textOf(order) : 'not found'}`];
    });
    await step('the same id again is the same order', async () => {
      const again = await broker.place(accessOf('stock'), bought);
      const now = await held(stock);
      return [
        now.eq(SHARES) && again.status === 'filled',
        `${textOf(again)}; ${now.toFixed()} held`,
      ];
    });
    await step('a limit far away rests, and is cancelled', async () => {
      const { positions } = await broker.account(accessOf('stock'), instruments);
      const price = positions.find(({ stockId }) => stockId === stock.id)?.price ?? ZERO;
      const limit = divide(price.times(HALF), decimal('1'), 'down', 2);
      const order = requestOf(stock, { action: 'buy', amount: decimal('1'), limit });
      const placed = await broker.place(accessOf('stock'), order);
      await broker.cancel(accessOf('stock'), order.clientOrderId);
      const last = await ended(order);
      return [
        last?.status === 'cancelled',
        `${textOf(placed)}; ${last ? textOf(last) : 'not found'}`,
      ];
    });
    await step('the fractions are sold', () => flat(stock, ZERO));
    await step('a fraction is not sold short', async () => {
      const order = await trade(requestOf(stock, { action: 'sell', amount: HALF }));
      return [order.status === 'rejected', textOf(order)];
    });
    await step('a whole share is sold short', async () => {
      const order = await trade(requestOf(stock, { action: 'sell', amount: decimal('1') }));
      return [order.status === 'filled', textOf(order)];
    });
    await step('an order that only closes does not turn the short', async () => {
      const order = requestOf(stock, { action: 'buy', amount: decimal('2'), closes: true });
      const last = await trade(order);
      return [last.status === 'rejected', textOf(last)];
    });
    await step('the short is bought back', () => flat(stock, ZERO));
  } else {
    deps.found({
      step: 'stocks',
      result: 'left out',
      saw: stock ? 'the market is not open' : 'the account holds all five',
    });
  }

  await step('a coin is bought; it arrives less its fee', async () => {
    const order = await trade(requestOf(coin, { action: 'buy', amount: COINS }));
    const arrived = (await held(coin)).minus(coinBefore);
    return [
      order.status === 'filled' && arrived.lt(COINS),
      `${textOf(order)}; ${arrived.toFixed()} arrived`,
    ];
  });
  await step('the coin is sold', () => flat(coin, coinBefore));
  await step('all is as before', async () => {
    const stockOver = stock ? await held(stock) : ZERO;
    const coinOver = (await held(coin)).minus(coinBefore);
    return [
      stockOver.eq(ZERO) && coinOver.eq(ZERO),
      `${stockOver.toFixed()}, ${coinOver.toFixed()}`,
    ];
  });
}
