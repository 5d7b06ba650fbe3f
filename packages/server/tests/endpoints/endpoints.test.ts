import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { fixedClock } from '@slipstream/adapter-memory/testing';
import { type Broker, BrokerRefused } from '@slipstream/ports';
import { type VenueRequest, listen } from '@slipstream/stand-ins';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Webhook } from 'standardwebhooks';
import type { Adapters } from '../../src/index.js';
import {
  type ComposedServer,
  STORAGES,
  type Storage,
  composedServer,
  newFolder,
} from '../helpers/composed-server.js';
import { itOne } from '../helpers/three-nodes.js';
import { vault } from '../helpers/vault-broker.js';

const closings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

/** Half of a strategy. */
const ONE_HALF = { stock_id: 'AAPL:NASDAQ', action: 'buy', amount: '0.005' };

interface Received extends VenueRequest {
  readonly record: { readonly type: string; readonly data: Readonly<Record<string, unknown>> };
}

/** A server, and a receiver for every kind of endpoint. */
async function scene(storage: Storage, folder?: string, adapters?: Adapters) {
  const got: Received[] = [];
  const { url, close } = await listen(async (request) => {
    got.push({ ...request, record: JSON.parse(request.body) as Received['record'] });
    return { status: 200, body: '' };
  });
  closings.push(close);
  const server: ComposedServer = await composedServer({
    storage,
    // Receivers compare the time of a message with their own.
    clock: fixedClock(Date.now()),
    environment: {
      WEBHOOK_ALLOW: 'loopback',
      TELEGRAM_URL: url,
      DISCORD_URL: url,
      TRADING_HOURS: 'always',
    },
    ...(folder !== undefined && { folder }),
    ...(adapters && { adapters }),
  });
  closings.push(() => server.close());
  const ada = await server.user('ada');
  const { strategy_id } = await server.ask('newStrategy', { type: 'stock', name: 'Mine' }, ada);
  await server.quotes({ 'AAPL:NASDAQ': 100 });
  const order = (fields: Record<string, unknown> = {}) =>
    server.ask(
      'newOrder',
      { strategy_id, stock_id: 'AAPL:NASDAQ', action: 'buy', amount: '0.001', ...fields },
      ada,
    );
  const send = () => server.application.background.sendEvents();
  return { server, ada, strategy_id, url, got, order, send };
}

describe.each(STORAGES)('an endpoint over %s', (storage) => {
  it('gets the record as the read shows it, signed', async () => {
    const { server, ada, strategy_id, url, got, order, send } = await scene(storage);
    const events = ['order.filled', 'order.cancelled', 'alert.refused'];
    const made = await server.ask('newEndpoint', { kind: 'webhook', url, events }, ada);
    const filled = await order();
    const limit = await order({ type: 'limit', price: '1' });
    await server.ask('deleteOrder', { strategy_id, order_id: limit.order_id }, ada);
    const alert = { strategy_id, stock_id: 'NONE:NASDAQ', action: 'buy' };
    await server.attempt('newOrderWebhook', alert, ada);
    await send();
    expect(got.map(({ record }) => record.type)).toEqual(events);
    const verified = got.map(({ body, headers }) =>
      new Webhook(made.secret ?? '').verify(body, headers),
    );
    expect(verified).toEqual(got.map(({ record }) => record));
    const orders = await server.ask('getOrders', { strategy_id, order_status: 'filled' }, ada);
    const { version, ...data } = got[0]?.record.data ?? {};
    expect(data).toEqual(orders[0]);
    expect(data).toMatchObject({ order_id: filled.order_id, order_status: 'filled' });
    const positions = await server.ask('getPositions', { strategy_id }, ada);
    expect(version).toBeLessThan(positions.version);
    expect(got[1]?.record.data['version']).toBe(positions.version);
    const [refused] = await server.ask('getAlerts', { strategy_id }, ada);
    expect(got[2]?.record.data).toEqual(refused);
    const sent = await server.ask('getDeliveries', { endpoint_id: made.endpoint_id }, ada);
    expect(sent.map(({ delivery_id }) => delivery_id).reverse()).toEqual(
      got.map(({ headers }) => headers['webhook-id']),
    );
  });

  it('is told of bots, subscriptions, invoices and values', async () => {
    const { server, strategy_id, url, got, order, send } = await scene(storage);
    const bob = await server.user('bob');
    const events = ['bot.started', 'bot.stopped', 'subscription.changed', 'invoice.changed'];
    await server.ask('newEndpoint', { kind: 'webhook', url, events }, bob);
    const values = {
      events: ['value.crossed'],
      value_levels: ['1.0001'],
      strategy_ids: [strategy_id],
    };
    await server.ask('newEndpoint', { kind: 'webhook', url, ...values }, bob);
    await server.ask('newStrategySubscription', { strategy_id }, bob);
    const allocations = [{ strategy_id, percent: '1' }];
    const bot = { type: 'stock', broker: 'simulated', allocations, credentials: {} };
    const { bot_id } = await server.ask('newBot', bot, bob);
    await server.ask('startBot', { bot_id }, bob);
    await send();
    expect(got.map(({ record }) => record.type)).toEqual(['subscription.changed', 'bot.started']);
    await order();
    await server.quotes({ 'AAPL:NASDAQ': 120 });
    server.clock.advance(60_000);
    await order({ action: 'sell' });
    await send();
    expect(got.slice(2).map(({ record }) => record)).toMatchObject([
      {
        type: 'value.crossed',
        data: { strategy_id, previous_value: '0.99995', strategy_value: '1.01989' },
      },
    ]);
  });

  it('of Telegram or Discord gets a short text', async () => {
    const { server, ada, got, order, send } = await scene(storage);
    const events = ['order.filled'];
    const bot_token = `12345:${'a'.repeat(35)}`;
    const discord = 'https://discord.com/api/webhooks/1/secret';
    await server.ask('newEndpoint', { kind: 'telegram', bot_token, chat_id: '7', events }, ada);
    await server.ask('newEndpoint', { kind: 'discord', url: discord, events }, ada);
    await order();
    await send();
    const texts = got.map(({ body }) => JSON.parse(body) as { text?: string; content?: string });
    const said = texts.map(({ text, content }) => text ?? content);
    expect(said).toHaveLength(2);
    const metrics = await server.call('GET', '/metrics');
    expect(metrics.text).toContain('slipstream_delivery_attempts_total{result="delivered"} 2');
    for (const one of said)
      expect(one).toMatch(
        /^Filled: buy AAPL, 0\.001 at 100\.05, in Mine\.\nhttp\S+\/strategies\/\S+$/,
      );
  });
});

describe('the messages to webhooks', () => {
  let isRevoked = false;
  const inner = vault([]);
  /** A broker whose access can end. */
  const revoked: Broker = {
    ...inner,
    account: async (...asked) => {
      if (isRevoked) throw new BrokerRefused('the key was revoked');
      return inner.account(...asked);
    },
  };

  it('tell of bots that stop, pass a limit of losses and cannot go on, and of invoices, as openapi.json describes them', async () => {
    const { server, ada, strategy_id, url, got, send } = await scene('memory', undefined, {
      addBrokers: [revoked],
    });
    const events = ['bot.stopped', 'bot.breached', 'bot.error', 'invoice.changed', 'order.filled'];
    const bob = await server.user('bob');
    await server.ask('newEndpoint', { kind: 'webhook', url, events }, bob);
    await server.ask('newEndpoint', { kind: 'webhook', url, events: ['order.filled'] }, ada);
    const sent = async () => {
      await send();
      return got.splice(0).map(({ record }) => record);
    };
    const { paths: _, ...document } = JSON.parse(
      (await server.call('GET', '/openapi.json')).text,
    ) as Record<string, object>;
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema(document, 'openapi');
    const described = (record: Received['record']): unknown => {
      const at = `openapi#/webhooks/${record.type}/post/requestBody/content/application~1json/schema`;
      ajv.validate({ $ref: at }, record);
      return ajv.errors ?? [];
    };

    const allocations = [{ strategy_id, percent: '1' }];
    await server.ask('updateStrategy', { strategy_id, price: 15 }, ada);
    const card = { token: 'test_card_paid', name: 'Bob', city: 'London', country: 'GB' };
    const address = { line_one: '12 St James Square', postal: 'SW1Y 4JH' };
    await server.ask('newPaymentSource', { ...card, ...address }, bob);
    await server.ask('newStrategySubscription', { strategy_id, price: 15 }, bob);
    const invoices = await sent();
    expect(invoices.map(({ type }) => type)).toContain('invoice.changed');
    const [invoice] = await server.ask('getInvoices', {}, bob);
    expect(invoices.at(-1)?.data).toEqual(invoice);

    const bot = { type: 'stock', broker: 'simulated', allocations, credentials: {} };
    const limited = { ...bot, limits: { max_daily_loss: '0.05' } };
    const { bot_id } = await server.ask('newBot', limited, bob);
    const botOf = async (id: string) => (await server.ask('getBots', { bot_id: [id] }, bob))[0];
    const run = async (): Promise<void> => {
      for (let turn = 0; turn < 3; turn += 1) {
        await server.application.background.runBots();
        server.clock.advance(60_000);
      }
    };
    await server.ask('newOrder', { strategy_id, ...ONE_HALF }, ada);
    await server.ask('startBot', { bot_id }, bob);
    await run();
    const [filled] = await sent();
    expect(filled?.type).toBe('order.filled');
    await server.quotes({ 'AAPL:NASDAQ': 80 });
    await run();
    const [breached] = await sent();
    expect(breached).toMatchObject({ type: 'bot.breached', data: { bot_id } });
    expect(breached?.data['breach']).toEqual((await botOf(bot_id))?.breach);

    await server.ask('stopBot', { bot_id }, bob);
    await run();
    const stopped = await sent();
    expect(stopped).toMatchObject([{ type: 'bot.stopped', data: { bot_id, status: 'off' } }]);
    expect(stopped[0]?.data).toEqual(await botOf(bot_id));

    const away = { ...bot, broker: 'vault', credentials: { key: 'k' } };
    const made = await server.ask('newBot', away, bob);
    await server.ask('startBot', { bot_id: made.bot_id }, bob);
    isRevoked = true;
    await run();
    const halted = await sent();
    expect(halted).toMatchObject([
      { type: 'bot.error', data: { bot_id: made.bot_id, status: 'error' } },
    ]);
    expect(halted[0]?.data).toEqual(await botOf(made.bot_id));

    for (const record of [...invoices, filled, breached, ...stopped, ...halted])
      expect(record && [record.type, described(record)]).toEqual([record?.type, []]);
    expect(described({ type: 'bot.error', data: {} })).not.toEqual([]);
  });
});

describe('the secrets of endpoints', () => {
  const folder = newFolder();
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  itOne('it looks into the SQLite file')(
    'are in no file of the database, and neither is what was told',
    async () => {
      const { server, ada, url, order, send } = await scene('sqlite', folder);
      const events = ['order.filled'];
      const bot_token = `12345:${'b'.repeat(35)}`;
      const discord = 'https://discord.com/api/webhooks/1/secret-of-discord';
      const hook = { kind: 'webhook', url: `${url}/secret-of-hook`, events };
      const { secret } = await server.ask('newEndpoint', hook, ada);
      await server.ask('newEndpoint', { kind: 'telegram', bot_token, chat_id: '7', events }, ada);
      await server.ask('newEndpoint', { kind: 'discord', url: discord, events }, ada);
      await order();
      await send();
      await server.shutDown();
      const bytes = readFileSync(join(folder, 'slipstream.db'), 'latin1');
      for (const text of [
        secret ?? '-',
        bot_token,
        'secret-of-discord',
        'secret-of-hook',
        'Filled: ',
      ])
        expect(bytes).not.toContain(text);
    },
  );
});
