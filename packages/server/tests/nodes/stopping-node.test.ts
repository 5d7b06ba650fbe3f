import { request as httpRequest } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { asked, linked, proofs, serving } from './linked-nodes.js';

/** More than there is room for on the way. */
const pieces = Array.from({ length: 64 }, (_, index) => Buffer.alloc(65_536, index));
const long = async () => ({ status: 200, headers: {}, body: pieces });

describe('a node that stops', () => {
  it('waits for no client of another node that does not read its long answer', async () => {
    const { url, links } = await serving(long);
    const answer = await (await linked(url)).ask(asked, Buffer.alloc(0));
    expect(answer).toMatchObject({ status: 200 });
    await links.leave();
  });

  it('waits for no client of another node that does not read a page', async () => {
    const { url, links } = await serving(long, proofs, (_, response) => {
      for (const piece of pieces) response.write(piece);
      response.end();
    });
    const peer = await linked(url);
    const page = httpRequest({ path: '/docs', createConnection: () => peer.connect('192.0.2.7') });
    page.on('error', () => undefined);
    await new Promise((then) => page.once('response', then).end());
    await links.leave();
  });

  it('waits until each request is decided, and lets its answer be read', async () => {
    let decide = (): void => undefined;
    const decided = new Promise<void>((resolve) => (decide = resolve));
    const { url, links } = await serving(async () => {
      await decided;
      return long();
    });
    const peer = await linked(url);
    const answered = peer.ask(asked, Buffer.alloc(0));
    await peer.serves();
    let hasLeft = false;
    const leaves = links.leave().then(() => (hasLeft = true));
    for (let turn = 1; turn <= 3; turn += 1)
      expect([await peer.serves(), hasLeft]).toEqual([true, false]);
    decide();
    const answer = await answered;
    if (typeof answer === 'string' || Buffer.isBuffer(answer.body)) throw new Error('it is short');
    let length = 0;
    for await (const piece of answer.body) length += (piece as Buffer).length;
    expect(length).toBe(64 * 65_536);
    await leaves;
  });
});
