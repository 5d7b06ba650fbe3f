import { rmSync } from 'node:fs';
import { fixedClock } from '@slipstream/adapter-memory/testing';
import { type Decimal, ZERO, decimal, divide } from '@slipstream/domain';
import type { CoinOrder, FaultKind } from '@slipstream/stand-ins';
import { type ExchangeName, coinScene } from '../helpers/coin-exchanges.js';
import { type ComposedServer, IN_SESSION, newFolder } from '../helpers/composed-server.js';

interface Coin {
  readonly coin: string;
  readonly price: string;
  readonly amountStep: string;
  readonly priceStep: string;
  /** What its owner has of it before the bot. */
  readonly owned: string;
}

// oxfmt-ignore
const COINS: readonly Coin[] = [
  { coin: 'BTC', price: '60000', amountStep: '0.00000001', priceStep: '0.01', owned: '0.01' },
  { coin: 'ETH', price: '3000', amountStep: '0.0001', priceStep: '0.01', owned: '1' },
  { coin: 'DOGE', price: '0.1', amountStep: '0.1', priceStep: '0.00001', owned: '0' },
  { coin: 'SHIB', price: '0.00002', amountStep: '1', priceStep: '0.00000001', owned: '0' },
];

const stockOf = (coin: string): string => `${coin}USD:COINBASE`;
const stockIdOf = (coin: string): string => `${coin.toLowerCase()}usd.coinbase`;

const FAULTS: readonly FaultKind[] = [
  ...(['drop_before', 'drop_after', 'truncate', 'garbage', 'empty'] as const),
  { status: 502, body: '<html>' },
  { status: 429, headers: { 'retry-after': '2' } },
];
const OF_KRAKEN = ['EAPI:Invalid nonce', 'EService:Busy', 'EAPI:Rate limit exceeded'].map(
  (error): FaultKind => ({ answer: { error: [error] } }),
);
const PATHS = {
  kraken: ['/', ...['Add', 'Open', 'Closed', 'Cancel'].map((one) => `/0/private/${one}Order`)],
  coinbase: ['/', ...['orders', 'orders/', 'accounts'].map((one) => `/api/v3/brokerage/${one}`)],
};

/** Whole numbers below what is asked for, the same for the same seed. */
const drawn = (seed: number): ((below: number) => number) => {
  let state = Math.imul(seed, 2_654_435_761) >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
};

const isOwn = ({ clientOrderId }: CoinOrder): boolean => clientOrderId !== null;
const isOpen = ({ status }: CoinOrder): boolean => status === 'open';

/** What happened, line by line, and what of it may not be. */
export interface PlayedStory {
  readonly lines: readonly string[];
  readonly problems: readonly string[];
}

/** Plays a story of a bot over an account at the exchange: its owner, the exchange, the network and the server do what the seed says. */
export async function playStory(name: ExchangeName, seed: number): Promise<PlayedStory> {
  const next = drawn(seed);
  const pick = <T>(all: readonly [T, ...T[]] | readonly T[]): T => all[next(all.length)] as T;
  const [lines, problems]: [string[], string[]] = [[], []];
  const clock = fixedClock(IN_SESSION + next(86_400_000));
  const scene = await coinScene(name, clock, {
    filling: 'by_hand',
    cancelling: pick([0, 3_000]),
  });
  const { standIn, account } = scene;

  const prices = new Map<string, Decimal>();
  const owned = new Map<string, Decimal>();
  const bidAskOf = ({ coin, priceStep }: Coin): readonly [Decimal, Decimal] => {
    const [price = ZERO, step] = [prices.get(coin), decimal(priceStep)];
    const bid = divide(price, step, 'down', 0).times(step);
    const ask = divide(price.times('1.001'), step, 'up', 0).times(step);
    return [bid, ask];
  };
  for (const one of COINS) {
    prices.set(one.coin, decimal(one.price));
    owned.set(one.coin, decimal(one.owned));
    const [bid, ask] = bidAskOf(one).map((price) => price.toFixed()) as [string, string];
    const [amountStep, priceStep] = [decimal(one.amountStep), decimal(one.priceStep)];
    standIn.addMarket({ coin: one.coin, bid, ask, amountStep, priceStep, minAmount: amountStep });
    if (one.owned !== '0') standIn.move(account, one.coin, decimal(one.owned));
  }
  // Something that nobody trades, and that stays as it is.
  standIn.move(account, 'ODD', decimal('5'));

  const folder = newFolder();
  const open = (): Promise<ComposedServer> => scene.open({ folder, storage: 'sqlite' });
  let server = await open();
  const quote = (): Promise<void> =>
    server.quotes(
      Object.fromEntries(
        COINS.map((one) => {
          const [bid, ask] = bidAskOf(one).map((price) => Number(price.toFixed()));
          return [stockOf(one.coin), [bid, ask] as [number, number]];
        }),
      ),
    );
  const tick = async (milliseconds: number): Promise<void> => {
    clock.advance(milliseconds);
    await quote();
    await server.application.background.runBots();
  };

  try {
    clock.advance(20_000);
    const user = await server.user('ada');
    await quote();
    const made = { type: 'cryptocurrency', name: 'Coins' };
    const { strategy_id } = await server.ask('newStrategy', made, user);
    const allocate = async (): Promise<string> => {
      const allocations = COINS.map(({ coin }) => ({
        stock_id: stockOf(coin),
        percent: pick([0, 0, 0.1, 0.2, 0.24]),
      }));
      await server.ask('newOrderAllocations', { strategy_id, allocations }, user);
      return `The strategy wants ${allocations.map(({ percent }) => percent).join(', ')}.`;
    };
    lines.push(await allocate());
    const { bot_id } = await server.ask(
      'newBot',
      {
        ...{ type: 'cryptocurrency', broker: name, credentials: scene.credentials },
        allocations: [{ strategy_id, percent: 1 }],
        limits: { max_orders_per_day: null, max_turnover_per_day: null },
      },
      user,
    );
    await server.ask('startBot', { bot_id, live: true }, user);

    const state = async (): Promise<{ status: string; status_reason: string | null }> => {
      const [bot] = await server.ask('getBots', {}, user);
      if (!bot) throw new Error('the bot is gone');
      return bot;
    };
    let haltId: string | undefined;
    const resume = async (): Promise<void> => {
      await server.ask('resumeTrading', { halt_id: haltId }, user);
      haltId = undefined;
    };
    const isHalted = (): boolean => haltId !== undefined;
    const setMode = (mode: string) => server.ask('updateBot', { bot_id, mode }, user);

    /** The owner's coins come beside those of the bot. */
    const comeTo = (coin: string, byHand: boolean): string => {
      const amount = divide(decimal('20'), prices.get(coin) ?? ZERO, 'up', 4);
      if (byHand && standIn.market(coin).halted) return 'Nothing.';
      if (byHand) standIn.tradeByHand(account, coin, 'buy', amount);
      else standIn.move(account, coin, amount);
      owned.set(coin, (owned.get(coin) ?? ZERO).plus(amount));
      return `The owner ${byHand ? 'buys' : 'pays in'} ${amount.toFixed()} ${coin}.`;
    };

    const steps: readonly (() => string | Promise<string>)[] = [
      allocate,
      () => {
        const kind = pick([...FAULTS, ...(name === 'kraken' ? OF_KRAKEN : [])]);
        const [path, times] = [pick(PATHS[name]), 1 + next(2)];
        standIn.faults.add({ path, kind, times });
        return `Requests to ${path} meet ${JSON.stringify(kind)} ${times} times.`;
      },
      () => {
        const late = pick([0, 4_000, 9_000]);
        standIn.appearAfter(late);
        return `Lists show orders after ${late} ms.`;
      },
      () => {
        standIn.fillNextInPart();
        return 'The next order is filled in parts.';
      },
      () => {
        const late = pick([0, 4_000, 20_000]);
        standIn.tellFillsAfter(late);
        return `Orders tell their fills after ${late} ms.`;
      },
      () => {
        const share = pick(['0.3', '1', '1']);
        standIn.fillPart(account, decimal(share));
        return `Open orders are filled by ${share}.`;
      },
      () => comeTo(pick(COINS).coin, next(2) === 0),
      () => {
        const amount = pick(['500', '-100']);
        standIn.move(account, 'USD', decimal(amount));
        return `The owner moves ${amount} USD.`;
      },
      () => {
        const market = standIn.market(pick(COINS).coin);
        market.halted = !market.halted;
        return `${market.coin} ${market.halted ? 'is halted' : 'goes on'}.`;
      },
      async () => {
        await server.shutDown();
        server = await open();
        return 'The server starts again.';
      },
      async () => {
        if (isHalted()) return resume().then(() => 'Trading goes on.');
        const asked = { scope: 'bot', id: bot_id, reason: 'to look at it' };
        haltId = (await server.ask('haltTrading', asked, user)).halt_id;
        return 'Trading is halted.';
      },
      async () => {
        const mode = pick(['normal', 'reduce_only', 'paused']);
        await setMode(mode);
        return `The mode is ${mode}.`;
      },
      () => {
        for (const one of COINS) {
          const factor = decimal(String(98 + next(5))).div('100');
          prices.set(one.coin, (prices.get(one.coin) ?? ZERO).times(factor));
          const [bid, ask] = bidAskOf(one).map((price) => price.toFixed()) as [string, string];
          standIn.quote(one.coin, bid, ask);
        }
        return 'Prices move.';
      },
      () => {
        standIn.expireOrders(account);
        return 'Open orders expire.';
      },
    ];

    for (let count = 0; count < 20; count += 1) {
      lines.push(await pick(steps)());
      const pace = pick([1_000, 5_000, 12_000, 61_000]);
      await tick(pace);
      // As often as a server looks.
      if (next(4) === 0) for (let second = 0; second < 12; second += 1) await tick(1_000);
      const { status, status_reason } = await state();
      lines.push(`  ${pace} ms later: ${status} ${status_reason ?? ''}`);
    }

    lines.push('The trouble ends.');
    standIn.faults.clear();
    standIn.appearAfter(0);
    standIn.tellFillsAfter(0);
    for (const { coin } of COINS) standIn.market(coin).halted = false;
    if (isHalted()) {
      for (let count = 0; count < 8; count += 1) await tick(15_000);
      if (account.orders.some((order) => isOwn(order) && isOpen(order)))
        problems.push('an order is open though trading is halted');
      await resume();
    }
    await setMode('normal');

    /** Until the bot is in that state and none of its orders is open. */
    const settle = async (wanted: string): Promise<void> => {
      for (let count = 0; count < 150; count += 1) {
        await tick(pick([1_000, 5_000]));
        standIn.fillAll(account);
        if ((await state()).status === wanted && !account.orders.some(isOpen)) return;
      }
      const { status, status_reason } = await state();
      problems.push(`it should be ${wanted} and is ${status}: ${status_reason ?? 'no reason'}`);
    };
    await settle('running');
    clock.advance(60_000);
    await quote();

    const own = account.orders.filter(isOwn);
    if (new Set(own.map(({ clientOrderId }) => clientOrderId)).size < own.length)
      problems.push('an order was placed twice');
    const filled = own.filter((order) => order.filled.gt(ZERO));
    const truth = filled.map((one) => `${one.side} ${one.market.coin} ${one.filled.toFixed()}`);
    const orders = await server.ask('getBotOrders', { bot_id, limit: 100 }, user);
    const told = orders
      .filter((one) => one.filled_amount !== '0')
      .map((one) => `${one.action} ${one.symbol.replace(/USD$/, '')} ${one.filled_amount}`);
    if (truth.toSorted().join() !== told.toSorted().join())
      problems.push(`its orders are ${told.join(', ')}, and were ${truth.join(', ')}`);
    const { kept } = await server.ask('getBotAccount', { bot_id }, user);
    for (const [coin, amount] of owned) {
      const found = kept.find(({ stock_id }) => stock_id === stockIdOf(coin))?.amount ?? '0';
      if (!decimal(found).eq(amount))
        problems.push(`${found} ${coin} is kept, and ${amount.toFixed()} is the owner's`);
    }

    await server.ask('stopBot', { bot_id, close_on_stop: true }, user);
    await settle('off');
    for (const [coin, amount] of owned) {
      const left = (account.balances.get(coin) ?? ZERO).minus(amount);
      const isDust = left.times(prices.get(coin) ?? ZERO).lt('1');
      if (left.lt(ZERO) || !isDust) problems.push(`it leaves ${left.toFixed()} ${coin}`);
    }
    return { lines, problems };
  } finally {
    await server.close();
    await scene.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
