import { readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { jsonLogger, logFrom } from '../../src/index.js';
import { type Answer } from '../helpers/call.js';
import { OPERATOR_TOKEN, composedServer, newFolder } from '../helpers/composed-server.js';
import { itOne } from '../helpers/three-nodes.js';
import { vault } from '../helpers/vault-broker.js';

describe('passwords, tokens and credentials', () => {
  itOne('it looks into the SQLite file')(
    'are in no answer, frame, log line or file, except where they are shown once',
    async () => {
      const folder = newFolder();
      const lines: string[] = [];
      const seen: unknown[] = [];
      const server = await composedServer({
        storage: 'sqlite',
        folder,
        log: logFrom(jsonLogger('debug', { write: (line) => lines.push(line) })),
        adapters: { addBrokers: [vault(seen)] },
      });
      const password = 'canary password one';
      const changed = 'canary password two';
      const credentials = { key: 'canary-broker-key', secret: 'canary-broker-secret' };
      const email = 'ada@example.com';
      const answers: string[] = [];
      const kept = ({ text }: Answer): void => void answers.push(text);

      kept(await server.attempt('newUser', { email, password }));
      const session = await server.ask('newSession', { email, password });
      const { token } = await server.ask('newToken', { name: 'x', scope: ['*'] }, session.token);
      const secrets = [
        password,
        changed,
        credentials.key,
        credentials.secret,
        session.token,
        token,
        OPERATOR_TOKEN,
      ];
      kept(await server.attempt('newSession', { email, password: `${password}?` }));
      kept(await server.attempt('newUser', { email, password, extra: password }));
      kept(
        await server.attempt(
          'updatePassword',
          { password: changed, new_password: changed },
          session.token,
        ),
      );
      kept(
        await server.attempt('updatePassword', { password, new_password: changed }, session.token),
      );
      kept(await server.attempt('getTokens', {}, session.token));
      kept(await server.attempt('verifyToken', {}, token));
      kept(await server.attempt('verifyToken', {}, `${token}x`));
      kept(await server.call('GET', '/getBots', { query: `token=${token}` }));
      kept(await server.call('POST', '/newOrder', { token, body: `{"password": "${password}", ` }));
      kept(
        await server.call('POST', '/newOrderWebhook', {
          body: { api_token: token, strategy_id: 'nope', stock_id: 'AAPL:NASDAQ', action: 'buy' },
        }),
      );
      kept(
        await server.call('POST', '/newOrderWebhook', {
          body: { api_token: token, strategy_id: 5 },
        }),
      );
      const { strategy_id } = await server.ask(
        'newStrategy',
        { type: 'stock', name: 'Mine' },
        token,
      );
      const allocations = [{ strategy_id, percent: 1 }];
      const made = await server.attempt(
        'newBot',
        { type: 'stock', broker: 'vault', allocations, credentials },
        token,
      );
      kept(made);
      const { bot_id } = made.body?.response as { bot_id: string };
      const stream = await server.stream();
      await stream.ask({ action: 'authenticate', token: `${token}x` });
      await stream.ask({ action: 'authenticate', token });
      await stream.subscribe(`wsBot:${bot_id}`);
      kept(await server.attempt('startBot', { bot_id }, token));
      await server.application.background.runBots();
      kept(await server.attempt('getBots', {}, token));
      kept(await server.call('GET', '/metrics'));
      answers.push(...(await stream.settled()).map((frame) => JSON.stringify(frame)));
      // The broker got them in clear, so they were kept; and they are still readable after a change of everything else.
      expect(seen[0]).toEqual(credentials);

      const files = () =>
        readdirSync(folder).map((name) => ({
          name,
          bytes: readFileSync(join(folder, name), 'latin1'),
        }));
      const running = files();
      await server.close();
      const places = [
        ...answers.map((text) => ({ name: 'an answer', text })),
        ...lines.map((text) => ({ name: 'a log line', text })),
        ...[...running, ...files()].map(({ name, bytes }) => ({ name, text: bytes })),
      ];
      const leaks = secrets.flatMap((secret) =>
        places
          .filter(({ text }) => text.includes(secret))
          .map(({ name, text }) => `${secret} in ${name}: ${text.slice(0, 200)}`),
      );
      expect(leaks).toEqual([]);
      expect(lines.length).toBeGreaterThan(15);
      expect(running.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['slipstream.db', 'slipstream.db-wal', 'secret.key']),
      );
      rmSync(folder, { recursive: true, force: true });
    },
  );

  it('are removed from log lines by their names, if one ever gets there', () => {
    const lines: string[] = [];
    const log = logFrom(jsonLogger('debug', { write: (line) => lines.push(line) }));
    const canary = 'canary';
    log.info(
      {
        token: canary,
        api_token: canary,
        password: canary,
        body: { api_token: canary, new_password: canary },
      },
      'x',
    );
    log.warn(
      { headers: { authorization: canary }, request: { bot: { credentials: { key: canary } } } },
      'x',
    );
    expect(lines.join('')).not.toContain(canary);
  });
});
