import { describe, expect, it } from '../testing.js';
import { type Bot, type BotOrder, ZERO, decimal, id } from '@slipstream/domain';
import type { LastCheck } from '@slipstream/ports';
import { NOON, aBot, aBotOrder } from '../builders/index.js';
import { type OpenStorage, emptyBeforeEach, idsOf, saveAll } from '../storage/storage.js';

const everyFieldOfBot: Bot = {
  id: id('bot-1'),
  userId: id('user-2'),
  name: 'Zoë’s coins',
  type: 'cryptocurrency',
  broker: 'simulated',
  accountId: 'account-1',
  live: true,
  leverage: decimal('1.25'),
  slippage: decimal('0.002'),
  priceCollar: decimal('0.015'),
  maxSpread: decimal('0.025'),
  limits: {
    maxCapital: decimal('5000'),
    maxOrder: decimal('1000.5'),
    maxGross: decimal('1.5'),
    maxPerStock: decimal('0.333333333333333333'),
    maxOrdersPerDay: 20,
    maxTurnoverPerDay: decimal('3'),
    maxDailyLoss: decimal('0.05'),
    maxDrawdown: decimal('0.2'),
  },
  onBreach: 'close',
  breach: {
    limit: 'max_drawdown',
    at: NOON - 5,
    equity: decimal('79.000000000000000001'),
    from: decimal('100'),
  },
  lossWatch: {
    since: NOON - 20,
    readAt: NOON - 3,
    cash: decimal('-12.5'),
    holdings: new Map([[id('stock-1'), { amount: decimal('-3'), price: decimal('9.99') }]]),
    day: NOON - 9,
    dayStart: decimal('99'),
    peak: decimal('100'),
    counted: ['activity-1'],
    unreported: {
      ...{ since: NOON - 8, came: decimal('0.5') },
      ...{ went: decimal('12'), lost: decimal('12.000000000000000001') },
    },
    keptShorts: new Map([[id('stock-2'), { amount: decimal('-0.5'), price: decimal('8.5') }]]),
    leftToOwner: new Map([
      [id('stock-3'), { amount: decimal('0.000000000000000001'), price: decimal('7.5') }],
    ]),
    resumes: true,
    restarts: true,
  },
  noticesOfDay: ['rest|stock-1'],
  isKnownInLine: true,
  rebalanceOnStart: false,
  closeOnStop: true,
  existingPositions: 'keep',
  mode: 'reduce_only',
  join: 'new_only',
  allowStocks: [id('stock-2'), id('stock-1')],
  denyStocks: [id('stock-3')],
  dryRun: true,
  heldParts: new Map([
    [
      id('stock-2'),
      {
        kept: decimal('-0.5'),
        own: decimal('0'),
        seenAt: NOON,
        unexplained: {
          before: { kept: decimal('-0.4'), own: decimal('0') },
          more: { kept: decimal('-0.1'), own: decimal('0') },
          at: NOON - 2,
        },
        toldAs: id('broker:stock-2'),
      },
    ],
    [
      id('stock-4'),
      { kept: decimal('0'), own: decimal('4'), seenAt: NOON, toldAs: id('broker:stock-5') },
    ],
    [
      id('stock-1'),
      { kept: decimal('50'), own: decimal('0.000000000000000001'), seenAt: NOON - 1 },
    ],
  ]),
  following: {
    seen: new Map([
      [id('strategy-2'), id('trade-9')],
      [id('strategy-1'), null],
    ]),
    open: new Map([
      [
        id('stock-1'),
        {
          tradeIds: [id('trade-9'), id('trade-8')],
          amount: decimal('0.000000000000000001'),
          gross: decimal('0.5'),
          actions: ['sell'],
          at: NOON - 4,
        },
      ],
    ]),
    unjoined: new Map([
      [
        id('strategy-2'),
        new Map([
          [id('stock-2'), { increasedBy: 'sell', part: decimal('0.333333333333333333') }],
          [id('stock-1'), { increasedBy: 'buy', part: decimal('0') }],
        ]),
      ],
      [id('strategy-1'), new Map()],
    ]),
  },
  rebalance: { band: decimal('0.020000000000000001'), cooldownHours: 24, at: '15:30' },
  pace: {
    begunAt: NOON - 5,
    lastAt: NOON - 6,
    usedAt: NOON - 7,
    reducesAtOnce: false,
    turning: [id('stock-2')],
  },
  targetMark: {
    level: decimal('1.000000000000000001'),
    values: new Map([[id('strategy-1'), decimal('0.5')]]),
    unheld: new Map([
      [
        id('stock-1'),
        {
          isShort: true,
          price: decimal('0.000000000000000001'),
          at: NOON - 8,
          notHeld: decimal('-1.000000000000000001'),
          leverageAndCaps: ZERO,
        },
      ],
    ]),
  },
  notifications: ['start', 'error'],
  allocations: [
    { strategyId: id('strategy-2'), percent: decimal('0.333333333333333333') },
    { strategyId: id('strategy-1'), percent: decimal('2') },
  ],
  sealedCredentials: 'sealed',
  status: 'error',
  condition: 'closing',
  statusReason: 'the broker refused',
  stopReason: 'may no longer mirror',
  haltsSeen: [id('halt-2'), id('halt-1')],
  nextRunAt: NOON + 1,
  awaitsTradeSince: NOON + 1,
  closesPositions: true,
  cycle: 12,
  firstCycle: 4,
  attempts: 3,
  drift: decimal('0.0123'),
  lastRebalancedAt: NOON - 1,
  createdAt: NOON,
  updatedAt: NOON + 2,
};

const everyFieldOfOrder: BotOrder = {
  id: id('bot-order-1'),
  botId: id('bot-1'),
  cycle: 12,
  stockId: id('stock-1'),
  action: 'sell',
  amount: decimal('1.000000000000000001'),
  limitPrice: decimal('99.5'),
  closes: true,
  intent: 'reduce',
  tradeIds: [id('trade-2'), id('trade-1')],
  strategyPrice: decimal('99.985'),
  plannedPrice: decimal('99.995'),
  status: 'cancelled',
  filledAmount: decimal('0.5'),
  filledPrice: decimal('99.99'),
  fee: decimal('0.05'),
  reason: 'too slow',
  createdAt: NOON,
  updatedAt: NOON + 1,
};

export const botsContract = (open: OpenStorage): void => {
  describe('bots', () => {
    const unitOfWork = emptyBeforeEach(open);
    const save = saveAll<Bot>(unitOfWork, ({ bots }, bot) => bots.save(bot));

    it('gives back every field, unset ones as null', async () => {
      const unset = aBot({ id: id('bot-2') });
      await save(everyFieldOfBot, unset);
      const [first, second, none] = await unitOfWork.read(async ({ bots }) => [
        await bots.find(everyFieldOfBot.id),
        await bots.find(unset.id),
        await bots.find(id('none')),
      ]);
      expect(first).toEqual(everyFieldOfBot);
      expect(second).toEqual(unset);
      expect(none).toBeUndefined();
    });

    it('lists those of a user, newest first', async () => {
      await save(
        aBot({ id: id('a'), createdAt: NOON + 1 }),
        aBot({ id: id('b') }),
        aBot({ id: id('c'), userId: id('user-3') }),
      );
      expect(idsOf(await unitOfWork.read(({ bots }) => bots.listOf(id('user-2'))))).toEqual([
        'a',
        'b',
      ]);
    });

    it('lists due bots, longest due first, ties by id, at most the limit', async () => {
      await save(
        aBot({ id: id('never') }),
        aBot({ id: id('later'), nextRunAt: NOON + 1 }),
        aBot({ id: id('b'), nextRunAt: NOON }),
        aBot({ id: id('a'), nextRunAt: NOON }),
        aBot({ id: id('z'), nextRunAt: NOON - 1 }),
      );
      const due = (limit: number) => unitOfWork.read(({ bots }) => bots.due(NOON, limit, 'well'));
      expect(await due(10)).toEqual(['z', 'a', 'b']);
      expect(await due(2)).toEqual(['z', 'a']);
    });

    it('lists due bots apart by how their last check ended, as they were saved last', async () => {
      const again = { nextRunAt: NOON, attempts: 1 };
      await save(
        aBot({ id: id('c'), ...again }),
        aBot({ id: id('b'), ...again, attempts: 7, nextRunAt: NOON - 1 }),
        aBot({ id: id('later'), ...again, nextRunAt: NOON + 1 }),
        aBot({ id: id('repaired'), ...again }),
        aBot({ id: id('broken'), nextRunAt: NOON }),
      );
      await save(
        aBot({ id: id('repaired'), nextRunAt: NOON }),
        aBot({ id: id('broken'), ...again }),
      );
      const due = (lastCheck: LastCheck) =>
        unitOfWork.read(({ bots }) => bots.due(NOON, 10, lastCheck));
      expect(await due('well')).toEqual(['repaired']);
      expect(await due('failed')).toEqual(['b', 'broken', 'c']);
    });

    it('lists the bots that mirror a strategy, by their last saved state', async () => {
      const other = [{ strategyId: id<'strategy'>('strategy-2'), percent: decimal('1') }];
      const mirroring = (strategyId: string) =>
        unitOfWork.read(({ bots }) => bots.mirroring(id(strategyId)));
      expect(await mirroring('strategy-1')).toEqual([]);
      await save(
        aBot({ id: id('b') }),
        aBot({ id: id('a'), condition: 'active' }),
        aBot({ id: id('other'), allocations: other }),
        aBot({ id: id('changed') }),
        aBot({ id: id('removed') }),
      );
      expect(await mirroring('strategy-1')).toEqual(['a', 'b', 'changed', 'removed']);
      await save(aBot({ id: id('changed'), allocations: other }));
      await unitOfWork.run(({ bots }) => bots.remove(id('removed')));
      expect(await mirroring('strategy-1')).toEqual(['a', 'b']);
      expect(await mirroring('strategy-2')).toEqual(['changed', 'other']);
    });

    it('gives any bot, also one that is off, as long as there is one', async () => {
      const any = () => unitOfWork.read(({ bots }) => bots.any());
      expect(await any()).toBeUndefined();
      const off = aBot({ id: id('off') });
      await save(off);
      expect(await any()).toEqual(off);
      await save(aBot({ id: id('on'), status: 'running' }));
      expect(['off', 'on']).toContain((await any())?.id);
      await unitOfWork.run(({ bots }) => bots.remove(id('off')));
      expect((await any())?.id).toBe('on');
      await unitOfWork.run(({ bots }) => bots.remove(id('on')));
      expect(await any()).toBeUndefined();
    });

    it('lists the bots of any user that use an account and are not off', async () => {
      await save(
        aBot({ id: id('a'), status: 'running' }),
        aBot({ id: id('b'), status: 'error', userId: id('user-3') }),
        aBot({ id: id('off') }),
        aBot({ id: id('elsewhere'), status: 'running', accountId: 'account-2' }),
        aBot({ id: id('other'), status: 'running', broker: 'another' }),
      );
      const using = await unitOfWork.read(({ bots }) =>
        bots.usingAccount('simulated', 'account-1'),
      );
      expect(idsOf(using)).toEqual(['a', 'b']);
    });

    it('lists the bots of any user that are not off, by id, after one of them, at most the limit', async () => {
      await save(
        aBot({ id: id('c'), status: 'running' }),
        aBot({ id: id('b'), status: 'error', userId: id('user-3') }),
        aBot({ id: id('off') }),
        aBot({ id: id('a'), status: 'stopping' }),
      );
      const notOff = async (after: string | null, limit: number) =>
        idsOf(
          await unitOfWork.read(({ bots }) =>
            bots.notOff(after === null ? null : id<'bot'>(after), limit),
          ),
        );
      expect(await notOff(null, 10)).toEqual(['a', 'b', 'c']);
      expect(await notOff(null, 2)).toEqual(['a', 'b']);
      expect(await notOff('a', 1)).toEqual(['b']);
      expect(await notOff('c', 10)).toEqual([]);
    });

    it('removes a bot with its orders, and no others', async () => {
      await save(aBot({ id: id('bot-1') }), aBot({ id: id('bot-2') }));
      await unitOfWork.run(async ({ bots, botOrders }) => {
        await botOrders.save(aBotOrder({ id: id('o-1') }));
        await botOrders.save(aBotOrder({ id: id('o-2'), botId: id('bot-2') }));
        await bots.remove(id('bot-1'));
      });
      const found = await unitOfWork.read(async ({ bots, botOrders }) => [
        (await bots.find(id('bot-1')))?.id,
        (await bots.find(id('bot-2')))?.id,
        (await botOrders.find(id('o-1')))?.id,
        (await botOrders.find(id('o-2')))?.id,
      ]);
      expect(found).toEqual([undefined, 'bot-2', undefined, 'o-2']);
    });
  });

  describe('bot orders', () => {
    const unitOfWork = emptyBeforeEach(open);
    const save = saveAll<BotOrder>(unitOfWork, ({ botOrders }, order) => botOrders.save(order));

    it('gives back every field, replaced by id', async () => {
      await save(aBotOrder(), everyFieldOfOrder);
      expect(await unitOfWork.read(({ botOrders }) => botOrders.find(id('bot-order-1')))).toEqual(
        everyFieldOfOrder,
      );
      expect(await unitOfWork.read(({ botOrders }) => botOrders.find(id('none')))).toBeUndefined();
    });

    it('pages through those of a bot, newest first', async () => {
      await save(
        aBotOrder({ id: id('o-1') }),
        aBotOrder({ id: id('o-2'), createdAt: NOON + 1 }),
        aBotOrder({ id: id('o-3') }),
        aBotOrder({ id: id('o-4'), botId: id('bot-2') }),
      );
      const list = async (limit: number, cursor?: string) =>
        idsOf(
          await unitOfWork.read(({ botOrders }) => botOrders.list(id('bot-1'), { limit, cursor })),
        );
      expect(await list(10)).toEqual(['o-2', 'o-3', 'o-1']);
      expect(await list(1, 'o-2')).toEqual(['o-3']);
      expect(await list(10, 'o-4')).toEqual([]);
      expect(await list(10, 'none')).toEqual([]);
    });

    it('lists those of a bot since a moment, oldest first', async () => {
      await save(
        aBotOrder({ id: id('before'), createdAt: NOON - 1 }),
        aBotOrder({ id: id('b'), status: 'filled' }),
        aBotOrder({ id: id('a') }),
        aBotOrder({ id: id('later'), createdAt: NOON + 1, status: 'rejected' }),
        aBotOrder({ id: id('other'), botId: id('bot-2') }),
      );
      const list = await unitOfWork.read(({ botOrders }) => botOrders.since(id('bot-1'), NOON));
      expect(idsOf(list)).toEqual(['a', 'b', 'later']);
    });

    it('lists outstanding orders, oldest first', async () => {
      await save(
        aBotOrder({ id: id('a'), status: 'open', createdAt: NOON + 1 }),
        aBotOrder({ id: id('b'), status: 'unknown' }),
        aBotOrder({ id: id('c'), status: 'new', createdAt: NOON - 1 }),
        aBotOrder({ id: id('d'), status: 'filled' }),
        aBotOrder({ id: id('e'), status: 'cancelled' }),
        aBotOrder({ id: id('f'), status: 'rejected' }),
        aBotOrder({ id: id('g'), botId: id('bot-2') }),
      );
      const list = await unitOfWork.read(({ botOrders }) => botOrders.outstanding(id('bot-1')));
      expect(idsOf(list)).toEqual(['c', 'b', 'a']);
    });
  });

  describe('broker accounts', () => {
    const unitOfWork = emptyBeforeEach(open);

    it('keeps the text that was saved last', async () => {
      const find = () => unitOfWork.read(({ brokerAccounts }) => brokerAccounts.find('account-1'));
      expect(await find()).toBeUndefined();
      await unitOfWork.run(({ brokerAccounts }) => brokerAccounts.save('account-1', '{}'));
      await unitOfWork.run(({ brokerAccounts }) =>
        brokerAccounts.save('account-1', '{"cash":"1"}'),
      );
      expect(await find()).toBe('{"cash":"1"}');
    });
  });
};
