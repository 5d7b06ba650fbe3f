import { afterAll, describe, expect, it } from '@jest/globals';
import { type VenueAnswer, listen } from '@slipstream/stand-ins';
import { Webhook } from 'standardwebhooks';
import {
  CHILD_OPERATOR,
  type ChildServer,
  freshFolders,
  serveIn,
  signUp,
} from '../helpers/child-server.js';
import { ask } from '../helpers/composed-server.js';

const TAKEN: VenueAnswer = { status: 200, body: '' };

/** Where the server is killed while a message is on its way; `dies` kills it. */
type Point = (dies: () => void) => Promise<VenueAnswer | 'dropped'>;

/** In the order of a delivery. The last one is before any attempt: at the answer to the order. */
const POINTS: Readonly<Record<string, Point | 'at the order'>> = {
  'when the order is answered and nothing was sent': 'at the order',
  'when the receiver has the message and has not answered': async (dies) => {
    dies();
    return 'dropped';
  },
  'when the receiver answers': async (dies) => {
    dies();
    return TAKEN;
  },
  'after the receiver answered': async (dies) => {
    setImmediate(dies);
    return TAKEN;
  },
};

interface Got {
  readonly messageId: string;
  readonly orderId: string;
  readonly version: number;
}

/** A receiver that outlives the server. */
async function receiver() {
  const got: Got[] = [];
  let next: () => Promise<VenueAnswer | 'dropped'> = async () => TAKEN;
  let secret = '';
  let seen = (): void => undefined;
  const { url, close } = await listen(async ({ headers, body }) => {
    const message = new Webhook(secret).verify(body, headers) as {
      readonly data: { readonly order_id: string; readonly version: number };
    };
    const { order_id: orderId, version } = message.data;
    got.push({ messageId: headers['webhook-id'] ?? '', orderId, version });
    const answer = await next();
    seen();
    return answer;
  });
  return {
    url,
    close,
    got,
    signedBy: (text: string) => {
      secret = text;
    },
    answer: (how: typeof next) => {
      next = how;
    },
    /** Resolves when every one of these orders was told. */
    heard: (orderIds: readonly string[]) =>
      new Promise<void>((resolve) => {
        seen = () => {
          const told = new Set(got.map(({ orderId }) => orderId));
          if (orderIds.every((orderId) => told.has(orderId))) resolve();
        };
        seen();
      }),
  };
}

describe('a server that is killed while it sends', () => {
  const folderOf = freshFolders();
  let close = async (): Promise<void> => undefined;
  afterAll(() => close());

  it('sends everything, in the order of events, and repeats under the same id', async () => {
    const folder = folderOf();
    const hook = await receiver();
    ({ close } = hook);
    const environment = { WEBHOOK_ALLOW: 'loopback' };
    let server: ChildServer = await serveIn(folder, environment);
    const token = await signUp((name, fields, by) => ask(server.url, name, fields, by));
    const strategy = { type: 'stock', name: 'Told' };
    const { strategy_id } = await ask(server.url, 'newStrategy', strategy, token);
    const endpoint = { kind: 'webhook', url: hook.url, events: ['order.filled'] };
    hook.signedBy((await ask(server.url, 'newEndpoint', endpoint, token)).secret ?? '');

    const orders: string[] = [];
    const trade = async (count: number): Promise<void> => {
      const quotes = [{ stock_id: 'AAPL:NASDAQ', bid: 100, ask: 100, last: 100 }];
      await ask(server.url, 'newQuotes', { quotes }, CHILD_OPERATOR);
      for (let n = 0; n < count; n += 1) {
        const buy = { strategy_id, stock_id: 'AAPL:NASDAQ', action: 'buy', amount: '0.0001' };
        orders.push((await ask(server.url, 'newOrder', buy, token)).order_id);
      }
    };
    for (const point of Object.values(POINTS)) {
      const dying = server;
      const dies = (): void => void dying.process.kill('SIGKILL');
      if (point !== 'at the order') hook.answer(() => point(dies));
      await trade(4).catch((error: unknown) => {
        // The server may be gone before all orders are placed; those that it answered count.
        if (point === 'at the order') throw error;
      });
      if (point === 'at the order') dies();
      expect(await dying.ended).toMatchObject({ signal: 'SIGKILL' });
      hook.answer(async () => TAKEN);
      server = await serveIn(folder, environment);
      await trade(2);
      await hook.heard(orders);
    }
    server.process.kill('SIGKILL');

    const firsts = hook.got.filter(
      ({ orderId }, at) => hook.got.findIndex((one) => one.orderId === orderId) === at,
    );
    expect(firsts.length).toBeGreaterThanOrEqual(orders.length);
    const versions = firsts.map(({ version }) => version);
    expect(versions).toEqual(versions.toSorted((one, other) => one - other));
    for (const { orderId, messageId } of hook.got)
      expect(firsts.find((first) => first.orderId === orderId)?.messageId).toBe(messageId);
    expect(new Set(firsts.map(({ messageId }) => messageId)).size).toBe(firsts.length);
    // The receiver had it and the server did not know: it was told again.
    expect(hook.got.length).toBeGreaterThan(firsts.length);
  });
});
