import { describe, expect, it } from '@jest/globals';
import type BetterSqlite from 'better-sqlite3';
import { id } from '@slipstream/domain';
import { NOON, aSubscription } from '@slipstream/port-contracts';
import { openReader, openWriter } from '../../src/storage/connection.js';
import { migrate } from '../../src/migrations/migrate.js';
import { sqlUnitOfWork } from '../../src/storage/unit-of-work.js';
import { temporaryPaths } from './temporary-folder.js';

const newPath = temporaryPaths();
/** More than two pieces of a long list. */
const MANY = 1_203;
const [crowded, lonely] = [id<'strategy'>('strategy-1'), id<'strategy'>('strategy-2')];

/** A reader that notes how many rows each query of a piece passes over. */
function watched(path: string, passed: number[]): BetterSqlite.Database {
  const reader = openReader(path);
  const prepare = reader.prepare.bind(reader);
  const watch = (sql: string) => {
    const statement = prepare(sql);
    const all = statement.all.bind(statement);
    if (!sql.endsWith('offset ?')) return statement;
    return Object.assign(statement, {
      all: (parameters: unknown[]) => {
        passed.push(Number(parameters.at(-1)));
        return all(parameters);
      },
    });
  };
  return Object.assign(reader, { prepare: watch });
}

describe('the followers of a strategy who came and went', () => {
  it('are read in one pass, oldest first, for the ranks of their strategy', async () => {
    const path = newPath();
    const writer = openWriter(path);
    migrate(writer);
    const passed: number[] = [];
    const storage = sqlUnitOfWork({ writer, openReader: () => watched(path, passed) });
    await storage.run(async ({ subscriptions }) => {
      const ended = { status: 'cancelled', strategyId: crowded } as const;
      for (let n = 0; n < MANY; n += 1) {
        // Two of each moment.
        const [createdAt, endsAt] = [NOON + (n >> 1), NOON + MANY + n];
        const name = String(n).padStart(4, '0');
        await subscriptions.save(
          aSubscription({
            ...ended,
            id: id(`s-${name}`),
            userId: id(`u-${name}`),
            createdAt,
            endsAt,
          }),
        );
      }
      await subscriptions.save(aSubscription({ id: id('s-other'), strategyId: lonely }));
    });
    const found = await storage.read(({ subscriptions }) =>
      subscriptions.memberships([lonely, crowded]),
    );
    expect(found.get(crowded)).toEqual(
      Array.from({ length: MANY }, (_, n) => ({ since: NOON + (n >> 1), until: NOON + MANY + n })),
    );
    expect(found.get(lonely)).toHaveLength(1);
    expect(passed.length).toBeGreaterThan(2);
    expect(Math.max(...passed)).toBe(0);
    await storage.close();
  });
});
