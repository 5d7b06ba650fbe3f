import { describe, expect, it } from '@jest/globals';
import type { Fault, SimulatedOptions } from '@slipstream/adapter-broker-simulated';
import { type Bot, ZERO, decimal, id } from '@slipstream/domain';
import fc from 'fast-check';
import { BotReconciler } from '../../src/mirroring/index.js';
import { ACME, BOLT, STEADY, aBotWorld, follower } from './bot-world.js';

/** How many times more than `npm test` asks for; `npm run verify` says 60. */
const MORE = Number(process.env['TEST_RUNS'] ?? 1);

const fault: fc.Arbitrary<Fault | 'none'> = fc.constantFrom<Fault | 'none'>(
  'none',
  'lost_request',
  'lost_answer',
  'server_error',
  'hang_before',
  'hang_after',
  'reject',
  'partial',
  'expire',
  { rateLimited: 3_000 },
);

const step = fc.oneof(
  fc.record({
    kind: fc.constant('fault' as const),
    method: fc.constantFrom(
      'place' as const,
      'find' as const,
      'account' as const,
      'rules' as const,
    ),
    faults: fc.array(fault, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    kind: fc.constant('hold' as const),
    acme: fc.integer({ min: -8, max: 8 }),
    bolt: fc.integer({ min: -8, max: 8 }),
  }),
  fc.record({ kind: fc.constant('price' as const), price: fc.integer({ min: 80, max: 120 }) }),
  fc.record({ kind: fc.constant('market' as const), open: fc.boolean() }),
  fc.record({ kind: fc.constant('reset' as const) }),
  fc.record({ kind: fc.constant('pause' as const), seconds: fc.integer({ min: 1, max: 130 }) }),
);

/** An order id that the broker was made to hold twice, if any. */
const heldTwice = (account: string): string | undefined => {
  const { orders } = JSON.parse(account) as { orders: readonly { clientOrderId: string }[] };
  const ids = orders.map(({ clientOrderId }) => clientOrderId);
  return ids.find((clientOrderId, index) => ids.indexOf(clientOrderId) !== index);
};

/** How the broker differs from one that does everything at once. */
const manners: fc.Arbitrary<SimulatedOptions> = fc.record({
  acceptsFirst: fc.boolean(),
  slowCancel: fc.boolean(),
  shortStep: fc.constantFrom(decimal('0.0001'), decimal('1')),
  crossesZero: fc.boolean(),
  checkReserve: fc.constantFrom(ZERO, decimal('0.03')),
});

describe('a bot under any faults, of a broker that does not know order ids', () => {
  it('never has an order there twice, and comes into line when they end', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 12 }),
        fc.boolean(),
        manners,
        async (...story) => {
          const [steps, closes, options] = story;
          const world = await aBotWorld({ ...options, dedupes: false });
          const bot: Bot = await world.aNewBot();
          await world.hold(STEADY, '0.5', { acme: '0.005' });
          await world.bots.start(follower, { botId: bot.id });

          /** A tick of a process that is killed where it hangs: every port here answers within microtasks. */
          const tick = async (): Promise<void> => {
            void new BotReconciler(world.deps).runDueBots();
            await new Promise((resolve) => setImmediate(resolve));
          };
          const expectOnce = async (): Promise<void> => {
            const account = await world.unitOfWork.read(({ brokerAccounts }) =>
              brokerAccounts.find(`simulated:${bot.accountId}`),
            );
            expect(heldTwice(account ?? '{"orders":[]}')).toBeUndefined();
          };

          for (const next of steps) {
            if (next.kind === 'fault') world.faults.on(next.method, ...next.faults);
            if (next.kind === 'price') world.price(ACME, String(next.price));
            if (next.kind === 'pause') world.clock.advance(next.seconds * 1_000);
            if (next.kind === 'reset') await world.bots.reset(follower, { botId: bot.id });
            if (next.kind === 'market') {
              for (const stockId of [ACME, BOLT]) {
                if (next.open) world.closed.delete(stockId);
                else world.closed.add(stockId);
              }
            }
            if (next.kind === 'hold') {
              const amounts = { acme: next.acme, bolt: next.bolt };
              const held = Object.entries(amounts).filter(([, amount]) => amount !== 0);
              const holdings = held.map(([stockId, amount]) => [stockId, String(amount / 1_000)]);
              const cash = String((1_000 - 100 * (next.acme + next.bolt)) / 1_000);
              await world.hold(
                STEADY,
                cash,
                Object.fromEntries(holdings) as Record<string, string>,
              );
            }
            await tick();
            await expectOnce();
          }

          // Nothing fails any more: every doubt is settled within a few checks.
          world.faults.clear();
          world.closed.clear();
          if (closes) await world.bots.stop(follower, { botId: bot.id, closeOnStop: true });
          for (let minutes = 0; minutes < 12; minutes += 1) {
            world.clock.advance(60_000);
            await tick();
          }
          await expectOnce();
          const found = await world.unitOfWork.read(({ bots }) => bots.find(id(bot.id)));
          expect(found?.status).toBe(closes ? 'off' : 'running');
          if (closes) expect(await world.holdings(bot)).toEqual({});
          // A short in whole shares is less than one share of each stock away.
          else expect((await world.drift(bot))?.lt(decimal('0.03'))).toBe(true);
          const left = await world.unitOfWork.read((stores) =>
            stores.botOrders.outstanding(bot.id),
          );
          expect(left).toEqual([]);
          expect(found?.drift?.gte(ZERO) ?? true).toBe(true);
        },
      ),
      { numRuns: 60 * MORE },
    );
  });
});
