import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decimal, id } from '@slipstream/domain';
import type { Stores } from '@slipstream/ports';
import { openSqlite } from '../../src/index.js';
import { temporaryPaths } from '../storage/temporary-folder.js';
import { databaseBefore } from './database-before.js';

const nextPath = temporaryPaths();

/** The first migration that a server of release 0.2.0 did not know. */
const FIRST_AFTER = '0067-octets-of-alerts';
const rows = readFileSync(join(import.meta.dirname, 'release-0-2-0.sql'), 'utf8');
const momentum = id<'strategy'>('momentum');

describe('a database of release 0.2.0', () => {
  let storage: Awaited<ReturnType<typeof openSqlite>>;
  const applied: (readonly string[])[] = [];
  beforeAll(async () => {
    const path = databaseBefore(nextPath(), FIRST_AFTER, rows);
    const open = () => openSqlite({ path, onMigrated: (names) => applied.push(names) });
    await (await open()).close();
    storage = await open();
  });
  afterAll(() => storage.close());
  const read = <T>(work: (stores: Stores) => Promise<T>): Promise<T> => storage.run(work);

  it('is brought up to date once, and whoever opens it hears how', () => {
    expect(applied).toEqual([expect.arrayContaining([FIRST_AFTER])]);
  });

  it('keeps who signs in by two factors, and what a token may do', async () => {
    const user = await read(({ users }) => users.findByEmail('ada@example.com'));
    expect(user?.secondFactor).toMatchObject({
      sealedSecret: 'v1.sealed',
      lastStep: 59_604_876,
      recovery: [expect.any(String)],
    });
    expect(await read(({ tokens }) => tokens.findByDigest('digest'))).toMatchObject({
      scope: ['newOrder'],
      renewedByUse: true,
      limits: { maxNotionalPerDay: null, maxOrdersPerDay: 3 },
    });
  });

  it('holds what its strategy held, with the order that rests', async () => {
    const book = await read(({ books }) => books.find(momentum));
    expect(book).toMatchObject({ version: 37, cash: decimal('0.75') });
    expect([...(book?.positions.values() ?? [])]).toMatchObject([
      { stockId: 'msft.nasdaq', amount: decimal('0.0006'), realized: decimal('-0.039476308') },
    ]);
    expect(book?.openOrders).toMatchObject([
      {
        id: 'resting',
        pricing: { type: 'limit', price: decimal('20.01') },
        size: { by: 'total', total: decimal('0.001') },
      },
    ]);
  });

  it('answers an alert that is sent again as it was answered', async () => {
    const alert = await read(({ alerts }) => alerts.findFirst(momentum, 'last-alert'));
    expect(alert).toMatchObject({
      verdict: 'accepted',
      orderId: 'ordered',
      answer: {
        quote: { ask: decimal('405.081') },
        order: { size: { by: 'amount', amount: decimal('0.000631427564571782') } },
      },
    });
  });

  it('records the day that was not recorded yet', async () => {
    const days = await read(({ valueDays }) => valueDays.unrecorded(1_800_000_000_000, 10));
    expect(days).toMatchObject([
      { strategyId: 'momentum', day: { last: decimal('1.218936313785010608') } },
    ]);
    const claimed = await read(({ claimedHistories }) => claimedHistories.find(momentum));
    expect(claimed?.at(-1)).toMatchObject({ value: decimal('1.04205') });
  });

  it('takes a dispute to be about all that was not given back', async () => {
    const stateOf = async (name: string) =>
      (await read(({ invoices }) => invoices.find(id(name))))?.state;
    expect(await stateOf('disputed')).toMatchObject({
      kind: 'charged_back',
      refunded: decimal('4'),
      disputed: decimal('11'),
      owed: null,
    });
    expect(await stateOf('disputed-owed')).toMatchObject({
      kind: 'charged_back',
      refunded: decimal('2'),
      disputed: decimal('13'),
      owed: { total: decimal('7') },
    });
    expect(await stateOf('refunded')).toMatchObject({ kind: 'paid', refunded: decimal('11.34') });
  });

  it('asks again for a charge whose answer is not known, and for no other', async () => {
    const due = await read(({ invoices }) => invoices.due(1_800_000_000_000, 10));
    expect(due).toMatchObject([
      { id: 'asked', attempts: 2, state: { kind: 'charging', reason: 'declined' } },
    ]);
  });

  it('goes on with a bot where it was, with its order at the broker and its halt', async () => {
    const bot = id<'bot'>('bot');
    expect(await read(({ bots }) => bots.find(bot))).toMatchObject({
      status: 'running',
      rebalance: 'every_trade',
      priceCollar: decimal('0.01'),
      awaitsTradeSince: null,
      drift: decimal('0.000226768581306349'),
    });
    expect(await read(({ bots }) => bots.mirroring(momentum))).toEqual(['bot']);
    expect(await read(({ botOrders }) => botOrders.outstanding(bot))).toMatchObject([
      { id: 'sent', status: 'open', limitPrice: decimal('61.38') },
    ]);
    expect(await read(({ halts }) => halts.list({ limit: 10 }))).toMatchObject([
      { scope: 'bot', target: 'bot' },
    ]);
  });

  it('tries again what a receiver did not take, when it said', async () => {
    const hook = id<'endpoint'>('hook');
    const at = 1_791_628_746_282;
    expect(await read(({ endpoints }) => endpoints.due(at, 10, 'failed'))).toMatchObject([
      { id: 'hook' },
    ]);
    expect(await read(({ endpoints }) => endpoints.due(at - 1, 10, 'failed'))).toEqual([]);
    expect(await read(({ deliveries }) => deliveries.retried(hook, at))).toMatchObject({
      id: 'delivery',
      status: 'retrying',
      attempt: 2,
    });
  });
});
