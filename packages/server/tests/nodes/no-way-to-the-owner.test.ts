import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { aesSecretBox } from '@slipstream/adapter-crypto';
import { linkHost } from '../../../adapter-http/src/link/link-host.js';
import { linkServer } from '../../../adapter-http/src/nodes/link-server.js';
import type { NodeAddress } from '../../../adapter-http/src/nodes/peer.js';
import { ServingNode } from '../../../adapter-http/src/nodes/serving-node.js';
import { KEY, ends, portOf, proofs, serving } from './linked-nodes.js';

/** Half a minute passes in a fraction of a second; who answers has the usual time for it. */
const quickHost = { ...linkHost, now: () => linkHost.now() * 200 };

/** A node that looks for the owner at that address, and what its log says. */
function looking(
  owner: () => NodeAddress | undefined,
  { host = quickHost, missedAfter = 15_000, self = 'this' } = {},
) {
  const lines: string[] = [];
  const waiting: (() => void)[] = [];
  const heard = (fields: object, text: string): void => {
    lines.push(`${JSON.stringify(fields)} ${text}`);
    for (const told of waiting.splice(0)) told();
  };
  const node = new ServingNode({
    ...{ owner, proofs, isRemote: false, host, missedAfter, self },
    ...{ onStranger: () => undefined, onLeft: () => undefined },
    log: { info: heard, warn: heard, error: heard },
  });
  ends.push(() => node.stop());
  /** Resolves with the next line. */
  const told = async (): Promise<string> => {
    await new Promise<void>((then) => waiting.push(then));
    return lines.at(-1) ?? '';
  };
  return { node, lines, told };
}

const unreached = 'this server cannot reach the one that owns the database';
const WAYS = 'is that its NODE_URL, and is its port open to the other nodes?';
const SILENT = 'the node that owns the database does not serve: its log may say why';
const SERVES = 'the node that owns the database serves now';

/** Where nobody listens. */
async function nowhere(): Promise<string> {
  const links = linkServer(aesSecretBox([KEY]), () => undefined);
  links.server.listen(0, '127.0.0.1');
  await once(links.server, 'listening');
  const port = portOf(links.server);
  await links.close();
  return `http://127.0.0.1:${port}`;
}

describe('a node that cannot reach the owner of the database', () => {
  it('says so, and its log tells once why and when it reaches it', async () => {
    const url = await nowhere();
    let owner = { id: 'owner', url };
    const { node, lines, told } = looking(() => owner);
    const line = await told();
    expect(line).toContain(`"node":"${url}"`);
    expect(line).toContain(`connect ECONNREFUSED ${new URL(url).host}`);
    expect(line).toContain(WAYS);
    expect(node.fault).toBe(unreached);
    await node.find(60_000);
    expect(lines).toHaveLength(1);
    // Its supervisor starts it again with the right address.
    const again = told();
    owner = { id: 'owner', url: (await serving()).url };
    expect(await again).toContain(SERVES);
    expect(node.isFound).toBe(true);
    expect(lines).toHaveLength(2);
  });

  it('says when another one serves that took over, once that is found', async () => {
    const url = await nowhere();
    const next = await serving();
    next.state.isServing = false;
    let owner = { id: 'first', url };
    const { node, lines, told } = looking(() => owner);
    await told();
    owner = { id: 'owner', url: next.url };
    expect(node.fault).toBe('the server that owns the database does not serve now');
    const again = told();
    await node.find(1_000);
    next.state.isServing = true;
    expect(await again).toContain(SERVES);
    expect(lines).toHaveLength(2);
  });

  it('logs nothing before its successor would serve, or where there is none', async () => {
    const owner = { id: 'owner', url: await nowhere() };
    for (const missedAfter of [70_000, Infinity]) {
      const { node, lines } = looking(() => owner, { missedAfter });
      await node.find(60_000);
      expect([node.fault, lines]).toEqual([unreached, []]);
    }
  });

  it('says of itself that it cannot be reached, and nothing before it serves', async () => {
    const owner = { id: 'owner', url: await nowhere() };
    const { told } = looking(() => owner, { self: 'owner' });
    expect(await told()).toContain(
      'this node owns the database, and cannot reach its own NODE_URL',
    );
    const { url, state } = await serving();
    state.isServing = false;
    const { node, lines } = looking(() => ({ id: 'owner', url }), { self: 'owner' });
    await node.find(60_000);
    expect(lines).toEqual([]);
  });

  it('says so of one that does not answer', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    ends.push(() => silent.close());
    const url = `http://127.0.0.1:${portOf(silent)}`;
    const host = {
      ...quickHost,
      after: (milliseconds: number, call: () => void) => linkHost.after(milliseconds / 20, call),
    };
    const { node, told } = looking(() => ({ id: 'owner', url }), { host });
    expect(await told()).toMatch(/not answer within 1000 ms|timed out/);
    expect(node.fault).toBe(unreached);
  });

  it('tells it from one that does not serve, or is another one', async () => {
    const { url, state } = await serving();
    state.isServing = false;
    const { node, told } = looking(() => ({ id: 'owner', url }));
    const line = await told();
    expect(line).toContain('what answers there does not serve');
    expect(line).toContain(SILENT);
    expect(node.fault).toBe('the server that owns the database does not serve now');
    state.isServing = true;
    const other = looking(() => ({ id: 'another', url }));
    expect(await other.told()).toContain('what answers there does not serve');
  });

  it('tells it from none that is known to own the database', async () => {
    const { node, lines } = looking(() => undefined);
    await node.find(60_000);
    expect(node.fault).toMatch(/^no server is known to serve/);
    expect(lines).toEqual([]);
  });
});
