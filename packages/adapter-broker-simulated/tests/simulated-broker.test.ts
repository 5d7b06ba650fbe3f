import { countingIds } from '@slipstream/adapter-memory/testing';
import {
  type ScriptedFaults,
  scriptedFaults,
  simulatedBroker,
} from '@slipstream/adapter-broker-simulated';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Stock, decimal, decimalText, id } from '@slipstream/domain';
import { aQuote, anAccess } from '@slipstream/port-contracts';
import {
  type BrokerAccess,
  type BrokerLink,
  BrokerRateLimited,
  BrokerRefused,
  BrokerUnreachable,
} from '@slipstream/ports';
import { aWorld, acme, coin } from './world.js';

let world: ReturnType<typeof aWorld>;
let access: BrokerAccess;
let faults: ScriptedFaults;

const linked = async (
  type: 'stock' | 'cryptocurrency' = 'stock',
  credentials: BrokerLink['credentials'] = {},
) =>
  anAccess(
    await world.broker.link({ userId: id('user-1'), type, accountId: undefined, credentials }),
  );

const order = (
  clientOrderId: string,
  action: 'buy' | 'sell',
  amount: string,
  stock: Stock = acme,
) => ({ clientOrderId, stock, action, amount: decimal(amount), limit: null, closes: false });

const find = async (clientOrderId: string, broker = world.broker) =>
  (await broker.find(access, [clientOrderId])).get(clientOrderId);

const account = async () => {
  const { cash, equity, positions } = await world.broker.account(access, world.instruments);
  return {
    cash: decimalText(cash),
    equity: decimalText(equity),
    held: positions.map(({ amount }) => decimalText(amount)),
  };
};

beforeEach(async () => {
  world = aWorld();
  faults = world.faults;
  access = await linked();
});

describe('linking a simulated account (contract 4)', () => {
  it.each([
    [{}, '10000'],
    [{ starting_balance: '2500.5' }, '2500.5'],
  ])('with credentials %j begins with %s', async (credentials, cash) => {
    access = await linked('stock', credentials);
    expect((await account()).cash).toBe(cash);
  });

  it.each([
    { starting_balance: '0' },
    { starting_balance: '-5' },
    { starting_balance: '1e9' },
    { starting_balance: '10000000000000' },
  ])('refuses credentials %j', async (credentials) => {
    await expect(linked('stock', credentials)).rejects.toBeInstanceOf(BrokerRefused);
  });

  it("joins the user's own account again, and refuses another type's", async () => {
    const { broker } = world;
    const mine = {
      userId: id<'user'>('user-1'),
      type: 'stock',
      accountId: 'mine',
      credentials: {},
    } as const;
    const first = anAccess(await broker.link(mine));
    await broker.place(first, order('a', 'buy', '1'));
    const again = anAccess(
      await broker.link({ ...mine, credentials: { starting_balance: '10000.00' } }),
    );
    expect((await broker.account(again, world.instruments)).positions).toHaveLength(1);
    const other = { ...mine, credentials: { starting_balance: '1' } };
    await expect(broker.link(other)).rejects.toThrow('starting_balance of account mine cannot');
    await expect(broker.link({ ...mine, type: 'cryptocurrency' })).rejects.toThrow('of type stock');
  });

  it('keeps no name from anybody else: each has an account of their own', async () => {
    const { broker } = world;
    const link = async (userId: string, accountId: string) =>
      anAccess(
        await broker.link({
          userId: id<'user'>(userId),
          type: 'stock',
          accountId,
          credentials: {},
        }),
      );
    const first = await link('user-1', 'savings');
    const second = await link('user-2', 'savings');
    expect([first.accountId, second.accountId]).toEqual(['savings', 'savings.user-2']);
    await broker.place(second, order('a', 'buy', '1'));
    expect((await broker.account(first, world.instruments)).positions).toEqual([]);
    expect((await link('user-2', 'savings')).accountId).toBe(second.accountId);
    expect((await link('user-2', 'savings.user-2')).accountId).toBe(second.accountId);
    // What tells them apart can be asked for by nobody else.
    await expect(link('user-1', 'savings.user-3')).rejects.toThrow('letters, digits');
    expect((await link('user-3', 'savings')).accountId).toBe('savings.user-3');
  });

  it('opens nothing with the access of another user', async () => {
    const wrong = { ...access, credentials: { user_id: 'user-2' } };
    await expect(world.broker.account(wrong, world.instruments)).rejects.toBeInstanceOf(
      BrokerRefused,
    );
  });
});

describe('filling', () => {
  it("is the domain's: the far side of the quote, worse by the slippage", async () => {
    const bought = await world.broker.place(access, order('a', 'buy', '10'));
    expect(decimalText(bought.filledPrice ?? decimal('0'))).toBe('101.101');
    expect(await account()).toEqual({ cash: '8988.99', equity: '9988.99', held: ['10'] });
    const sold = await world.broker.place(access, order('b', 'sell', '10'));
    expect(decimalText(sold.filledPrice ?? decimal('0'))).toBe('99.9');
    expect(await account()).toEqual({ cash: '9987.99', equity: '9987.99', held: [] });
  });

  it('takes the fee of coins', async () => {
    access = await linked('cryptocurrency');
    await world.broker.place(access, order('a', 'buy', '10', coin));
    expect((await account()).cash).toBe('8987.475');
  });

  it('rejects what is beyond twice the equity, and lets what reduces through', async () => {
    expect(await world.broker.place(access, order('a', 'buy', '190'))).toMatchObject({
      status: 'filled',
    });
    expect(await world.broker.place(access, order('b', 'buy', '10'))).toMatchObject({
      status: 'rejected',
      reason: 'there is not enough buying power',
    });
    world.quotes.set(acme.id, aQuote({ stockId: acme.id, bid: decimal('80'), ask: decimal('81') }));
    expect(await world.broker.place(access, order('c', 'sell', '50'))).toMatchObject({
      status: 'filled',
    });
  });

  it('lends whole shares, and lets a fraction that is left be bought back', async () => {
    world = aWorld({ shortStep: decimal('1') });
    access = await linked();
    expect(await world.broker.place(access, order('a', 'sell', '1.5'))).toMatchObject({
      status: 'rejected',
      reason: 'a short position must be a multiple of 1',
    });
    await world.broker.place(access, order('b', 'sell', '2'));
    expect(await world.broker.place(access, order('c', 'buy', '1.5'))).toMatchObject({
      status: 'filled',
    });
    expect((await account()).held).toEqual(['-0.5']);
  });

  it('lets coins be bought with cash only', async () => {
    access = await linked('cryptocurrency');
    expect(await world.broker.place(access, order('a', 'buy', '100', coin))).toMatchObject({
      status: 'rejected',
    });
  });

  it('waits for the first quote of the session', async () => {
    const quote = aQuote({ stockId: acme.id, ask: decimal('101') });
    world.quotes.set(acme.id, { ...quote, at: quote.at - 1 });
    expect((await world.broker.rules(access, [acme])).get(acme.id)).toMatchObject({
      session: 'closed',
    });
    expect(await world.broker.place(access, order('a', 'buy', '1'))).toMatchObject({
      status: 'open',
    });
    world.quotes.set(acme.id, quote);
    expect(await find('a')).toMatchObject({ status: 'filled' });
  });

  it('values nothing by a guess', async () => {
    await world.broker.place(access, order('a', 'buy', '10'));
    world.quotes.delete(acme.id);
    await expect(world.broker.account(access, world.instruments)).rejects.toBeInstanceOf(
      BrokerUnreachable,
    );
  });

  it('is kept: another broker over the same storage goes on', async () => {
    await world.broker.place(access, order('a', 'buy', '10'));
    const { unitOfWork, market } = world;
    const restarted = simulatedBroker({ unitOfWork, ids: countingIds(), market });
    expect((await find('a', restarted))?.status).toBe('filled');
    expect(decimalText((await restarted.account(access, world.instruments)).cash)).toBe('8988.99');
  });
});

describe('faults to order', () => {
  it('fill half now and the rest at the next look, at an average price', async () => {
    faults.on('place', 'partial');
    const placed = await world.broker.place(access, order('a', 'buy', '10'));
    expect(placed).toMatchObject({ status: 'open' });
    expect(decimalText(placed.filledAmount)).toBe('5');
    world.quotes.set(
      acme.id,
      aQuote({ stockId: acme.id, bid: decimal('110'), ask: decimal('111') }),
    );
    const found = await find('a');
    expect(found).toMatchObject({ status: 'filled' });
    expect(decimalText(found?.filledPrice ?? decimal('0'))).toBe('106.106');
  });

  it('keep what is filled when the rest is cancelled', async () => {
    faults.on('place', 'partial');
    await world.broker.place(access, order('a', 'buy', '10'));
    world.setOpen(false);
    await world.broker.cancel(access, 'a');
    const found = await find('a');
    expect(found).toMatchObject({ status: 'cancelled' });
    expect((await account()).held).toEqual(['5']);
  });

  it('reject, slow down, refuse and fail', async () => {
    faults.on('place', 'reject', { rateLimited: 5_000 }, 'refused', 'server_error');
    expect(await world.broker.place(access, order('a', 'buy', '1'))).toMatchObject({
      status: 'rejected',
    });
    const slowed = world.broker.place(access, order('b', 'buy', '1'));
    await expect(slowed).rejects.toEqual(new BrokerRateLimited(5_000));
    await expect(slowed).rejects.toMatchObject({ retryAfter: 5_000 });
    await expect(world.broker.place(access, order('c', 'buy', '1'))).rejects.toBeInstanceOf(
      BrokerRefused,
    );
    await expect(world.broker.place(access, order('d', 'buy', '1'))).rejects.toBeInstanceOf(
      BrokerUnreachable,
    );
    expect((await account()).held).toEqual([]);
  });

  it.each([
    [true, '10'],
    [false, '20'],
  ])('deliver twice: with deduplication %s the account holds %s', async (dedupes, held) => {
    world = aWorld({ dedupes });
    access = await linked();
    world.faults.on('place', 'duplicated');
    await world.broker.place(access, order('a', 'buy', '10'));
    expect((await account()).held).toEqual([held]);
  });

  it('stand until they are lifted', async () => {
    faults.always('lost_request');
    await expect(find('a')).rejects.toBeInstanceOf(BrokerUnreachable);
    await expect(world.broker.account(access, world.instruments)).rejects.toBeInstanceOf(
      BrokerUnreachable,
    );
    faults.always(undefined);
    await expect(find('a')).resolves.toBeUndefined();
    expect(scriptedFaults().next('place')).toBeUndefined();
  });
});

describe('what is asked of an account', () => {
  it('writes only when an order of it met the market', async () => {
    let writes = 0;
    const { unitOfWork, market } = world;
    const counted = simulatedBroker({
      unitOfWork: {
        read: (work) => unitOfWork.read(work),
        run: (work, options) => {
          writes += 1;
          return unitOfWork.run(work, options);
        },
      },
      ids: countingIds(),
      market,
    });
    const ask = async (): Promise<number> => {
      const before = writes;
      await counted.account(access, world.instruments);
      await counted.rules(access, [acme]);
      await counted.find(access, ['order-1']);
      return writes - before;
    };
    expect(await ask()).toBe(0);
    world.setOpen(false);
    await counted.place(access, order('order-1', 'buy', '1'));
    expect(await ask()).toBe(0);
    world.setOpen(true);
    expect(await ask()).toBe(1);
    expect(await ask()).toBe(0);
  });

  it('covers the last 1,000 orders, and older ones that are open', async () => {
    world.setOpen(false);
    await world.broker.place(access, order('open', 'buy', '1'));
    for (let n = 0; n < 1001; n += 1)
      await world.broker.place(access, order(`rejected-${n}`, 'buy', '1', coin));
    expect(await find('rejected-0')).toBeUndefined();
    expect(await find('rejected-1000')).toBeDefined();
    expect(await find('open')).toMatchObject({ status: 'open' });
  });
});
