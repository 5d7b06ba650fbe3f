import { describe, expect, it } from '@jest/globals';
import { decimal } from '@slipstream/domain';
import { BrokerUnreachable } from '@slipstream/ports';
import { anAccess } from '@slipstream/port-contracts';
import { PAPER_KEY, aWorld, acme, coin, instrumentsOf } from './fixture.js';

const LISTED = instrumentsOf([acme, coin]);
const access = anAccess({ accountId: 'PA3TEST00001', credentials: PAPER_KEY });

const read = ({ broker }: ReturnType<typeof aWorld>, since = 0) =>
  broker.activities?.(access, LISTED, since) ?? Promise.reject(new Error('none are reported'));

/** Alpaca's words, as its documents and its SDK list them, and those that they do not have. */
const WORDS: readonly (readonly [string, string])[] = [
  ...['ACATC', 'ACATS', 'CSD', 'CSW', 'FOPT', 'JNL', 'JNLC', 'JNLS', 'OCT'].map(
    (word) => [word, 'transfer'] as const,
  ),
  ...['CGD', 'CIL', 'DIV', 'DIVCGL', 'DIVCGS', 'DIVFT', 'DIVNRA', 'DIVROC', 'DIVTW'].map(
    (word) => [word, 'income'] as const,
  ),
  ...['DIVTXEX', 'DIVWH', 'INT', 'INTNRA', 'INTTW', 'PTR'].map((word) => [word, 'income'] as const),
  ...['CFEE', 'DIVFEE', 'FEE', 'PTC', 'MEM'].map((word) => [word, 'fee'] as const),
  ...['MA', 'NC', 'REO', 'REORG', 'SC'].map((word) => [word, 'exchange'] as const),
  ...['SPLIT', 'SSP'].map((word) => [word, 'split'] as const),
  ...['OPASN', 'OPCA', 'OPCSH', 'OPEXC', 'OPEXP', 'OPTRD'].map((word) => [word, 'other'] as const),
  ...['SPIN', 'SSO', 'VOF', 'WH', 'DTCS', 'CORR', 'SEG', 'EXTRD', 'SUB', 'A NEW'].map(
    (word) => [word, 'other'] as const,
  ),
];

describe('an activity at Alpaca', () => {
  it.each(WORDS)('of the kind %s is %s', async (word, kind) => {
    const world = aWorld();
    world.standIn.book(world.account, word, '-1.5');
    const [found] = await read(world);
    expect(found).toMatchObject({ kind, name: word, stockId: null });
    expect(found?.cash.toFixed()).toBe('-1.5');
  });

  it('names the stock that shares came of, and takes those that a dividend was paid on for no shares', async () => {
    const world = aWorld();
    const shares = { name: 'ACME', qty: decimal('4') };
    world.standIn.book(world.account, 'ACATS', '0', shares);
    world.standIn.book(world.account, 'DIV', '2.04', shares);
    world.standIn.book(world.account, 'MA', '0', shares);
    const found = await read(world);
    expect(found.map(({ stockId, amount }) => [stockId, amount.toFixed()])).toEqual([
      ['acme', '4'],
      ['acme', '0'],
      ['acme', '4'],
    ]);
  });

  it.each([
    ['that was cancelled', { status: 'canceled' }, ['transfer', 'transfer']],
    ['that was cancelled and moves nothing', { status: 'canceled', activity_type: 'MA' }, []],
    ['in another currency', { currency: 'EUR' }, ['other']],
    ['without the time of its booking', { created_at: null }, ['transfer']],
    ['with a part of its kind', { activity_type: 'FEE', activity_sub_type: 'TAF' }, ['fee']],
  ])('%s counts for what it is', async (_, change, kinds) => {
    const world = aWorld();
    const answer = [
      { id: '1::a', activity_type: 'CSD', date: '2026-01-05', net_amount: 5, ...change },
    ];
    world.standIn.faults.add({ path: '/v2/account/activities', kind: { answer } });
    expect((await read(world)).map(({ kind }) => kind)).toEqual(kinds);
  });

  it.each([
    ['no list', { activities: [] }],
    ['without an id', [{ activity_type: 'CSD', date: '2026-01-05', net_amount: '5' }]],
    ['without any time', [{ id: '1::a', activity_type: 'CSD', net_amount: '5' }]],
    ['of a sum that is no number', [{ id: '1::a', activity_type: 'CSD', net_amount: 'five' }]],
  ])('%s makes the whole report unreadable', async (_, answer) => {
    const world = aWorld();
    world.standIn.faults.add({ path: '/v2/account/activities', kind: { answer } });
    await expect(read(world)).rejects.toBeInstanceOf(BrokerUnreachable);
  });

  it('that was cancelled is told as it was, beside what takes it back', async () => {
    const world = aWorld();
    world.standIn.book(world.account, 'JNLS', '7', { name: 'ACME', qty: decimal('4') });
    const [first] = await read(world);
    world.standIn.cancelBooking(world.account);
    const found = await read(world);
    expect(found[0]).toEqual(first);
    expect(new Set(found.map(({ id }) => id)).size).toBe(2);
    expect(found.map(({ cash, amount }) => [cash.toFixed(), amount.toFixed()])).toEqual([
      ['7', '4'],
      ['-7', '-4'],
    ]);
  });

  it('is reported beside the fees of all orders in coins that a bot may send in the days of a report', async () => {
    const world = aWorld();
    world.standIn.book(world.account, 'CSD', '100');
    for (let fee = 0; fee < 10 * 200; fee += 1) world.standIn.book(world.account, 'CFEE', '-0.01');
    const found = await read(world);
    expect(found.filter(({ kind }) => kind !== 'fee')).toMatchObject([{ name: 'CSD' }]);
    expect(found).toHaveLength(2_001);
  });

  it('is one of so many that the report would lack some: then there is none', async () => {
    const world = aWorld();
    for (let one = 0; one < 5001; one += 1) world.standIn.book(world.account, 'CFEE', '-0.01');
    await expect(read(world)).rejects.toThrow(/more activities than are read/);
  });

  it('is asked for by one request, from its day on', async () => {
    const world = aWorld();
    world.standIn.book(world.account, 'CSD', '100');
    await world.broker.account(access, LISTED);
    const before = world.standIn.log.length;
    expect(await read(world, world.clock.now())).toHaveLength(1);
    expect(await read(world, world.clock.now() + 1)).toHaveLength(0);
    expect(world.standIn.log.length - before).toBe(2);
  });
});
