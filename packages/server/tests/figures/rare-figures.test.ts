import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { type Decimal, decimal } from '@slipstream/domain';
import type { OperationName, ResponseOf } from '@slipstream/wire';
import fc from 'fast-check';
import { itOne } from '../helpers/three-nodes.js';
import { allOf } from './all-of.js';
import { type Trade, isSame } from './ledger.js';
import { ownAccount } from './own-account.js';
import {
  type Days,
  type Subject,
  compareFalls,
  compareMonths,
  countedDays,
  differing,
  expectOwnLedger,
  expectOwnStatistics,
} from './own-comparison.js';
import { type OwnAction, ownPositions } from './own-positions.js';
import { type OwnRecord, dateOf, ownFigures } from './own-statistics.js';
import { type RarePlayed, playRareStory, rareStories } from './rare-story.js';

/** How many stories more than `npm test` asks for; `npm run verify` says 150. */
const MORE = Number(process.env['TEST_RUNS'] ?? 1);
/** That of `npm test` has each kind of order and action. */
const sample = MORE > 1 ? { numRuns: MORE } : { numRuns: 1, seed: 286 };
/** Parts of the story, by its steps. */
const WINDOWS = [
  [0.2, 0.7],
  [0.5, 0.9],
] as const;
const DAYS_PER_YEAR = [252, 365] as const;

type Order = ResponseOf<'getBotOrders'>[number];

const it = itOne('its clock goes by the millisecond, in one process');
const expectSame = (one: Decimal, other: Decimal): void => {
  expect([isSame(one, other), one.toFixed(), other.toFixed()]).toEqual([
    true,
    one.toFixed(),
    other.toFixed(),
  ]);
};

describe.each(fc.sample(rareStories(28, 32), sample).map((steps) => [steps] as const))(
  'through splits, dividends, delistings, halts, new symbols, closed days and every kind of order',
  (steps) => {
    let played: RarePlayed | undefined;
    beforeAll(async () => {
      played = await playRareStory(steps);
    });
    afterAll(() => played?.server.close());

    const story = (): RarePlayed => played as RarePlayed;
    const ask = <Name extends OperationName>(
      name: Name,
      fields: object,
      token = story().owner,
    ): Promise<ResponseOf<Name>> => story().server.ask(name, { ...fields }, token);
    const subjects = (): Subject[] => {
      const { server, owner, happenings, strategyIds, benchmarks } = story();
      return strategyIds.map((strategyId, at) => ({
        ...{ server, owner, happenings, strategyId },
        ...{ benchmark: benchmarks[at] ?? '', daysPerYear: DAYS_PER_YEAR[at] ?? 365 },
      }));
    };
    /** The whole, and parts of it. */
    const spans = (begin: number): Days[] => {
      const length = story().server.clock.now() - begin;
      const dayAt = (part: number): string => dateOf(begin + part * length);
      return [{}, ...WINDOWS.map(([from, to]) => ({ from: dayAt(from), to: dayAt(to) }))];
    };

    it('each profit and average price is what the fills and the actions give', async () => {
      for (const subject of subjects()) {
        const { trades, positions } = await expectOwnLedger(subject);
        const own = ownPositions(trades, story().happenings);
        for (const { trade_id, realized } of trades) {
          const gain = own.realized.get(trade_id) ?? null;
          expect(realized === null).toBe(gain === null);
          if (gain) expectSame(decimal(realized ?? ''), gain);
        }
        for (const { stock_id, value, ...told } of positions) {
          const position = own.positions.get(stock_id);
          if (!position) throw new Error(`nobody holds ${stock_id}`);
          expectSame(decimal(told.realized), position.realized);
          expectSame(decimal(told.dividends), position.dividends);
          expectSame(decimal(told.unrealized ?? ''), decimal(value ?? '').minus(position.cost));
          const price = Number(position.averagePrice.toFixed());
          expect(Number(told.average_price) / price).toBeCloseTo(1, 12);
        }
      }
    });

    it('each action is told as it changed the holding and the cash', async () => {
      for (const { strategyId: strategy_id, server, owner } of subjects()) {
        const trades = await allOf<Trade>(server, 'getTrades', { strategy_id }, owner);
        const own = ownPositions(trades.toReversed(), story().happenings);
        const told = await ask('getStockActions', { strategy_id, limit: 100 });
        const held = told.toReversed().filter(({ amount_before: amount }) => amount !== '0');
        expect(held.map(({ kind, stock_id }) => [kind, stock_id])).toEqual(
          own.actions.map(({ kind, stockId }) => [kind, stockId]),
        );
        for (const [at, one] of held.entries()) {
          const { before, after, paid } = own.actions[at] as OwnAction;
          expectSame(decimal(one.amount_before), before);
          expectSame(decimal(one.amount_after), after);
          expectSame(decimal(one.total), paid);
        }
      }
    });

    it('the statistics of the whole record, and of parts of it, are what samples and trades give', async () => {
      for (const subject of subjects()) {
        const ledger = await expectOwnLedger(subject);
        for (const days of spans(story().begin)) await expectOwnStatistics(subject, ledger, days);
      }
    });

    it("a bot's account is what its orders and the actions give", async () => {
      const { server, follower, botIds, happenings, balance } = story();
      for (const bot_id of botIds) {
        const orders = await allOf<Order>(server, 'getBotOrders', { bot_id }, follower);
        const own = ownAccount(balance, orders.toReversed(), happenings);
        const told = await ask('getBotAccount', { bot_id }, follower);
        expect(Number(told.cash)).toBeCloseTo(own.cash, 6);
        expect(told.positions.map(({ stock_id }) => stock_id).sort()).toEqual(
          [...own.amounts.keys()].sort(),
        );
        for (const { stock_id, amount } of told.positions)
          expect(Number(amount)).toBeCloseTo(own.amounts.get(stock_id) ?? NaN, 9);
      }
    });

    it("a bot's target does what its strategy does", async () => {
      const { follower, botIds } = story();
      for (const [at, subject] of subjects().entries()) {
        const { own } = await expectOwnLedger(subject);
        const asked = { bot_id: botIds[at] ?? '', timeframe: 'five_year' };
        const rows = await ask('getBotHistory', asked, follower);
        const valueOf = (row: (typeof rows)[number] | undefined): number =>
          own.samples.findLast((one) => one.at <= Date.parse(row?.at ?? ''))?.value ?? 1;
        for (const row of rows)
          expect(Number(row.target)).toBeCloseTo(valueOf(row) / valueOf(rows[0]), 10);
      }
    });

    it("a bot's statistics are what its history gives, from before its first order on", async () => {
      const { follower, botIds, balance } = story();
      for (const [at, bot_id] of botIds.entries()) {
        const rows = await ask('getBotHistory', { bot_id, timeframe: 'five_year' }, follower);
        expect(rows[0]).toMatchObject({ equity: balance, flow: '0' });
        const began = Date.parse(rows[0]?.at ?? '');
        let before = rows[0];
        let level = 1;
        const equity = rows.map((row) => {
          // What a broker pays below a cent is not looked into.
          expect(Math.abs(Number(row.flow))).toBeLessThan(0.01);
          level *= (Number(row.equity) - Number(row.flow)) / Number(before?.equity);
          before = row;
          return { at: Date.parse(row.at), value: level, gross: 0 };
        });
        const target = rows.map((row) => ({
          ...{ at: Date.parse(row.at), value: Number(row.target), gross: 0 },
        }));
        for (const days of spans(began)) {
          const asked = { bot_id, min_n: 2, risk_free: '0.02', ...days };
          const told = await ask('getBotStatistics', asked, follower);
          const from = days.from !== undefined && days.from > dateOf(began) ? days.from : undefined;
          const daysPerYear = DAYS_PER_YEAR[at] ?? 365;
          for (const [figures, samples] of [
            [told, equity],
            [told.target, target],
          ] as const) {
            const record: OwnRecord = {
              ...{ createdAt: began, samples, trades: [], happenings: [], to: told.to },
              ...{ daysPerYear, riskFree: 0.02, ...(from && { from }) },
              dates: countedDays(from ?? dateOf(began), told.to, daysPerYear),
              earlier: [],
            };
            const own = Object.entries(ownFigures(record, new Map()));
            const given = own.filter(([name]) => name in told.target);
            expect(differing(figures as never, Object.fromEntries(given))).toEqual([]);
            compareMonths(figures, record);
            compareFalls(figures, record);
          }
        }
      }
    });
  },
);
