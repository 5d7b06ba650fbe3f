import { ONLY_BY_NAME, type Timestamp } from '@slipstream/domain';
import type { Mail } from '@slipstream/ports';
import { type VenueRequest, listen } from '@slipstream/stand-ins';
import { type ComposedServer, OPERATOR_TOKEN, composedServer } from '../helpers/composed-server.js';
import type { StreamClient } from '../helpers/stream-client.js';
import type { Placeholder } from '../operations/table/scene.js';
import { CHANNEL_KINDS } from '../transcripts/channels.js';
import { countedIds } from '../transcripts/counted-ids.js';
import type { Known, PlayedWorld } from '../transcripts/played-world.js';
import { type FormerFollower, changeBots, endAccess, follow } from './former-followers.js';
import { FOLLOWED, FORMER, type Former, READERS, type Reader, knownTo } from './readers.js';
import {
  type Hidden,
  PRICE,
  SECRET_STOCKS,
  hiddenOf,
  keepSecretly,
  tradeSecretly,
  twins,
} from './secrets.js';

/** What is different between two worlds, and nothing else is. */
export interface Variation {
  /** What the owner does where the readers may not look. */
  readonly owner: 'one' | 'other';
  /** What a follower does with the own account. */
  readonly follower: 'one' | 'other';
}

export interface World extends PlayedWorld {
  readonly variation: Variation;
  /** When the last access ended: before it the worlds are one. */
  readonly endedAt: Timestamp;
  /** What is hidden, by whose it is and its kind. */
  readonly hidden: Hidden;
  close(): Promise<void>;
}

const EVERYTHING = ['*', ...ONLY_BY_NAME];
/** The host's tasks, until nothing is due at this moment. */
async function rest({ application: { background } }: ComposedServer): Promise<void> {
  for (let round = 0; round < 2; round += 1) {
    await background.tick();
    await background.runBilling();
    await background.runBots();
    await background.sendEvents();
    await background.sendMails();
  }
}

/** One world, played to the moment at which everybody asks. */
export async function playWorld(variation: Variation): Promise<World> {
  const { ids, unseen, isUnseen } = countedIds();
  const mails: Mail[] = [];
  const sent: VenueRequest[] = [];
  const receiver = await listen(async (request) => {
    sent.push(request);
    return { status: 200, body: '' };
  });
  const server = await composedServer({
    adapters: { mailer: { send: async (mail) => void mails.push(mail) }, ids },
    environment: {
      WEBHOOK_ALLOW: 'loopback',
      TRADING_HOURS: 'always',
      CONFIRM_EMAIL: 'off',
      PUBLIC_URL: 'http://127.0.0.1:3000',
    },
  });
  const { ask, user, clock, application } = server;
  const known: Known[] = [];
  const tokens = new Map<Reader, string | undefined>();
  const knows = (kind: Placeholder, label: string, is: string, of?: Reader): string => {
    known.push({ kind, label, id: is, of });
    return is;
  };
  const idOf = async (token: string): Promise<string> =>
    (await ask('verifyToken', {}, token)).user_id;

  await server.quotes(twins(200, 100));
  const owner = await user('owner');
  tokens.set('owner', owner);
  knows('user', 'the owner', await idOf(owner));
  const newStrategy = async (label: string, fields: object): Promise<string> => {
    const { strategy_id } = await ask(
      'newStrategy',
      { type: 'stock', name: label, ...fields },
      owner,
    );
    const first = { strategy_id, stock_id: 'IBM:NYSE', action: 'buy', amount: '0.001' };
    await ask('newOrder', first, owner);
    return knows('strategy', label, strategy_id);
  };
  const former = new Map<Former, string>();
  for (const name of FORMER) {
    const token = await user(name.replaceAll(' ', '-'));
    former.set(name, token);
    tokens.set(name, token);
    knows('user', name, await idOf(token), name);
  }
  const excluded = await idOf(former.get('excluded') ?? '');
  const strategies = {
    free: await newStrategy('Free', { categories: ['one'] }),
    paid: await newStrategy('Paid', { price: PRICE, categories: ['other'] }),
    shut: await newStrategy('Shut', { private: true, invited_user_ids: [excluded] }),
    turned: await newStrategy('Turned', {}),
    other: await newStrategy('Other', {}),
    secret: await newStrategy('Secret', { private: true }),
  };
  const followedBy = (name: Former): string =>
    strategies[FOLLOWED[name].toLowerCase() as keyof typeof strategies];
  const post = await ask('newPost', { text: 'Of it', strategy_id: strategies.turned }, owner);
  knows('post', 'a post', post.post_id);

  tokens.set('stranger', await user('stranger'));
  tokens.set('nobody', undefined);
  const follower = await user('follower');
  tokens.set('follower of another strategy', follower);
  await ask('newStrategySubscription', { strategy_id: strategies.other }, follower);
  const narrow = async (name: Reader, fields: object): Promise<void> => {
    const { token, token_id } = await ask('newToken', { name: 'narrow', ...fields }, owner);
    knows('token', name, token_id);
    tokens.set(name, token);
  };
  await narrow('token of the owner for figures', {
    scope: ['getStrategies', 'getStrategyValues'],
    strategy_ids: [strategies.free],
  });
  await narrow('token of the owner for another strategy', {
    scope: EVERYTHING,
    strategy_ids: [strategies.other],
  });

  const formers: FormerFollower[] = [];
  for (const name of FORMER) {
    const one = { name, token: former.get(name) ?? '', strategyId: followedBy(name) };
    const url = `${receiver.url}/${name.replaceAll(' ', '-')}`;
    await follow(server, one, { url, another: strategies.other, knows });
    formers.push(one);
  }
  const streams = new Map<Reader, StreamClient>();
  for (const reader of READERS) streams.set(reader, await server.stream(tokens.get(reader)));
  for (const [reader, stream] of streams)
    for (const [channel, kind] of CHANNEL_KINDS)
      for (const named of knownTo(reader, known, kind))
        await stream.ask({ action: 'subscribe', channels: [`${channel}:${named.id}`] });
  await rest(server);
  await changeBots(server, known, former);
  const privately = await unseen(variation.follower, () =>
    keepSecretly(server, variation.follower, strategies, owner),
  );
  const endedAt = await endAccess(server, strategies, { owner, formers, rest });
  const oneMore = await unseen(variation.owner, () =>
    tradeSecretly(server, variation.owner, strategies, owner),
  );
  await rest(server);
  for (const prices of [twins(210, 101), twins(205, 102)]) {
    clock.advance(61_000);
    await server.quotes(prices);
    for (const stock_id of ['AAPL:NASDAQ', 'MSFT:NASDAQ'])
      await ask(
        'newStockAction',
        { stock_id, kind: 'cash_dividend', amount: '0.5' },
        OPERATOR_TOKEN,
      );
    await rest(server);
    await application.background.rankStrategies();
  }
  for (const [, stream] of streams) await stream.settled();
  return {
    variation,
    endedAt,
    server,
    tokens,
    streams,
    known,
    secret: SECRET_STOCKS,
    hidden: await hiddenOf(server, { free: strategies.free, oneMore }, owner, privately, isUnseen),
    mails,
    sent,
    async close() {
      await server.close();
      await receiver.close();
    },
  };
}
