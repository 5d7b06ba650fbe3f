import { once } from 'node:events';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { aesSecretBox } from '@slipstream/adapter-crypto';
import { silentLog } from '@slipstream/adapter-memory/testing';
import { WINDOW } from '../../../adapter-http/src/link/channel.js';
import { linkHost } from '../../../adapter-http/src/link/link-host.js';
import { frameOpener, frameSealer } from '../../../adapter-http/src/link/sealed-frames.js';
import { NewsOfDeliveries } from '../../../adapter-http/src/nodes/news.js';
import { type Peer, linkWith } from '../../../adapter-http/src/nodes/peer.js';
import { ServingNode } from '../../../adapter-http/src/nodes/serving-node.js';
import { KEY, asked, between, done, ends, linked, news, proofs, serving } from './linked-nodes.js';

const OTHER_KEY = 'another master key of the tests, as long';

describe('a link between two nodes', () => {
  it('carries a request whole, and its answer', async () => {
    let got: unknown;
    const { url } = await serving(async ({ body, ...request }, ...rest) => {
      got = { ...request, text: String(await body(1_000)), rest };
      return { status: 418, headers: { 'X-Some': 'ü' }, body: '{"é":1}' };
    });
    const answer = await (await linked(url)).ask(asked, Buffer.from('{"ö":2}'));
    const { requestId, waited, ...request } = asked;
    expect(got).toEqual({ ...request, text: '{"ö":2}', rest: [requestId, waited] });
    expect(answer).toMatchObject({ status: 418, headers: { 'X-Some': 'ü' } });
    expect(String((answer as { body: unknown }).body)).toBe('{"é":1}');
  });

  it('is of nodes with the same master key, also one that is being replaced', async () => {
    const { url } = await serving();
    const replacing = aesSecretBox([OTHER_KEY, KEY]);
    const rotated = await serving(done, replacing);
    expect(await (await linked(rotated.url, news(), replacing)).serves()).toBe(true);
    const stranger = aesSecretBox([OTHER_KEY]);
    const node = { id: 'owner', url };
    expect(
      await linkWith(
        node,
        { proofs: stranger, isRemote: true, host: linkHost },
        news(),
        () => undefined,
      ),
    ).toBe('stranger');
  });

  it('takes nothing from whoever repeats what was recorded', async () => {
    let count = 0;
    const { url } = await serving(async (...given) => {
      count += 1;
      return done(...given);
    });
    const proxy = await between(url);
    await (await linked(proxy.url)).ask(asked, Buffer.alloc(0));
    const again = connect(Number(new URL(url).port), '127.0.0.1');
    again.on('error', () => undefined);
    again.write(Buffer.concat(proxy.recorded));
    await once(again.resume(), 'close');
    expect(count).toBe(1);
    expect(Buffer.concat(proxy.recorded).includes('newPost')).toBe(false);
  });

  it('opens each frame once, in its turn, and unchanged', () => {
    const key = Buffer.alloc(32, 7);
    const seal = frameSealer(key);
    const [first, second] = [seal(Buffer.from('first')), seal(Buffer.from('second'))];
    const open = frameOpener(key);
    expect(String(open(first))).toBe('first');
    expect(() => frameOpener(key)(second)).toThrow();
    expect(() => open(first)).toThrow();
    const changed = Buffer.from(first);
    changed[0] = (changed[0] ?? 0) ^ 1;
    expect(() => frameOpener(key)(changed)).toThrow();
  });

  it('counts what held a request up on its way as waiting, and does nothing that was given up long ago', async () => {
    const waits: number[] = [];
    const { url } = await serving(async (request, requestId, waited) => {
      waits.push(Math.floor(waited / 1_000));
      return done(request, requestId, waited);
    });
    // The other clock began an hour later, and a message that was sent earlier arrives now.
    let sentBefore = 0;
    const now = () => linkHost.now() - 3_600_000 - sentBefore;
    const peer = await linked(url, news(), proofs, { ...linkHost, now });
    const ask = async (before: number) => {
      sentBefore = before;
      const answer = await peer.ask(asked, Buffer.alloc(0));
      return typeof answer === 'string' ? answer : answer.status;
    };
    expect([await ask(0), await ask(2_900), await ask(5_100), await ask(0)]).toEqual([
      ...[200, 200, 'not taken', 200],
    ]);
    expect(waits).toEqual([0, 2, 0]);
  });

  it('says of a node that serves no more that it did nothing', async () => {
    const { url, state, links } = await serving();
    const peer = await linked(url);
    expect(await peer.serves()).toBe(true);
    state.isServing = false;
    await links.leave();
    expect(await peer.serves()).toBe(false);
    expect(await peer.ask(asked, Buffer.alloc(0))).toBe('not taken');
    const [error] = (await once(peer.connect('192.0.2.7'), 'error').catch((cause: unknown) => [
      cause,
    ])) as [Error];
    expect(error.name).toBe('NotTaken');
  });

  it('knows not what became of a request that it had sent when it broke; of a later one it does', async () => {
    const { url } = await serving(() => new Promise(() => undefined));
    const proxy = await between(url);
    const peer = await linked(proxy.url);
    const unknown = peer.ask(asked, Buffer.alloc(0));
    await turn();
    proxy.cut();
    expect(await unknown).toBe('unknown');
    expect(await peer.ask(asked, Buffer.alloc(0))).toBe('not taken');
  });

  it('ends by itself when nothing comes any more, though nobody closed it', async () => {
    const { url } = await serving(() => new Promise(() => undefined));
    const proxy = await between(url);
    const beats: (() => void)[] = [];
    const every = (_: number, beat: () => void) => {
      beats.push(beat);
      return () => undefined;
    };
    const peer = await linked(proxy.url, news(), proofs, { ...linkHost, every });
    const unknown = peer.ask(asked, Buffer.alloc(0));
    await turn();
    proxy.freeze();
    for (const _ of ['heard until now', 'silent since']) for (const beat of beats) beat();
    expect(await unknown).toBe('unknown');
    expect(peer.isOpen).toBe(false);
  });

  it('brings a long answer as fast as it is read', async () => {
    const pieces = Array.from({ length: 64 }, (_, index) => Buffer.alloc(65_536, index));
    const { url } = await serving(async () => ({ status: 200, headers: {}, body: pieces }));
    const peer = await linked(url);
    const long = await peer.ask(asked, Buffer.alloc(0));
    if (typeof long === 'string' || Buffer.isBuffer(long.body)) throw new Error('it is short');
    // A second answer comes past the first, of which nobody reads.
    const other = await peer.ask(asked, Buffer.alloc(0));
    expect(other).toMatchObject({ status: 200 });
    expect(long.body.readableLength).toBeLessThanOrEqual(WINDOW);
    expect((await buffer(long.body)).equals(Buffer.concat(pieces))).toBe(true);
  });

  it('tells once what became of the answers to alerts, in order and before the next request', async () => {
    const told: string[][] = [];
    const node = await serving(async (...given) => {
      told.push([...node.heard]);
      return done(...given);
    });
    const of: NewsOfDeliveries = new NewsOfDeliveries(() => peer?.tell());
    let peer: Peer | undefined = undefined as Peer | undefined;
    of.deliveries.alertAnswered('one');
    peer = await linked(node.url, of);
    peer.tell();
    of.deliveries.alertLost('one');
    await peer.ask(asked, Buffer.alloc(0));
    await peer.ask(asked, Buffer.alloc(0));
    expect(told).toEqual([
      ['one', 'lost one'],
      ['one', 'lost one'],
    ]);
    expect(of.next()).toEqual([]);
  });

  it('tells on its next link what it was to tell on one that had closed', async () => {
    const { url, heard } = await serving();
    const of = news();
    const closed = await linked(url, of);
    closed.destroy();
    expect(await closed.ask(asked, Buffer.alloc(0))).toBe('not taken');
    of.deliveries.alertAnswered('one');
    closed.tell();
    const next = await linked(url, of);
    next.tell();
    await next.serves();
    expect(heard).toEqual(['one']);
  });

  it('lets no news be lost that comes while it is not certain that the node serves', async () => {
    const told: string[][] = [];
    const { url, heard, state } = await serving(async (...given) => {
      told.push([...heard]);
      return done(...given);
    });
    const of = news();
    const peer = await linked(url, of);
    state.isServing = false;
    of.deliveries.alertAnswered('one');
    peer.tell();
    expect([await peer.serves(), heard]).toEqual([false, []]);
    state.isServing = true;
    await peer.ask(asked, Buffer.alloc(0));
    expect(told).toEqual([['one']]);
  });

  it('tells at once that an answer was delivered: the next alert may come through another node', async () => {
    const { url, heard } = await serving();
    const nothing = () => undefined;
    const node = new ServingNode({
      ...{ owner: () => ({ id: 'owner', url }), proofs, isRemote: true, log: silentLog() },
      ...{ onStranger: nothing, onLeft: nothing },
    });
    ends.push(() => node.stop());
    const peer = await node.find(2_500);
    node.news.deliveries.alertAnswered('one');
    await peer?.serves();
    expect(heard).toEqual(['one']);
  });
});
