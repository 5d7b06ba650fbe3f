import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Answer, asked, between, done, forwarding, linked, serving } from './linked-nodes.js';

/** Requests that reach the node that serves; each is answered when the test lets it. */
class Held {
  private readonly arrivals: (() => void)[] = [];
  private readonly finishes: (() => void)[] = [];
  readonly texts: string[] = [];
  /** Of the next answer. */
  status = 200;

  readonly answer: Answer = async ({ body }) => {
    this.texts.push(String(await body(1_000)));
    this.arrivals.shift()?.();
    await new Promise<void>((finish) => this.finishes.push(finish));
    const { status } = this;
    return { status, headers: { 'Content-Type': 'text/plain' }, body: 'done' };
  };

  /** Resolves when the next one comes. */
  arrived(): Promise<void> {
    return new Promise((resolve) => this.arrivals.push(resolve));
  }

  finish(): void {
    for (const finish of this.finishes.splice(0)) finish();
  }
}

describe('a request whose link broke', () => {
  it('is settled over the next link when nothing of it is under way any more', async () => {
    const held = new Held();
    const { url } = await serving(held.answer);
    const proxy = await between(url);
    const arrives = held.arrived();
    const unknown = (await linked(proxy.url)).ask(asked, Buffer.alloc(0));
    await arrives;
    proxy.cut();
    expect(await unknown).toBe('unknown');
    const next = await linked(url);
    let isSettled = false;
    const settled = next.settled(asked.requestId).then((is) => (isSettled = is));
    for (let turn = 1; turn <= 3; turn += 1)
      expect([await next.serves(), isSettled]).toEqual([true, false]);
    held.finish();
    expect(await settled).toBe(true);
    expect(await next.settled('one that never came')).toBe(true);
  });

  it('is not done any more when it was settled before it came', async () => {
    let count = 0;
    const { url } = await serving(async (...given) => {
      count += 1;
      return done(...given);
    });
    const proxy = await between(url);
    const first = await linked(proxy.url);
    await first.serves();
    proxy.freeze();
    const late = first.ask(asked, Buffer.alloc(0));
    const next = await linked(url);
    expect(await next.settled(asked.requestId)).toBe(true);
    proxy.thaw();
    expect([await late, count]).toEqual(['not taken', 0]);
    expect(await next.ask(asked, Buffer.alloc(0))).toMatchObject({ status: 200 });
  });

  it('is not settled by a node that serves no more', async () => {
    const { url, state } = await serving();
    const peer = await linked(url);
    state.isServing = false;
    expect(await peer.settled(asked.requestId)).toBe(false);
  });
});

describe('a client whose node lost its link with the one that serves', () => {
  const held = new Held();
  type Forwarding = Awaited<ReturnType<typeof forwarding>>;
  let state: Forwarding['state'];
  let proxy: Forwarding['proxy'];
  let send: Forwarding['send'];
  /** What the database says that was done, once it is certain. */
  let isDone: boolean;

  beforeEach(async () => {
    held.texts.length = 0;
    held.status = 200;
    ({ state, proxy, send } = await forwarding(held.answer, () => isDone));
  });

  /** Sends it, and cuts the link while it is under way; it is done after that. What is asked again is answered with `status`. */
  async function sendAmidCut(
    path: string,
    headers = {},
    status = 200,
    body?: string,
  ): Promise<unknown> {
    const arrives = held.arrived();
    const answered = send(path, headers, body);
    await arrives;
    const repeated = held.arrived();
    proxy.cut();
    held.finish();
    void repeated.then(() => {
      held.status = status;
      held.finish();
    });
    return answered;
  }
  const postAmidCut = (path: string, headers = {}, status = 200): Promise<unknown> =>
    sendAmidCut(path, headers, status, '{"a":1}');

  it('gets the answer to an alert that was done: it is a resend', async () => {
    isDone = true;
    expect(await postAmidCut('/newOrderWebhook')).toEqual([200, 'done']);
    expect(held.texts).toEqual(['{"a":1}', '{"a":1}']);
  });

  it('gets the answer to an order that was not done: it is asked for again', async () => {
    isDone = false;
    expect(await postAmidCut('/newOrder')).toEqual([200, 'done']);
    expect(held.texts).toHaveLength(2);
  });

  it('gets the answer to a request with a key, which knows whether it was done', async () => {
    const keyed = { 'Idempotency-Key': 'k-1' };
    expect(await postAmidCut('/newPost', keyed)).toEqual([200, 'done']);
    expect(await postAmidCut('/newPost', keyed, 400)).toEqual([400, 'done']);
  });

  it.each([401, 429, 503])(
    'is cut off when that is refused with %i before its key is looked for: it may have been done',
    async (status) => {
      expect(await postAmidCut('/newPost', { 'Idempotency-Key': 'k-1' }, status)).toBe('cut');
    },
  );

  it.each([200, 401, 429, 500, 503])(
    'gets what the next one answers to a read, also %i: it is no change that may have been done',
    async (status) => {
      expect(await sendAmidCut('/getServiceInfo', {}, status)).toEqual([status, 'done']);
    },
  );

  it('gets 503 to a read when nobody serves any more: it can be asked for again', async () => {
    const arrives = held.arrived();
    const answered = send('/getServiceInfo');
    await arrives;
    state.isServing = false;
    proxy.cut();
    expect(await answered).toEqual([503, expect.stringContaining('nothing was done')]);
  });

  it('is told by /readyz why it is not ready, also when that is noticed by this question', async () => {
    const arrives = held.arrived();
    const answered = send('/getServiceInfo');
    await arrives;
    held.finish();
    await answered;
    state.isServing = false;
    const why = 'not ready\nthe server that owns the database does not serve now\n';
    expect(await send('/readyz')).toEqual([503, why]);
    expect(await send('/readyz')).toEqual([503, why]);
  });

  it('is cut off at once when its order was done: nobody has the answer', async () => {
    isDone = true;
    expect(await postAmidCut('/newOrder')).toBe('cut');
    expect(held.texts).toHaveLength(1);
  });
});
