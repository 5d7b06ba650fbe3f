import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect } from '@jest/globals';
import { openHandle } from '@slipstream/adapter-sql/testing';
import { ONLY_BY_NAME } from '@slipstream/domain';
import { type ComposedServer, composedServer, newFolder } from '../helpers/composed-server.js';
import { itOne } from '../helpers/three-nodes.js';

const AAPL = 'AAPL:NASDAQ';
const PASSWORD = 'quagga and a horse battery';
/** In every text that the user types and every header that their programs send. */
const MARK = /quagga/i;

/** The columns of the tables with the mark, as `table.column`. What is sealed cannot be read without the master key. */
function marked(file: string): string[] {
  const database = openHandle(file, { readonly: true });
  const tables = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .pluck()
    .all() as string[];
  const found = tables.flatMap((table) =>
    (database.prepare(`SELECT * FROM "${table}"`).all() as Record<string, unknown>[]).flatMap(
      (row) =>
        Object.entries(row)
          .filter(([, value]) =>
            MARK.test(value instanceof Buffer ? value.toString('latin1') : String(value)),
          )
          .map(([column]) => `${table}.${column}`),
    ),
  );
  database.close();
  return [...new Set(found)];
}

const folder = newFolder();
let server: ComposedServer;
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('what a user typed', () => {
  itOne('it looks into the SQLite file')(
    'is gone with the account, but for the names and texts of strategies, which invoices and records of others name',
    async () => {
      server = await composedServer({
        storage: 'sqlite',
        folder,
        environment: { CONFIRM_EMAIL: 'off', WEBHOOK_ALLOW: 'loopback', TRADING_HOURS: 'always' },
      });
      const { ask, quotes, application } = server;
      const file = join(folder, 'slipstream.db');
      await quotes({ [AAPL]: 200 });
      await ask('newUser', { email: 'quagga@example.com', password: PASSWORD });
      const send = async (name: string, body: object, token?: string): Promise<unknown> => {
        const headers = {
          ...{ 'user-agent': 'Quagga/1', 'x-request-id': `quagga-${name}` },
          'idempotency-key': `quagga-${name}-${JSON.stringify(body).length}`,
        };
        const answer = await server.call('POST', `/${name}`, { headers, body, token });
        if (answer.status !== 200) throw new Error(`${name}: ${answer.status} ${answer.text}`);
        return answer.body?.response;
      };
      const session = await ask('newSession', { email: 'quagga@example.com', password: PASSWORD });
      const scope = ['*', ...ONLY_BY_NAME];
      const { token } = await ask('newToken', { name: 'Quagga', scope }, session.token);
      const fields = {
        bio: 'Quagga',
        x: 'https://x.com/quagga',
        website: 'https://quagga.example',
        name: 'Quagga',
      };
      await send(
        'updateUserInfo',
        { ...fields, youtube: 'https://youtube.com/quagga', telegram: 'https://t.me/quagga' },
        token,
      );
      const texts = { name: 'Quagga', description: 'Quagga', alert_watch: 24 };
      const { strategy_id } = (await send('newStrategy', { type: 'stock', ...texts }, token)) as {
        readonly strategy_id: string;
      };
      const alert = { strategy_id, stock_id: AAPL, action: 'buy' };
      for (const also of [{}, { alert_id: 'quagga-1' }, { action: 'quagga' }, { quagga: 'quagga' }])
        await server.attempt('newOrderWebhook', { ...alert, ...also, comment: 'quagga' }, token);
      await server.attempt('newOrderWebhook', { ...alert, alert_id: 'quagga-2' }, token);
      await send('newPost', { text: 'Quagga', strategy_id }, token);
      const endpoint = {
        kind: 'webhook',
        url: 'http://127.0.0.1:9/quagga',
        events: ['order.filled'],
      };
      await send('newEndpoint', endpoint, token);
      await send('haltTrading', { scope: 'user', reason: 'Quagga' }, token);
      const bot = {
        type: 'stock',
        broker: 'simulated',
        credentials: { starting_balance: '10000' },
      };
      await send('newBot', { ...bot, allocations: [{ strategy_id, percent: '1' }] }, token);
      const payer = { name: 'Quagga', city: 'Quagga', line_one: 'Quagga', line_two: 'Quagga' };
      const rest = { district: 'Quagga', postal: 'QUAGGA', country: 'GB', token: 'test_card_paid' };
      await send('newPaymentSource', { ...payer, ...rest }, token);
      await send('preparePlan', { operation: 'newPost', body: { text: 'Quagga' } }, token);
      await send('updateEmail', { email: 'quagga@new.example', password: PASSWORD }, token);
      const typed = marked(file);
      await send('deleteUser', { password: PASSWORD }, token);
      await application.background.sendMails();
      const staying = ['strategies.name', 'strategies.description'];
      expect(marked(file)).toEqual(staying);
      expect(typed).toEqual(
        expect.arrayContaining([
          ...staying,
          'alerts.body',
          'alerts.alert_id',
          'halts.reason',
          'mails.to',
          'posts.text',
          'tokens.name',
          'users.profile',
        ]),
      );
    },
  );
});
