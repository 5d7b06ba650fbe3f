import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { type Stock, ZERO, decimal, id } from '@slipstream/domain';
import { aStock } from '@slipstream/port-contracts';
import { BrokerRateLimited, BrokerRefused, BrokerUnreachable } from '@slipstream/ports';
import type { Venue } from '@slipstream/stand-ins';
import { krakenId } from '../src/kraken/orders.js';
import {
  KEYS,
  LISTED,
  MINUTE,
  NAMES,
  REQUESTS,
  aWorld,
  accessOf,
  acme,
  btc,
  coin,
  instrumentsOf,
  orderOf,
} from './fixture.js';

const linkOf = (name: (typeof NAMES)[number]) =>
  ({
    userId: id<'user'>('user-1'),
    type: 'cryptocurrency',
    accountId: undefined,
    credentials: KEYS[name],
  }) as const;

const numbers = (positions: readonly { stockId: string; amount: { toFixed(): string } }[]) =>
  positions.map(({ stockId, amount }) => [stockId, amount.toFixed()]);

describe.each(NAMES)('linking at %s', (name) => {
  it('tells what the account is and holds, and what is not counted', async () => {
    const { broker, standIn, account } = aWorld(name);
    standIn.tradeByHand(account, 'BTC', 'buy', decimal('0.1'));
    standIn.move(account, 'ODD', decimal('5'));
    const linked = await broker.link(linkOf(name));
    expect(linked).toMatchObject({ live: true, label: expect.stringContaining(account.id) });
    expect(linked.holdings.map(({ instrument, amount }) => [instrument, amount.toFixed()])).toEqual(
      [
        ['BTC', '0.1'],
        ['ODD', '5'],
      ],
    );
    expect(linked.warnings).toEqual([expect.stringMatching(/^ODD has no price in dollars/)]);
  });

  it.each([
    ['may withdraw', { mayWithdraw: true }, /may withdraw or transfer/],
    ['may not trade', { mayTrade: false }, /may not read, trade and cancel/],
  ])(
    'refuses a key that %s, and so does every later call of a process',
    async (_, change, words) => {
      const { broker, account } = aWorld(name);
      Object.assign(account, change);
      await expect(broker.link(linkOf(name))).rejects.toThrow(words);
      await expect(broker.account(accessOf(name), LISTED)).rejects.toBeInstanceOf(BrokerRefused);
    },
  );

  it('refuses within an hour a key that may withdraw since, still ends its orders, and takes it again once it may not', async () => {
    const { broker, pass, account } = aWorld(name);
    const access = accessOf(name);
    const order = orderOf(coin, { limit: decimal('1') });
    await broker.place(access, order);
    account.mayWithdraw = true;
    pass(60 * MINUTE);
    for (const _try of [1, 2]) {
      const refused = await broker.account(access, LISTED).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(BrokerRefused);
      expect(String(refused)).toMatch(/may withdraw or transfer/);
    }
    await broker.cancel(access, order.clientOrderId);
    pass(MINUTE);
    const found = await broker.find(access, [order.clientOrderId]);
    expect(found.get(order.clientOrderId)?.status).toBe('cancelled');
    account.mayWithdraw = false;
    expect((await broker.account(access, LISTED)).cash.toFixed()).toBe('10000');
  });

  it('asks once an hour what the key may do', async () => {
    let asked = 0;
    const around =
      (venue: Venue): Venue =>
      (request) => {
        if (/GetApiKeyInfo|key_permissions/.test(request.path)) asked += 1;
        return venue(request);
      };
    const { broker, pass } = aWorld(name, { around });
    for (let minutes = 0; minutes < 120; minutes += 5) {
      await broker.account(accessOf(name), LISTED);
      pass(5 * MINUTE);
    }
    expect(asked).toBe(2);
  });

  it.each([' ', '\n', '\r\n', '\t'])(
    'takes a key that was pasted with %j around it',
    async (white) => {
      const { broker } = aWorld(name);
      const pasted = Object.entries(linkOf(name).credentials).map(([field, text]) => [
        field,
        `${white}${text}${white}`,
      ]);
      const credentials = Object.fromEntries(pasted) as Readonly<Record<string, string>>;
      const { accountId } = await broker.link(linkOf(name));
      expect((await broker.link({ ...linkOf(name), credentials })).accountId).toBe(accountId);
    },
  );

  it.each([
    ['stocks', { type: 'stock' as const }, /coins only/],
    ['another account', { accountId: 'somebody' }, /not of somebody/],
    [
      'what is no key',
      { credentials: { api_key: 'x', private_key: 'canary' } },
      /must be those of/,
    ],
  ])('refuses %s, and says nothing of the key', async (_, change, words) => {
    const { broker } = aWorld(name);
    const refused = await broker
      .link({ ...linkOf(name), ...change })
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(BrokerRefused);
    expect((refused as Error).message).toMatch(words);
    expect(String(refused) + String((refused as Error).cause)).not.toContain('canary');
  });
});

it('a key of Kraken that may not query orders is refused at the link', async () => {
  const { broker, standIn } = aWorld('kraken');
  const answer = { error: ['EGeneral:Permission denied'] };
  standIn.faults.add({ method: 'POST', path: '/0/private/ClosedOrders', kind: { answer } });
  const refused = broker.link(linkOf('kraken'));
  await expect(refused).rejects.toThrow(
    /does not allow it to do that \(EGeneral:Permission denied\)/,
  );
});

describe('a private key of Coinbase', () => {
  const secretOf = (curve: string, type: 'sec1' | 'pkcs8') =>
    generateKeyPairSync('ec', { namedCurve: curve })
      .privateKey.export({ type, format: 'pem' })
      .toString();

  it.each([
    ['as Coinbase shows it', (pem: string) => pem],
    ['with its line breaks as in JSON', (pem: string) => pem.replaceAll('\n', '\\n')],
  ])('is taken %s', async (_, written) => {
    const { broker } = aWorld('coinbase');
    const private_key = written(KEYS.coinbase.private_key);
    const credentials = { ...KEYS.coinbase, private_key };
    expect((await broker.link({ ...linkOf('coinbase'), credentials })).live).toBe(true);
  });

  it('is taken in PKCS8 too', async () => {
    const { broker, standIn, account } = aWorld('coinbase');
    const private_key = secretOf('prime256v1', 'pkcs8');
    const [apiKey, credentials] = ['organizations/a/apiKeys/b', { private_key }];
    standIn.addAccount({ id: account.id, apiKey, secret: private_key, cash: '1' });
    const link = { ...linkOf('coinbase'), credentials: { ...credentials, key_name: apiKey } };
    expect((await broker.link(link)).accountId).toBe(account.id);
  });

  it.each([secretOf('secp256k1', 'sec1'), 'canary', '-----BEGIN EC PRIVATE KEY-----\ncanary'])(
    'is refused when it is none (%#)',
    async (private_key) => {
      const { broker } = aWorld('coinbase');
      const credentials = { ...KEYS.coinbase, private_key };
      const refused = broker.link({ ...linkOf('coinbase'), credentials });
      await expect(refused).rejects.toThrow(/^private_key must be the EC private key/);
    },
  );
});

describe.each(NAMES)('an account at %s', (name) => {
  const access = accessOf(name);

  it('is its dollars and what has a price in dollars; open orders take their part of what is free', async () => {
    const { broker, standIn, account } = aWorld(name, { filling: 'by_hand', fee: decimal('0') });
    standIn.tradeByHand(account, 'BTC', 'buy', decimal('0.1'));
    standIn.move(account, 'ODD', decimal('5'));
    await broker.place(access, orderOf(coin));
    const read = await broker.account(access, instrumentsOf([coin]));
    expect([read.equity, read.cash, read.buyingPower].map((one) => one.toFixed())).toEqual([
      '9999',
      '3999',
      '3795',
    ]);
    expect(numbers(read.positions)).toEqual([[`${name}:BTC`, '0.1']]);
    expect([read.maxGross.toFixed(), read.allows]).toEqual(['1', 'all']);
  });

  it('holds our only coin of that name wherever we quote it, else that of this exchange', async () => {
    const { broker, standIn, account } = aWorld(name);
    standIn.tradeByHand(account, 'COIN', 'buy', decimal('1'));
    const elsewhere = (exchange: string) => aStock({ ...coin, id: id(exchange), exchange });
    const read = async (...all: readonly Stock[]) =>
      numbers((await broker.account(access, instrumentsOf(all))).positions);
    expect(await read(elsewhere('BITFINEX'))).toEqual([['BITFINEX', '1']]);
    const [own, other] = [elsewhere(name.toUpperCase()), elsewhere('BITFINEX')];
    expect(await read(other, own)).toEqual([[name.toUpperCase(), '1']]);
    await expect(read(other, elsewhere('GEMINI'))).rejects.toThrow(/several exchanges/);
  });

  it('is unknown without the price of something that it holds', async () => {
    const { broker, standIn, account } = aWorld(name);
    standIn.tradeByHand(account, 'COIN', 'buy', decimal('1'));
    standIn.quote('COIN', '0', '0');
    await expect(broker.account(access, LISTED)).rejects.toThrow(/no price of COIN/);
  });

  it('tells the amount of what we list when its market goes away: it was not sold', async () => {
    const { broker, standIn, account, pass } = aWorld(name);
    standIn.tradeByHand(account, 'COIN', 'buy', decimal('1'));
    standIn.move(account, 'ODD', decimal('5'));
    const read = async () => {
      const { positions, unpriced = [] } = await broker.account(access, LISTED);
      return [
        numbers(positions),
        unpriced.map(({ stockId, amount }) => [stockId, amount.toFixed()]),
      ];
    };
    expect(await read()).toEqual([[['coin', '1']], []]);
    standIn.market('COIN').listed = false;
    pass(86_400_000);
    expect(await read()).toEqual([[], [['coin', '1']]]);
  });

  it('tells the amount of what we list while its market neither trades nor has a price', async () => {
    const { broker, standIn, account } = aWorld(name);
    standIn.tradeByHand(account, 'COIN', 'buy', decimal('1'));
    standIn.quote('COIN', '0', '0');
    standIn.market('COIN').halted = true;
    const { positions, unpriced = [] } = await broker.account(access, LISTED);
    expect(positions).toEqual([]);
    expect(unpriced.map(({ stockId, amount }) => [stockId, amount.toFixed()])).toEqual([
      ['coin', '1'],
    ]);
  });

  it('leaves out what we do not list and nobody prices: nothing of it is ever traded', async () => {
    const { broker, standIn, account } = aWorld(name);
    standIn.tradeByHand(account, 'COIN', 'buy', decimal('1'));
    standIn.tradeByHand(account, 'BTC', 'buy', decimal('0.1'));
    standIn.quote('BTC', '0', '0');
    const { positions } = await broker.account(access, instrumentsOf([coin]));
    expect(numbers(positions)).toEqual([['coin', '1']]);
  });

  it('does not depend on a market that has gone for another account', async () => {
    const { broker, standIn, account, pass } = aWorld(name);
    standIn.tradeByHand(account, 'COIN', 'buy', decimal('1'));
    standIn.tradeByHand(account, 'BTC', 'buy', decimal('0.1'));
    expect((await broker.account(access, LISTED)).positions).toHaveLength(2);
    expect((await broker.rules(access, [coin, btc])).size).toBe(2);
    standIn.market('COIN').listed = false;
    pass(MINUTE);
    expect((await broker.rules(access, [btc])).get(btc.id)?.session).toBe('open');
    pass(24 * 60 * MINUTE);
    expect(numbers((await broker.account(access, LISTED)).positions)).toEqual([['btc', '0.1']]);
    expect([...(await broker.rules(access, [coin, btc])).keys()]).toEqual(['btc']);
  });

  it('asks for the list once when a market has gone, not with each question', async () => {
    const { broker, standIn, account, pass } = aWorld(name);
    for (const one of ['COIN', 'BTC']) standIn.tradeByHand(account, one, 'buy', decimal('0.1'));
    const publicRequests = async (): Promise<number> => {
      pass(11_000);
      const before = standIn.log.length;
      await broker.account(access, LISTED);
      return standIn.log.slice(before).filter(({ keyKind }) => keyKind === '').length;
    };
    await publicRequests();
    standIn.market('COIN').listed = false;
    await publicRequests();
    expect([await publicRequests(), await publicRequests()]).toEqual([1, 1]);
  });
});

describe('balances', () => {
  it('of Kraken that earn by themselves are the coin, those that are staked are not', async () => {
    const { broker, standIn, account } = aWorld('kraken');
    standIn.tradeByHand(account, 'BTC', 'buy', decimal('0.1'));
    standIn.move(account, 'XBT.F', decimal('0.2'));
    standIn.move(account, 'XBT.M', decimal('7'));
    standIn.move(account, 'USD.F', decimal('100'));
    const { positions, cash } = await broker.account(accessOf('kraken'), LISTED);
    expect(numbers(positions)).toEqual([['btc', '0.3']]);
    expect(cash.toFixed()).toBe(account.balances.get('USD')?.plus('100').toFixed());
  });

  it('of Coinbase are read page by page, until they are of one moment', async () => {
    const { broker, standIn, account } = aWorld('coinbase');
    for (let one = 0; one < 260; one += 1) account.balances.set(`C${one}`, decimal('0'));
    standIn.move(account, 'COIN', decimal('3'));
    const read = () => broker.account(accessOf('coinbase'), LISTED);
    expect(numbers((await read()).positions)).toEqual([['coin', '3']]);
    const { account: accounts } = REQUESTS.coinbase;
    const wrong = { accounts: [], has_next: true, cursor: '' };
    standIn.faults.add({ ...accounts, kind: { answer: wrong } });
    await expect(read()).rejects.toThrow(/does not show all balances/);
  });
});

describe.each(NAMES)('the rules at %s', (name) => {
  const access = accessOf(name);

  it('are those of the market, with the fee in reserve', async () => {
    const { broker, standIn } = aWorld(name);
    const steps = { amountStep: decimal('0.001'), priceStep: decimal('0.05') };
    standIn.addMarket({ coin: 'BTC', bid: '1', ask: '2', minAmount: decimal('0.01'), ...steps });
    const rules = (await broker.rules(access, [btc])).get(btc.id);
    const told = [rules?.amountStep, rules?.shortStep, rules?.priceStep, rules?.minAmount];
    expect(told.map((one) => one?.toFixed())).toEqual(['0.001', '0.001', '0.05', '0.01']);
    expect([rules?.minTotal.toFixed(), rules?.checkReserve.toFixed()]).toEqual(['0.5', '0.004']);
    expect(rules).toMatchObject({ allowsShort: false, crossesZero: false, session: 'open' });
  });

  it.each([
    ['a stock', acme],
    ['a coin in another currency', aStock({ ...coin, peg: 'EUR' })],
    ['a coin that it does not list', aStock({ ...coin, id: id('none'), stock: 'NONE' })],
  ])('are none for %s, and an order in it is rejected here', async (_, stock) => {
    const { broker, standIn } = aWorld(name);
    expect((await broker.rules(access, [stock])).size).toBe(0);
    expect((await broker.place(access, orderOf(stock))).status).toBe('rejected');
    expect(standIn.log.some(({ path }) => path === REQUESTS[name].place.path)).toBe(false);
  });

  it('are read again, at most once a minute, when an order was refused: the market may have other steps by now', async () => {
    const { broker, standIn, pass } = aWorld(name);
    const stepOf = async () =>
      (await broker.rules(access, [btc])).get(btc.id)?.amountStep.toFixed();
    const refuse = (clientOrderId: string) =>
      broker.place(access, orderOf(btc, { clientOrderId, amount: decimal('0.00000001') }));
    const become = (step: string) => {
      const amountStep = decimal(step);
      standIn.addMarket({ coin: 'BTC', bid: '1', ask: '2', amountStep, minAmount: decimal('1') });
    };
    expect(await stepOf()).toBe('0.00000001');
    become('0.01');
    pass(MINUTE);
    expect(await stepOf()).toBe('0.00000001');
    expect((await refuse('a'.repeat(32))).status).toBe('rejected');
    expect(await stepOf()).toBe('0.01');
    become('0.1');
    expect((await broker.place(access, orderOf(coin, { amount: decimal('0.00001') }))).status).toBe(
      'rejected',
    );
    expect(await stepOf()).toBe('0.01');
  });

  it.each(['amountStep', 'priceStep'] as const)(
    'have no %s of zero: the coin is traded by another one, or not at all',
    async (step) => {
      const { broker, standIn } = aWorld(name);
      standIn.addMarket({ coin: 'BTC', bid: '1', ask: '2', [step]: ZERO });
      const found = await broker.rules(access, [btc, coin]);
      expect(found.get(btc.id)?.[step]?.gt(ZERO) ?? name === 'coinbase').toBe(true);
      expect(found.has(coin.id)).toBe(true);
    },
  );

  // docs.cdp.coinbase.com, "List Products": `base_max_size` and `quote_max_size`. Kraken names no largest order.
  it('have the largest order that the market tells', async () => {
    const { broker, standIn } = aWorld(name);
    standIn.addMarket({ coin: 'BTC', bid: '1', ask: '2', maxAmount: decimal('3') });
    const rules = (await broker.rules(access, [btc])).get(btc.id);
    const most = [rules?.maxAmount, rules?.maxTotal].map((one) => one?.toFixed());
    expect(most).toEqual(name === 'coinbase' ? ['3', '150000000'] : [undefined, undefined]);
  });
});

describe.each(NAMES)('an order at %s', (name) => {
  const access = accessOf(name);

  it('goes as it is: limit, amount and an id that the exchange takes', async () => {
    const { broker, account } = aWorld(name, { filling: 'by_hand' });
    await broker.place(access, orderOf(coin, { amount: decimal('1.23e-2') }));
    const [order] = account.orders;
    expect([order?.amount.toFixed(), order?.limit?.toFixed()]).toEqual(['0.0123', '102']);
    expect(order?.clientOrderId).toMatch(name === 'kraken' ? /^[0-9a-f-]{36}$/ : /^coin-1a+$/);
  });

  it.each([
    ['an amount of no whole steps', { amount: decimal('2.000000001') }, /multiples of 0.00000001/],
    ['a price of no whole steps', { limit: decimal('102.001') }, /multiples of 0.01/],
  ])('with %s is rejected here', async (_, change, words) => {
    const { broker, account } = aWorld(name);
    const answer = await broker.place(access, orderOf(coin, change));
    expect([answer.status, answer.reason]).toEqual(['rejected', expect.stringMatching(words)]);
    expect(account.orders).toEqual([]);
  });

  it('that buys back what a balance is below zero is sent as any other', async () => {
    const { broker, standIn, account, pass } = aWorld(name);
    standIn.move(account, 'COIN', decimal('-2'));
    const read = async () => (await broker.account(access, LISTED)).positions;
    expect((await read()).map(({ amount }) => amount.toFixed())).toEqual(['-2']);
    expect((await broker.place(access, orderOf(coin, { closes: true }))).status).toBe('open');
    pass(MINUTE);
    await broker.find(access, [orderOf(coin).clientOrderId]);
    expect(await read()).toEqual([]);
  });

  it('that is refused says why in the words of the exchange, and may be sent again', async () => {
    const { broker, standIn, account, pass } = aWorld(name);
    const order = orderOf(coin, { amount: decimal('200'), limit: null });
    const refused = await broker.place(access, order);
    expect([refused.status, refused.reason]).toEqual([
      'rejected',
      expect.stringMatching(/insufficient fund/i),
    ]);
    standIn.move(account, 'USD', decimal('20000'));
    expect((await broker.place(access, order)).status).toBe('open');
    pass(1_000);
    const found = (await broker.find(access, [order.clientOrderId])).get(order.clientOrderId);
    expect(found?.status).toBe('filled');
  });

  it.each<[string, string, string, boolean]>([
    ['of a status without meaning is open, and says so', 'WAITING', '2', true],
    ['with an amount that is no number is unknown', 'OPEN', 'much', false],
  ])('%s', async (_, open, amount, isKnown) => {
    const { broker, standIn } = aWorld(name, { filling: 'by_hand' });
    const order = orderOf(coin);
    await broker.place(access, order);
    const row =
      name === 'kraken'
        ? {
            cl_ord_id: krakenId(order.clientOrderId),
            status: open.toLowerCase(),
            descr: { pair: 'COINUSD', type: 'buy' },
            ...{ vol: amount, vol_exec: '0', price: '0', fee: '0', oflags: 'fciq' },
          }
        : {
            client_order_id: order.clientOrderId,
            ...{ order_id: '1', product_id: 'COIN-USD', side: 'BUY', status: open },
            created_time: '2026-03-04T15:00:00Z',
            order_configuration: { limit_limit_gtc: { base_size: amount } },
            ...{ filled_size: '0', average_filled_price: '0', total_fees: '0' },
          };
    const answer =
      name === 'kraken'
        ? { error: [], result: { open: { OSTAND: row } } }
        : { orders: [row], has_next: false, cursor: '' };
    standIn.faults.add({ ...REQUESTS[name].find, kind: { answer } });
    const found = broker.find(access, [order.clientOrderId]);
    if (!isKnown) return expect(found).rejects.toBeInstanceOf(BrokerUnreachable);
    expect((await found).get(order.clientOrderId)).toMatchObject({
      status: 'open',
      reason: expect.stringMatching(/says "waiting", which is no known status/i),
    });
  });

  it('that the exchange answers with another one is unknown', async () => {
    const { broker, standIn } = aWorld(name, { filling: 'by_hand' });
    const answer =
      name === 'kraken'
        ? {
            error: [],
            result: { txid: ['OOTHER-ORDER'], descr: { order: 'sell 7 COINUSD @ market' } },
          }
        : {
            success: true,
            success_response: {
              ...{ order_id: '1', product_id: 'COIN-USD', side: 'BUY', client_order_id: 'other' },
            },
          };
    standIn.faults.add({ ...REQUESTS[name].place, kind: { answer } });
    await expect(broker.place(access, orderOf(coin))).rejects.toThrow(/another order/);
  });

  it('is found behind hundreds of the owner’s, and beside his trades', async () => {
    const { broker, standIn, account, pass } = aWorld(name);
    const order = orderOf(coin);
    await broker.place(access, order);
    pass(1_000);
    await broker.account(access, LISTED);
    for (let one = 0; one < 260; one += 1)
      standIn.tradeByHand(account, 'COIN', one % 2 === 0 ? 'buy' : 'sell', decimal('0.01'));
    const found = await broker.find(access, [order.clientOrderId]);
    expect(found.get(order.clientOrderId)?.filledAmount.toFixed()).toBe('2');
    pass(MINUTE);
    expect((await broker.find(access, ['never'.padEnd(32, 'b')])).size).toBe(0);
  });
});

it('an order at Coinbase is not "not found" before all pages were read', async () => {
  const { broker, standIn } = aWorld('coinbase');
  const page = { orders: [], has_next: true, cursor: '' };
  standIn.faults.add({ ...REQUESTS.coinbase.find, kind: { answer: page } });
  const found = broker.find(accessOf('coinbase'), ['never'.padEnd(32, 'b')]);
  await expect(found).rejects.toThrow(/does not show the rest/);
});

it('orders at Kraken other than those that were asked for are no answer', async () => {
  const { broker, standIn } = aWorld('kraken');
  const answer = { error: [], result: { closed: { OOTHER: { cl_ord_id: 'other' } } } };
  const closed = { method: 'POST', path: '/0/private/ClosedOrders' };
  standIn.faults.add({ ...closed, kind: { answer } });
  const found = broker.find(accessOf('kraken'), ['never'.padEnd(32, 'b')]);
  await expect(found).rejects.toThrow(/other orders/);
});

it('ids for Kraken are UUIDs, one for each of ours', () => {
  const ids = ['a', 'b', 'c'].map((one) => krakenId(one.repeat(32)));
  expect(new Set(ids).size).toBe(3);
  for (const one of ids)
    expect(one).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(krakenId('a'.repeat(32))).toBe(ids[0]);
});

describe('the requests of an account at Kraken', () => {
  const access = accessOf('kraken');

  it('are two questions a minute while it is idle, and the public ones serve all accounts', async () => {
    const { broker, standIn, account, pass } = aWorld('kraken');
    standIn.tradeByHand(account, 'COIN', 'buy', decimal('1'));
    const idle = async (): Promise<string[]> => {
      pass(MINUTE);
      const before = standIn.log.length;
      await broker.account(access, LISTED);
      await broker.rules(access, [coin, btc]);
      return standIn.log.slice(before).map(({ path }) => path.split('/').at(-1) ?? '');
    };
    await idle();
    expect(await idle()).toEqual(['BalanceEx', 'Ticker', 'AssetPairs']);
  });

  it('run short for readings first, and never for cancellations', async () => {
    const { broker, standIn, pass } = aWorld('kraken', { filling: 'by_hand' });
    const order = orderOf(coin);
    await broker.place(access, order);
    const readAll = async (): Promise<void> => {
      for (;;) await broker.account(access, LISTED);
    };
    await expect(readAll()).rejects.toBeInstanceOf(BrokerRateLimited);
    expect((await broker.find(access, [order.clientOrderId])).size).toBe(1);
    await broker.cancel(access, order.clientOrderId);
    expect(standIn.log.at(-1)?.path).toBe('/0/private/CancelOrder');
    pass(45_000);
    expect((await broker.account(access, LISTED)).allows).toBe('all');
  });

  it('are one for twenty open orders', async () => {
    const { broker, standIn, pass } = aWorld('kraken', { filling: 'by_hand' });
    const orders = Array.from({ length: 20 }, (_, at) =>
      orderOf(coin, { clientOrderId: `many-${at}`.padEnd(32, 'a'), amount: decimal('0.1') }),
    );
    for (const order of orders) await broker.place(access, order);
    pass(MINUTE);
    const before = standIn.log.length;
    const ids = orders.map(({ clientOrderId }) => clientOrderId);
    expect((await broker.find(access, ids)).size).toBe(20);
    expect(standIn.log.length - before).toBe(1);
  });

  it('have rising nonces, also when several go at once', async () => {
    const { broker } = aWorld('kraken');
    const all = [1, 2, 3, 4].map(() => broker.account(access, LISTED));
    expect((await Promise.all(all)).map(({ allows }) => allows)).toEqual(Array(4).fill('all'));
  });
});

it('a key of Kraken that may not query the ledger reports nothing, and is not refused', async () => {
  const { broker, standIn } = aWorld('kraken');
  const answer = { error: ['EGeneral:Permission denied'] };
  standIn.faults.add({ method: 'POST', path: '/0/private/Ledgers', kind: { answer } });
  const report = broker.activities?.(accessOf('kraken'), LISTED, 0);
  await expect(report).rejects.toThrow(/does not let this key query ledger entries/);
});
