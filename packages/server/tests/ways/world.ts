import { setImmediate } from 'node:timers/promises';
import { fixedClock } from '@slipstream/adapter-memory/testing';
import type { ChannelKind } from '@slipstream/wire';
import { listen } from '@slipstream/stand-ins';
import { someDetails } from '../../../wire/src/billing/examples.js';
import { FOLDS } from '../../../dashboard/src/service/folds.js';
import { type Agent, openAgent } from '../../../mcp/tests/agent.js';
import { dice, type Dice } from '../billing/world.js';
import {
  type ComposedServer,
  type Storage,
  OPERATOR_TOKEN,
  composedServer,
} from '../helpers/composed-server.js';
import { OVER_NODES } from '../helpers/three-nodes.js';
import type { StreamClient } from '../helpers/stream-client.js';

export type Fields = Readonly<Record<string, unknown>>;

/** Somebody who asks in every way. */
export interface Person {
  readonly name: string;
  readonly token: string;
  readonly userId: string;
  readonly agent: Agent;
  readonly stream: StreamClient;
  /** What the stream told of each channel, as the dashboard folds it. */
  readonly live: Map<string, { readonly data?: unknown; readonly ended?: string }>;
  /** How many of its frames were folded. */
  folded: number;
  /** What the endpoints were sent, oldest first. */
  readonly sent: { readonly type: string; readonly data: Fields }[];
  readonly texts: string[];
}

export interface World {
  readonly server: ComposedServer;
  readonly roll: Dice;
  readonly people: Record<'owner' | 'follower' | 'stranger', Person>;
  /** Those of the owner. */
  readonly strategies: string[];
  readonly bots: string[];
  readonly prices: Map<string, number>;
  readonly acts: string[];
  /** Prices are told, and what is due is done. */
  rest(): Promise<void>;
  close(): Promise<void>;
}

/** A share, one that nobody knows how to write, and a coin of small prices. */
export const STOCKS = ['AAPL:NASDAQ', 'ODD:NYSE'] as const;
export const COIN = 'TINY:COINBASE';
const BEGINNINGS = ['2026-01-31', '2026-03-06', '2026-10-30', '2027-12-29', '2028-02-28'];
const ODD = '=SUM(A1), "odd" ＝ Ærø;=1';

/** Listens to what the channels tell from now on. */
export async function hears(person: Person, ...channels: string[]): Promise<void> {
  const asked = channels.filter((name) => !person.live.has(name));
  if (asked.length === 0) return;
  for (const name of asked) person.live.set(name, {});
  for (const name of asked) await person.stream.subscribe(name);
}

/** Folds what came meanwhile. */
export async function fold(person: Person): Promise<void> {
  const frames = await person.stream.settled();
  for (const frame of frames.slice(person.folded)) {
    if (frame.channel === undefined) continue;
    const kind = frame.channel.split(':')[0] as ChannelKind;
    const change = FOLDS[kind] as unknown as (state: object, told: object) => object;
    person.live.set(frame.channel, change(person.live.get(frame.channel) ?? {}, frame));
  }
  person.folded = frames.length;
}

export async function openWorld(seed: number, storage: Storage): Promise<World> {
  const roll = dice(seed);
  for (let n = 0; n < 5; n += 1) roll(2);
  const clock = fixedClock(Date.parse(`${BEGINNINGS[seed % BEGINNINGS.length]}T15:00:00.000Z`));
  const sent = new Map<string, Person['sent']>();
  const texts: string[] = [];
  const receiver = await listen(async ({ path, body }) => {
    const given = JSON.parse(body) as Person['sent'][number] & { readonly text?: string };
    if (given.text === undefined) sent.get(path.slice(1))?.push(given);
    else texts.push(given.text);
    return { status: 200, body: '{"ok":true}' };
  });
  const server = await composedServer({
    storage,
    clock,
    environment: {
      TRADING_HOURS: 'always',
      WEBHOOK_ALLOW: 'loopback',
      TELEGRAM_URL: receiver.url,
      PUBLIC_URL: 'http://127.0.0.1:3000',
      CAPS: 'posts=100000,alerts=100000',
      CONFIRM_EMAIL: 'off',
    },
  });
  const { background } = server.application;
  const idle = await server.user('idle');
  /** Until what commits cause beside their answers is stored: each write comes after those before it. */
  const settled = async (): Promise<void> => {
    for (const notifications of [['subscription'], ['like']]) {
      for (let turn = 0; turn < 50; turn += 1) await setImmediate();
      await server.ask('updateUserNotifications', { notifications }, idle);
    }
  };
  const joins = async (name: string): Promise<Person> => {
    const token = await server.user(name);
    const { user_id: userId } = await server.ask('verifyToken', {}, token);
    sent.set(name, []);
    await server.ask('updateUserNotifications', { notifications: ['subscription', 'like'] }, token);
    const events = ['order.filled', 'order.rejected', 'order.cancelled', 'alert.refused'];
    events.push(
      'bot.started',
      'bot.stopped',
      'bot.error',
      'subscription.changed',
      'invoice.changed',
    );
    const hook = { kind: 'webhook', url: `${receiver.url}/${name}`, events };
    await server.ask('newEndpoint', hook, token);
    const stream = await server.stream(token);
    const person: Person = {
      ...{ name, token, userId, stream, live: new Map(), folded: 0 },
      ...{ texts: name === 'owner' ? texts : [], sent: sent.get(name) ?? [] },
      agent: await openAgent(server.url, token),
    };
    await hears(person, `wsNotifications:${userId}`, `wsUserAlerts:${userId}`);
    return person;
  };
  const people = {
    owner: await joins('owner'),
    follower: await joins('follower'),
    stranger: await joins('stranger'),
  };
  const world: World = {
    ...{ server, roll, people, strategies: [], bots: [], acts: [] },
    prices: new Map<string, number>([
      ['AAPL:NASDAQ', 200],
      ['ODD:NYSE', 13.37],
      [COIN, 0.00000123],
    ]),
    async rest() {
      await server.quotes(
        Object.fromEntries(
          [...world.prices].map(([stock, price]) => {
            const bid = Number(price.toPrecision(6));
            return [stock, [bid, Number((bid * 1.0007).toPrecision(8))] as const];
          }),
        ),
      );
      // At the quotes, so that bots trade, and after them.
      for (const wait of [1, 1_000, 61_000]) {
        await settled();
        clock.advance(wait);
        await background.tick();
        await background.runBilling();
        await background.runBots();
        await background.sendMails();
        await background.sendEvents();
      }
      await background.makeAnchors();
      await background.rankStrategies();
      await settled();
    },
    async close() {
      for (const { agent } of Object.values(people)) await agent.close();
      await server.close();
      await receiver.close();
    },
  };
  await server.ask(
    'updateStocks',
    {
      stocks: [
        {
          ...{ symbol: 'ODD', stock: 'ODD', name: ODD, sector: '-1+1', security: 'stock' },
          ...{ exchange: 'NYSE', peg: 'USD', fee: '0.00333', slippage: '0.0007' },
        },
        {
          ...{ symbol: 'TINYUSD', stock: 'TINY', name: 'Tiny', sector: '', peg: 'USD' },
          ...{ security: 'cryptocurrency', exchange: 'COINBASE', fee: '0.0025' },
        },
      ],
    },
    OPERATOR_TOKEN,
  );
  const { owner, follower, stranger } = people;
  const bot_token = `12345:${'a'.repeat(35)}`;
  const telegram = { kind: 'telegram', bot_token, chat_id: '7', events: ['order.filled'] };
  if (!OVER_NODES) await server.ask('newEndpoint', telegram, owner.token);
  await world.rest();
  for (const fields of [
    { type: 'stock', name: 'Free', categories: ['a "b", c', '-1'] },
    { type: 'stock', name: '=Paid, "x"', price: 7, description: 'two\nlines, "here"' },
    { type: 'cryptocurrency', name: 'Shut', private: true, invited_user_ids: [follower.userId] },
  ])
    world.strategies.push((await server.ask('newStrategy', fields, owner.token)).strategy_id);
  for (const [person, token] of [
    [follower, 'test_card_paid'],
    [stranger, 'test_card_retried'],
  ] as const)
    await server.ask('newPaymentSource', { token, ...someDetails }, person.token);
  for (const [place, strategy_id] of world.strategies.entries())
    await server.ask(
      'newStrategySubscription',
      { strategy_id, input_value: 3333, ...(place === 1 && { price: 7 }) },
      follower.token,
    );
  await world.rest();
  for (const [place, strategy_id] of world.strategies.entries()) {
    const bot = {
      ...{ type: place === 2 ? 'cryptocurrency' : 'stock', broker: 'simulated' },
      allocations: [{ strategy_id, percent: '0.77' }],
      credentials: { starting_balance: '31234.56' },
      notifications: ['start', 'stop', 'info', 'warning', 'error'],
    };
    const { bot_id } = await server.ask('newBot', bot, follower.token);
    world.bots.push(bot_id);
    await hears(follower, `wsBot:${bot_id}`);
    await server.ask('startBot', { bot_id }, follower.token);
    for (const one of [owner, follower])
      await hears(one, `wsOrders:${strategy_id}`, `wsPositions:${strategy_id}`);
    await hears(owner, `wsAlerts:${strategy_id}`);
  }
  return world;
}
