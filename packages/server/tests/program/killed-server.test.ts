import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { openSqlite } from '@slipstream/adapter-sql';
import { CHILD_OPERATOR, type ChildServer, serveIn, signUp } from '../helpers/child-server.js';
import { ask, newFolder } from '../helpers/composed-server.js';
import { shiftedClock } from '../helpers/shifted-clock.js';
import { type Frame, StreamClient } from '../helpers/stream-client.js';
import { faultsOf, faultsOfBot, nothingPromised, seeded, tradeUntilGone } from '../helpers/load.js';

const SEED = Number(process.env['TEST_SEED'] ?? 20260304);
/** `npm run verify` kills more often. */
const ROUNDS = Number(process.env['TEST_RUNS'] ?? 1);
const CLIENTS = 6;
/** It starts again so much later, in milliseconds: a bot asks the broker for a minute about an order of before. */
const LATER = 61_000;

/** Once what the bot meant before the kill is settled: it looks by itself, all the time. */
async function botAtRest(url: string, token: string, bot_id: string): Promise<string[]> {
  const stream = await StreamClient.open(url, token);
  const [snapshot] = await stream.subscribe(`wsBot:${bot_id}`);
  const rests = ({ data }: Frame) =>
    (data as { status?: string } | undefined)?.status === 'running';
  if (!snapshot || !rests(snapshot)) await stream.next(rests);
  stream.stop();
  return faultsOfBot(url, token, bot_id);
}

describe(`a server that is killed while it works (TEST_SEED=${SEED})`, () => {
  const folder = newFolder();
  const clock = shiftedClock(folder);
  let server: ChildServer | undefined;
  afterAll(() => {
    server?.process.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  it(
    'has every answered effect, nothing half done, and continues',
    async () => {
      const random = seeded(SEED);
      const promised = nothingPromised();
      server = await serveIn(folder, clock.environment);
      const { url } = server;
      const token = await signUp((name, fields, by) => ask(url, name, fields, by));
      const strategyIds: string[] = [];
      for (const name of ['One', 'Two', 'Three']) {
        strategyIds.push(
          (await ask(url, 'newStrategy', { type: 'stock', name }, token)).strategy_id,
        );
      }
      const quotes = ['AAPL:NASDAQ', 'MSFT:NASDAQ', 'NVDA:NASDAQ'].map((stock_id) => ({
        stock_id,
        bid: 100,
        ask: 100.01,
        last: 100,
      }));
      await ask(url, 'newQuotes', { quotes }, CHILD_OPERATOR);
      const allocations = strategyIds
        .slice(0, 2)
        .map((strategy_id) => ({ strategy_id, percent: 0.5 }));
      const { bot_id } = await ask(
        url,
        'newBot',
        // The prices of the load jump by a tenth: within the usual collar orders would rest for minutes.
        {
          type: 'stock',
          broker: 'simulated',
          allocations,
          credentials: {},
          price_collar: '0.2',
        },
        token,
      );
      await ask(url, 'startBot', { bot_id }, token);

      for (let round = 1; round <= ROUNDS; round += 1) {
        const killed: ChildServer = server;
        let left = 150 + Math.floor(random() * 150);
        const answered = (): void => {
          left -= 1;
          if (left === 0) killed.process.kill('SIGKILL');
        };
        await Promise.all(
          Array.from({ length: CLIENTS }, () =>
            tradeUntilGone({
              url: killed.url,
              token,
              strategyIds,
              random: seeded(random() * 2 ** 32),
              promised,
              answered,
            }),
          ),
        );
        expect(await killed.ended).toMatchObject({ signal: 'SIGKILL' });
        clock.shift(round * LATER);
        server = await serveIn(folder, clock.environment);
        // Quotes from before a start trade nothing (contract 7).
        await ask(server.url, 'newQuotes', { quotes }, CHILD_OPERATOR);
        expect({ round, faults: await botAtRest(server.url, token, bot_id) }).toEqual({
          round,
          faults: [],
        });
        for (const strategyId of strategyIds) {
          expect({
            round,
            faults: await faultsOf(server.url, token, strategyId, promised),
          }).toEqual({
            round,
            faults: [],
          });
        }
      }
      expect(
        [...promised.orders.values()].reduce((count, orders) => count + orders.size, 0),
      ).toBeGreaterThan(50);

      server.process.kill('SIGKILL');
      await server.ended;
      const database = await openSqlite({ path: join(folder, 'data/slipstream.db') });
      await database.close();
    },
    240_000 * ROUNDS,
  );
});
