import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { Kysely, SqliteDialect } from 'kysely';
import { answerQuestions } from '../program.js';
import { openHandle } from '@slipstream/adapter-sql/testing';

interface StrategyRow {
  readonly id: string;
  readonly product_id: string;
  readonly user_id: string;
  readonly type: string;
  readonly private: number;
  readonly name: string;
  readonly description: string;
  readonly categories: string;
  readonly price: number;
  readonly created_at: number;
  readonly updated_at: number;
}
interface Tables {
  strategies: StrategyRow;
  subscriptions: { id: string; strategy_id: string; relation: string; status: string };
}

/** The baseline of P17: plain express with two kysely queries for each request, on a database of the product. */
const [file = ''] = process.argv.slice(2);
const database = new Kysely<Tables>({
  dialect: new SqliteDialect({ database: openHandle(file, { readonly: true }) }),
});
const FRAMES = ['day', 'week', 'month', 'year', 'five_year'];

const app = express();
// The extended parser of express turns more than 20 items into an object.
app.set('query parser', (query: string) => new URLSearchParams(query));
app.get('/getStrategies', async (request, response) => {
  const ids = (request.query as unknown as URLSearchParams).getAll('strategy_id[]');
  const strategies = await database
    .selectFrom('strategies')
    .selectAll()
    .where('id', 'in', ids)
    .execute();
  const counts = await database
    .selectFrom('subscriptions')
    .select(['strategy_id', ({ fn }) => fn.countAll<number>().as('count')])
    .where('strategy_id', 'in', ids)
    .where('relation', '=', 'subscriber')
    .where('status', '=', 'active')
    .groupBy('strategy_id')
    .execute();
  const subscribers = new Map(counts.map(({ strategy_id: id, count }) => [id, count]));
  const answer = strategies.map(
    ({ id, categories, created_at, updated_at, private: hidden, ...row }) => ({
      strategy_id: id,
      ...row,
      private: hidden === 1,
      categories: JSON.parse(categories) as string[],
      owner: { user_id: row.user_id, name: null },
      strategy_value: '1',
      age_days: 0,
      subscribers: subscribers.get(id) ?? 0,
      timeframes: FRAMES.map((timeframe) => ({
        timeframe,
        rank_performance: null,
        rank_popular: null,
        rank_trending: null,
        rank_top: null,
        max_drawdown: '0',
        past_value: '1',
        return: '0',
      })),
      created_at: new Date(created_at).toISOString(),
      updated_at: new Date(updated_at).toISOString(),
    }),
  );
  response.json({ success: true, response: answer });
});
const server = createServer(app).listen(0, '127.0.0.1');
await once(server, 'listening');
answerQuestions({ port: () => (server.address() as AddressInfo).port }, () => database.destroy());
