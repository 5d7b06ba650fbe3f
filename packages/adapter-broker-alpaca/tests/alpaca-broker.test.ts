import { describe, expect, it } from '@jest/globals';
import {
  DEFAULT_PRICE_COLLAR,
  type Stock,
  ZERO,
  collarPrice,
  decimal,
  finish,
  id,
  planClosure,
} from '@slipstream/domain';
import { aStock } from '@slipstream/port-contracts';
import {
  type Broker,
  type BrokerAccess,
  type BrokerOrderRequest,
  BrokerRateLimited,
  BrokerRefused,
  BrokerUnreachable,
} from '@slipstream/ports';
import {
  LIVE,
  LIVE_KEY,
  PAPER,
  PAPER_KEY,
  aWorld,
  acme,
  acmeElsewhere,
  coin,
  instrumentsOf,
} from './fixture.js';

const accessOf = (type: Stock['security'] = 'stock'): BrokerAccess => ({
  accountId: 'PA3TEST00001',
  type,
  credentials: PAPER_KEY,
  renew: async () => undefined,
});
const access = accessOf();
const link = {
  userId: id<'user'>('user-1'),
  type: 'stock',
  accountId: undefined,
  credentials: PAPER_KEY,
} as const;

const orderOf = (stock: Stock, change: Partial<BrokerOrderRequest> = {}): BrokerOrderRequest => ({
  clientOrderId: `${stock.id}-1`.padEnd(32, 'a'),
  stock,
  action: 'buy',
  amount: decimal('2'),
  limit: null,
  closes: false,
  ...change,
});

const read = (broker: Broker, all: readonly Stock[] = [acme, coin]) =>
  broker.account(access, instrumentsOf(all));

describe('linking', () => {
  it('tells what the account is and holds', async () => {
    const { broker, standIn, account } = aWorld();
    standIn.tradeByHand(account, 'ACME', 'sell', decimal('2'));
    standIn.tradeByHand(account, 'COIN/USD', 'buy', decimal('1'));
    const linked = await broker.link(link);
    expect(linked).toMatchObject({
      accountId: 'PA3TEST00001',
      label: 'Alpaca paper account PA3TEST00001',
      live: false,
      warnings: [],
    });
    expect(linked.holdings.map(({ instrument, amount }) => [instrument, amount.toFixed()])).toEqual(
      [
        ['ACME', '-2'],
        ['COINUSD', '0.9975'],
      ],
    );
  });

  it.each([' ', '\n', '\r\n', '\t'])(
    'takes a key that was pasted with %j around it',
    async (white) => {
      const { broker } = aWorld();
      const pasted = Object.entries(PAPER_KEY).map(([name, text]) => [
        name,
        `${white}${text}${white}`,
      ]);
      const credentials = Object.fromEntries(pasted) as typeof PAPER_KEY;
      expect((await broker.link({ ...link, credentials })).accountId).toBe('PA3TEST00001');
    },
  );

  it.each([
    ['a key of the other kind', PAPER, { credentials: LIVE_KEY }, 0],
    ['a paper key at the live broker', LIVE, { credentials: PAPER_KEY }, 0],
    ['another account', PAPER, { accountId: 'PA3OTHER' }, 2],
    ['text that is no key', PAPER, { credentials: { key_id: 'PK', secret_key: 'x' } }, 0],
  ])('refuses %s', async (_, kind, change, requests) => {
    const { broker, standIn } = aWorld({}, kind);
    const refused = broker.link({ ...link, ...change });
    await expect(refused).rejects.toBeInstanceOf(BrokerRefused);
    expect(standIn.log).toHaveLength(requests);
  });

  it.each([
    ['paper', PAPER, '512345678', PAPER_KEY],
    ['live', LIVE, 'PA3TEST00009', LIVE_KEY],
  ])('refuses an account whose number is not of a %s account', async (_, kind, number, key) => {
    const { broker, standIn } = aWorld({}, kind);
    const keyId = `${key.key_id}X`;
    standIn.addAccount({ number, keyId, secretKey: key.secret_key, cash: '10000' });
    const refused = broker.link({ ...link, credentials: { ...key, key_id: keyId } });
    await expect(refused).rejects.toThrow(`account ${number} is not a`);
  });

  it.each([
    ['may not sell short', { shorting: false }, 'stock', /short/],
    ['has no margin', { multiplier: 1 as const }, 'stock', /no margin/],
    ['is suspended by its user', { suspendedByUser: true }, 'stock', /suspended/],
    ['is not open for coins', { cryptoStatus: 'INACTIVE' }, 'cryptocurrency', /coins/],
    ['is not open yet', { status: 'ONBOARDING' }, 'stock', /ONBOARDING/],
  ] as const)('warns of an account that %s', async (_, change, type, warning) => {
    const { broker, account } = aWorld();
    Object.assign(account, change);
    const { warnings } = await broker.link({ ...link, type });
    expect(warnings).toEqual([expect.stringMatching(warning)]);
  });
});

describe('reading an account', () => {
  it.each([
    ['suspended by its user', { suspendedByUser: true }],
    ['blocked', { blocked: true }],
    ['blocked for trading', { tradingBlocked: true }],
    ['not active', { status: 'ACCOUNT_CLOSED' }],
  ])('allows nothing while it is %s', async (_, change) => {
    const { broker, account } = aWorld();
    Object.assign(account, change);
    expect(await read(broker)).toMatchObject({
      allows: 'nothing',
      because: expect.stringMatching(/\w/),
    });
  });

  it.each([
    [1, '1'],
    [2, '2'],
    [4, '2'],
  ] as const)(
    'with a multiplier of %d holds at most %s of its equity',
    async (multiplier, most) => {
      const { broker, account } = aWorld();
      Object.assign(account, { multiplier });
      expect((await read(broker)).maxGross.toFixed()).toBe(most);
      const coins = await broker.account(accessOf('cryptocurrency'), instrumentsOf([coin]));
      expect([coins.maxGross.toFixed(), coins.buyingPower.toFixed()]).toEqual(['1', '10000']);
    },
  );

  it('reads again when something was traded in between, and gives up when that goes on', async () => {
    const { broker, standIn, account } = aWorld();
    const trade = { method: 'GET', path: '/v2/positions' };
    standIn.tradeByHand(account, 'ACME', 'buy', decimal('5'));
    const positions = [
      {
        symbol: 'ACME',
        exchange: 'NASDAQ',
        asset_class: 'us_equity',
        qty: '7',
        side: 'long',
        current_price: '100',
      },
    ];
    standIn.faults.add({ ...trade, kind: { answer: positions } });
    expect((await read(broker)).positions[0]?.amount.toFixed()).toBe('5');
    standIn.faults.add({ ...trade, kind: { answer: positions }, times: 3 });
    await expect(read(broker)).rejects.toThrow(/changed while it was read/);
  });

  it('takes the sign of an amount from its side, and a figure as a number too', async () => {
    const { broker, standIn, account } = aWorld();
    standIn.tradeByHand(account, 'ACME', 'sell', decimal('5'));
    for (const qty of [5, '-5', '5.0']) {
      const row = { symbol: 'ACME', exchange: 'NASDAQ', asset_class: 'us_equity', qty };
      const answer = [{ ...row, side: 'short', current_price: 100 }];
      standIn.faults.add({ method: 'GET', path: '/v2/positions', kind: { answer } });
      const [position] = (await read(broker)).positions;
      expect([position?.amount.toFixed(), position?.value.toFixed()]).toEqual(['-5', '-500']);
    }
  });

  it('does not guess which of two positions in one stock is the one that can be traded', async () => {
    const { broker, standIn, account } = aWorld();
    standIn.tradeByHand(account, 'ACME', 'buy', decimal('60'));
    const row = { symbol: 'ACME', exchange: 'NASDAQ', asset_class: 'us_equity', side: 'long' };
    const answer = ['50', '10'].map((qty) => ({ ...row, qty, current_price: '100' }));
    standIn.faults.add({ method: 'GET', path: '/v2/positions', kind: { answer } });
    await expect(read(broker)).rejects.toThrow('Alpaca shows two positions in ACME');
  });

  it('does not guess which of two stocks is held, nor a price', async () => {
    const { broker, standIn, account } = aWorld();
    standIn.tradeByHand(account, 'ACME', 'buy', decimal('5'));
    const twins = [acme, acmeElsewhere];
    expect((await read(broker, twins)).positions[0]?.stockId).toBe('acme');
    const others = twins.map((stock) => ({ ...stock, exchange: 'AMEX' }));
    await expect(read(broker, others)).rejects.toThrow(/may be that of/);
    const answer = [
      { symbol: 'ACME', exchange: 'NASDAQ', asset_class: 'us_equity', qty: '5', side: 'long' },
    ];
    standIn.faults.add({ method: 'GET', path: '/v2/positions', kind: { answer } });
    await expect(read(broker)).rejects.toThrow(/no price of ACME/);
  });

  const unpriced: readonly object[] = [{}, { current_price: null }, { current_price: '0' }];

  it.each(unpriced)(
    'reads the rest of an account with %j of what the service does not list: a right, an escrow',
    async (price) => {
      const { broker, standIn, account } = aWorld();
      standIn.tradeByHand(account, 'ACME', 'buy', decimal('5'));
      const row = { exchange: '', asset_class: 'us_equity', qty: '5', side: 'long' };
      const answer = [
        { ...row, symbol: 'ACME', current_price: '100' },
        { ...row, symbol: 'ACME.CVR', ...price },
      ];
      standIn.faults.add({ method: 'GET', path: '/v2/positions', kind: { answer } });
      const { positions, equity, cash } = await read(broker);
      expect(positions.map(({ stockId }) => stockId)).toEqual(['acme']);
      expect(equity.minus(cash).toFixed()).toBe('500');
    },
  );

  it.each(unpriced)('tells a delisted stock with %j as one without a price', async (price) => {
    const { broker, standIn, account } = aWorld();
    Object.assign(account, { cash: account.cash });
    const row = { symbol: 'ACME', exchange: 'NASDAQ', asset_class: 'us_equity', qty: '5' };
    const answer = [{ ...row, side: 'short', ...price }];
    standIn.faults.add({ method: 'GET', path: '/v2/positions', kind: { answer } });
    const seen = await read(broker, [{ ...acme, status: 'delisted' }, coin]);
    expect(seen.positions).toEqual([]);
    expect(seen.unpriced).toEqual([{ stockId: 'acme', amount: decimal('-5') }]);
  });

  it('tells what the service does not list, an option by what it is worth', async () => {
    const { broker, standIn, account } = aWorld();
    standIn.tradeByHand(account, 'ACME', 'buy', decimal('1'));
    Object.assign(account, { cash: account.cash });
    const answer = [
      {
        symbol: 'AAPL261218C00200000',
        exchange: '',
        asset_class: 'us_option',
        qty: '1',
        side: 'long',
        market_value: '100',
        current_price: '1',
      },
    ];
    standIn.faults.add({ method: 'GET', path: '/v2/positions', kind: { answer } });
    const { positions } = await read(broker);
    expect(positions.map(({ stockId, value }) => [stockId, value.toFixed()])).toEqual([
      ['alpaca:AAPL261218C00200000', '100'],
    ]);
  });
});

describe('the rules', () => {
  const rulesOf = async (world: ReturnType<typeof aWorld>, stock: Stock) =>
    (await world.broker.rules(accessOf(stock.security), [stock])).get(stock.id);

  it('are of a new symbol within minutes: the list of all is a day old', async () => {
    const world = aWorld();
    expect(await rulesOf(world, acme)).toBeDefined();
    const renamed = { ...acme, symbol: 'APEX', stock: 'APEX' };
    world.pass(3_600_000);
    expect(await rulesOf(world, renamed)).toBeUndefined();
    const asked = (): number => world.standIn.log.length;
    const before = asked();
    expect(await rulesOf(world, renamed)).toBeUndefined();
    expect(asked()).toBe(before);
    world.standIn.asset('ACME').symbol = 'APEX';
    world.pass(15 * 60_000);
    expect(await rulesOf(world, renamed)).toMatchObject({ session: 'open' });
    const { amount, status } = await world.broker.place(access, orderOf(renamed));
    expect([amount.toFixed(), status]).toEqual(['2', 'open']);
    const other = { ...acme, symbol: 'BOLT', stock: 'BOLT' };
    world.standIn.addAsset({ symbol: 'BOLT', bid: '10', ask: '10.1' });
    expect(await rulesOf(world, other)).toMatchObject({ session: 'open' });
  });

  it('are fractions long and whole shares short, at least a dollar; coins at least ten', async () => {
    const world = aWorld();
    const stock = await rulesOf(world, acme);
    const told = [stock?.amountStep, stock?.shortStep, stock?.minTotal, stock?.priceStep];
    expect(told.map((one) => one?.toFixed())).toEqual(['0.000000001', '1', '1', '0.01']);
    expect(stock).toMatchObject({ allowsShort: true, crossesZero: false, session: 'open' });
    const coins = await rulesOf(world, coin);
    expect([coins?.minTotal.toFixed(), coins?.minAmount.toFixed()]).toEqual(['10', '0.0001']);
    expect(coins).toMatchObject({ allowsShort: false, session: 'open' });
  });

  // docs.alpaca.markets, "Crypto Spot Trading", trading limits.
  it('have no price step of zero, whatever the list says', async () => {
    const world = aWorld();
    Object.assign(world.standIn.asset('COIN/USD'), { priceIncrement: '0' });
    expect((await rulesOf(world, coin))?.priceStep?.toFixed()).toBe('0.01');
  });

  it('are at most 200,000 dollars an order in coins, and any sum in stocks', async () => {
    const world = aWorld();
    const most = await Promise.all([acme, coin].map((one) => rulesOf(world, one)));
    expect(most.map((rules) => rules?.maxTotal?.toFixed())).toEqual([undefined, '200000']);
  });

  it.each([
    ['0.0504', '0.0506'],
    ['0.9951', '0.9999'],
    ['1', '1.01'],
  ])('have limits within a collar of one percent at %s / %s, which fill', async (bid, ask) => {
    const world = aWorld();
    const prices = { bid: decimal(bid), ask: decimal(ask) };
    Object.assign(world.standIn.asset('ACME'), prices);
    const rules = await rulesOf(world, acme);
    if (!rules) throw new Error('no rules');
    for (const action of ['buy', 'sell'] as const) {
      const limit = collarPrice(prices, action, { collar: decimal('0.01'), ...rules });
      const clientOrderId = action.padEnd(32, 'a');
      const order = orderOf(acme, { clientOrderId, action, amount: decimal('100'), limit });
      expect((await world.broker.place(access, order)).reason).toBeNull();
      world.pass(1_000);
      const found = await world.broker.find(access, [clientOrderId]);
      expect(found.get(clientOrderId)?.status).toBe('filled');
    }
  });

  it.each([
    ['stock', acme, '0.01005', 0],
    ['stock', acme, '0.01015', 1],
    ['cryptocurrency', coin, '0.101', 0],
    ['cryptocurrency', coin, '0.103', 1],
  ] as const)('let a plan close what Alpaca takes: %#', async (type, stock, held, count) => {
    const world = aWorld({ coinFee: ZERO });
    const symbol = type === 'stock' ? 'ACME' : 'COIN/USD';
    world.standIn.tradeByHand(world.account, symbol, 'buy', decimal(held));
    const owner = accessOf(type);
    const account = await world.broker.account(owner, instrumentsOf([acme, coin]));
    const rules = await rulesOf(world, stock);
    if (!rules) throw new Error('no rules');
    const { bid, ask } = world.standIn.asset(symbol);
    const collar = DEFAULT_PRICE_COLLAR[type];
    const traded = { symbol, fee: ZERO, bid, ask, collar, doubt: null, rules };
    const { orders } = finish(planClosure(account, new Map([[stock.id, traded]])));
    expect(orders).toHaveLength(count);
    for (const { action, amount, limit } of orders) {
      const order = orderOf(stock, { action, amount, limit, closes: true });
      expect((await world.broker.place(owner, order)).reason).toBeNull();
    }
  });

  it.each([
    ['is not lent', { shortable: false }, { allowsShort: false }],
    ['is not sold in fractions', { fractionable: false }, { allowsShort: true }],
    ['cannot be traded', { tradable: false }, { session: 'halted' }],
  ])('of a stock that %s', async (_, change, expected) => {
    const world = aWorld();
    Object.assign(world.standIn.asset('ACME'), change);
    expect(await rulesOf(world, acme)).toMatchObject(expected);
  });

  it('are those of an account that may not sell short', async () => {
    const world = aWorld();
    world.account.shorting = false;
    expect(await rulesOf(world, acme)).toMatchObject({ allowsShort: false });
  });

  it.each([
    ['of another currency', aStock({ ...acme, peg: 'EUR' })],
    ['of an exchange outside the US', aStock({ ...acme, exchange: 'LSE' })],
    ['that Alpaca does not list', aStock({ ...acme, stock: 'NONE', symbol: 'NONE' })],
  ])('are none for a stock %s, and an order in it is rejected', async (_, stock) => {
    const world = aWorld();
    expect(await rulesOf(world, stock)).toBeUndefined();
    expect((await world.broker.place(access, orderOf(stock))).status).toBe('rejected');
    expect(world.standIn.log.some(({ method }) => method === 'POST')).toBe(false);
  });

  it('are those of a halted stock when Alpaca no longer lists it', async () => {
    const world = aWorld();
    world.standIn.asset('ACME').tradable = false;
    const body = { code: 40410000, message: 'asset not found' };
    world.standIn.faults.add({ path: '/v2/assets/', kind: { status: 404, body } });
    expect(await rulesOf(world, acme)).toMatchObject({ session: 'halted' });
  });

  it.each([
    ['no list', {}],
    ['a list of something else', [{ name: 'ACME' }]],
    ['an asset that lacks a field', [{ symbol: 'ACME', id: '1', tradable: true }]],
  ])('are unknown when the assets are %s', async (_, answer) => {
    const world = aWorld();
    world.standIn.faults.add({ method: 'GET', path: '/v2/assets', kind: { answer }, times: 2 });
    await expect(rulesOf(world, acme)).rejects.toBeInstanceOf(BrokerUnreachable);
  });

  it('are read again after an order in the stock was refused', async () => {
    const world = aWorld();
    expect(await rulesOf(world, acme)).toMatchObject({ session: 'open' });
    world.standIn.asset('ACME').tradable = false;
    expect(await rulesOf(world, acme)).toMatchObject({ session: 'open' });
    expect((await world.broker.place(access, orderOf(acme))).status).toBe('rejected');
    expect(await rulesOf(world, acme)).toMatchObject({ session: 'halted' });
  });
});

describe('the requests of an account', () => {
  const many = Array.from({ length: 20 }, (_, at) =>
    aStock({ ...acme, id: id<'stock'>(`s${at}`), symbol: `S${at}`, stock: `S${at}` }),
  );
  const worldOfMany = () => {
    const world = aWorld({ filling: 'by_hand' }, PAPER, { instruments: instrumentsOf(many) });
    for (const { symbol } of many) world.standIn.addAsset({ symbol, bid: '10', ask: '10.1' });
    return world;
  };

  it('are at most 26 for a rebalance of 20 stocks, 20 in a minute with 20 open orders', async () => {
    const { broker, standIn, pass } = worldOfMany();
    await broker.account(access, instrumentsOf(many));
    await broker.rules(access, many);
    for (const stock of many) await broker.place(access, orderOf(stock));
    expect(standIn.log.length).toBeLessThanOrEqual(26);
    const before = standIn.log.length;
    const ids = many.map((stock) => orderOf(stock).clientOrderId);
    for (let second = 0; second < 60; second += 5) {
      expect((await broker.find(access, ids)).size).toBe(20);
      pass(5_000);
    }
    await broker.account(access, instrumentsOf(many));
    expect(standIn.log.length - before).toBeLessThanOrEqual(20);
  });

  it.each([
    ['the time of its closing', '2026-01-05T12:00:30-05:00', 'closed'],
    ['a later closing', '2026-01-05T16:00:00-05:00', 'open'],
    ['no closing', undefined, 'open'],
  ])('take a market for open no longer than it said, by %s', async (_, next_close, session) => {
    const { broker, standIn, pass, clock } = aWorld();
    expect(new Date(clock.now()).toISOString()).toBe('2026-01-05T17:00:00.000Z');
    const answer = { is_open: true, next_close };
    standIn.faults.add({ path: '/v2/clock', kind: { answer } });
    const sessionNow = async () => (await broker.rules(access, [acme])).get(acme.id)?.session;
    expect(await sessionNow()).toBe('open');
    pass(30_000);
    expect(await sessionNow()).toBe(session);
  });

  it('are three a minute while it is idle: of them the clock is asked once for all accounts', async () => {
    const { broker, standIn, pass } = worldOfMany();
    const idle = async (): Promise<void> => {
      await broker.account(access, instrumentsOf(many));
      await broker.rules(access, many);
    };
    await idle();
    pass(60_000);
    const before = standIn.log.length;
    await idle();
    expect(standIn.log.slice(before).map(({ path }) => path)).toEqual([
      '/v2/positions',
      '/v2/account',
      '/v2/clock',
    ]);
  });

  it('are three for a reading after a fill, two otherwise', async () => {
    const { broker, standIn, pass } = aWorld();
    const readings = async (): Promise<readonly string[]> => {
      const before = standIn.log.length;
      await read(broker);
      return standIn.log.slice(before).map(({ path }) => path);
    };
    await readings();
    const order = orderOf(acme);
    await broker.place(access, order);
    expect(await readings()).toEqual(['/v2/positions', '/v2/account']);
    pass(1_000);
    await broker.find(access, [order.clientOrderId]);
    expect(await readings()).toEqual(['/v2/account', '/v2/positions', '/v2/account']);
    expect(await readings()).toEqual(['/v2/positions', '/v2/account']);
  });

  it('are refused here before Alpaca refuses them, readings first and cancellations last', async () => {
    const { broker, standIn, pass } = aWorld({ filling: 'by_hand' });
    const order = orderOf(acme);
    await broker.place(access, order);
    let spent = 0;
    const readAll = async (): Promise<void> => {
      for (; spent < 500; spent += 1) await read(broker);
    };
    await expect(readAll()).rejects.toBeInstanceOf(BrokerRateLimited);
    expect(standIn.log.length).toBe(120);
    expect((await broker.find(access, [order.clientOrderId])).size).toBe(1);
    const other = orderOf(acme, { clientOrderId: 'second'.padEnd(32, 'a') });
    expect((await broker.place(access, other)).status).toBe('open');
    const findAll = async (): Promise<void> => {
      for (;;) await broker.find(access, [order.clientOrderId]);
    };
    await expect(findAll()).rejects.toBeInstanceOf(BrokerRateLimited);
    expect(standIn.log.length).toBe(170);
    await broker.cancel(access, order.clientOrderId);
    expect(standIn.log.at(-1)?.method).toBe('DELETE');
    const refused = await read(broker).catch((error: unknown) => error as BrokerRateLimited);
    expect(refused).toMatchObject({ retryAfter: 60_000 });
    pass(60_000);
    expect((await read(broker)).allows).toBe('all');
  });

  const second = () => {
    const world = aWorld();
    const key = { key_id: 'PKTESTKEY00000000002', secret_key: 'secret-of-the-second-account' };
    const [keyId, secretKey] = [key.key_id, key.secret_key];
    world.standIn.addAccount({ number: 'PA3TEST00002', keyId, secretKey, cash: '10000' });
    const other: BrokerAccess = { ...access, accountId: 'PA3TEST00002', credentials: key };
    return { ...world, other };
  };

  it('of one account take none from another', async () => {
    const { broker, standIn, other } = second();
    standIn.faults.add({ method: 'GET', path: '/v2/account', kind: { status: 429 } });
    await expect(read(broker)).rejects.toBeInstanceOf(BrokerRateLimited);
    await expect(read(broker)).rejects.toBeInstanceOf(BrokerRateLimited);
    expect((await broker.account(other, instrumentsOf([]))).allows).toBe('all');
  });

  it.each([
    ['/v2/assets', { status: 401, body: { code: 40110000, message: 'no' } }, BrokerRefused],
    ['/v2/assets', { status: 429 }, BrokerRateLimited],
    ['/v2/clock', { status: 401, body: { code: 40110000, message: 'no' } }, BrokerRefused],
  ] as const)(
    'for all accounts (%s) refused to one (%j) are not refused to another',
    async (path, kind, error) => {
      const { broker, standIn, other } = second();
      await read(broker);
      await broker.account(other, instrumentsOf([]));
      standIn.faults.add({ method: 'GET', path, kind });
      const [mine, others] = await Promise.allSettled([
        broker.rules(access, [acme]),
        broker.rules(other, [acme]),
      ]);
      expect(mine).toMatchObject({ status: 'rejected', reason: expect.any(error) });
      expect(others).toMatchObject({ status: 'fulfilled' });
      expect(standIn.log.filter((request) => request.path === path)).toHaveLength(2);
    },
  );
});

describe('an order', () => {
  it('is sent as Alpaca takes it: day and intent for stocks, until cancelled for coins', async () => {
    const { broker, account, standIn } = aWorld();
    standIn.tradeByHand(account, 'ACME', 'buy', decimal('2'));
    const limit = decimal('99.5');
    await broker.place(access, orderOf(acme, { action: 'sell', closes: true, limit }));
    await broker.place(accessOf('cryptocurrency'), orderOf(coin));
    const [, stock, coins] = account.orders;
    expect(stock).toMatchObject({ side: 'sell', timeInForce: 'day', intent: 'sell_to_close' });
    expect([stock?.limitPrice?.toFixed(), coins?.limitPrice]).toEqual(['99.5', null]);
    expect(coins).toMatchObject({ side: 'buy', timeInForce: 'gtc', intent: null });
  });

  it('in a position that the owner has on sale already is rejected: his order stays', async () => {
    const { broker, account, standIn } = aWorld({ filling: 'by_hand' });
    standIn.tradeByHand(account, 'ACME', 'buy', decimal('2'));
    await broker.place(access, orderOf(acme, { action: 'sell', limit: decimal('200') }));
    const second = orderOf(acme, { action: 'sell', clientOrderId: 'second'.padEnd(32, 'a') });
    expect(await broker.place(access, second)).toMatchObject({
      status: 'rejected',
      reason: expect.stringContaining('insufficient qty available'),
    });
    expect(account.orders.at(-1)?.status).toBe('new');
  });

  it('with a stored key of the other kind is not sent at all', async () => {
    const { broker, standIn } = aWorld();
    const foreign: BrokerAccess = { ...access, credentials: LIVE_KEY };
    await expect(broker.place(foreign, orderOf(acme))).rejects.toBeInstanceOf(BrokerRefused);
    await expect(broker.find(foreign, ['x'])).rejects.toBeInstanceOf(BrokerRefused);
    expect(standIn.log).toEqual([]);
  });
});
