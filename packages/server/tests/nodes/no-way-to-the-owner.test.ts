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
function looking(owner: () => NodeAddress | undefined, host = quickHost) {
  const lines: string[] = [];
  const waiting: (() => void)[] = [];
  const heard = (fields: object, text: string): void => {
    lines.push(`${JSON.stringify(fields)} ${text}`);
    for (const told of waiting.splice(0)) told();
  };
  const node = new ServingNode({
    ...{ owner, proofs, isRemote: false, host },
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

const unreached = 'this server cannot reach the one that serves';
const WAYS = 'is its NODE_URL right, and its port open to the other nodes?';

describe('a node that cannot reach the owner of the database', () => {
  it('says so, and its log tells once why and when it reaches it', async () => {
    const links = linkServer(aesSecretBox([KEY]), () => undefined);
    links.server.listen(0, '127.0.0.1');
    await once(links.server, 'listening');
    const port = portOf(links.server);
    await links.close();
    const url = `http://127.0.0.1:${port}`;
    let owner = { id: 'owner', url };
    const { node, lines, told } = looking(() => owner);
    const line = await told();
    expect(line).toContain(`"node":"${url}"`);
    expect(line).toContain(`connect ECONNREFUSED 127.0.0.1:${port}`);
    expect(line).toContain(WAYS);
    expect(node.fault).toBe(unreached);
    await node.find(60_000);
    expect(lines).toHaveLength(1);
    // Its supervisor starts it again with the right address.
    const again = told();
    owner = { id: 'owner', url: (await serving()).url };
    expect(await again).toContain('the node that owns the database serves now');
    expect(node.isFound).toBe(true);
    expect(lines).toHaveLength(2);
  });

  it('says so of one that does not answer', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    ends.push(() => silent.close());
    const url = `http://127.0.0.1:${portOf(silent)}`;
    const { node, told } = looking(() => ({ id: 'owner', url }), {
      ...quickHost,
      after: (milliseconds, call) => linkHost.after(milliseconds / 20, call),
    });
    expect(await told()).toMatch(/not answer within 1000 ms|timed out/);
    expect(node.fault).toBe(unreached);
  });

  it('tells it from one that does not serve, or is another one', async () => {
    const { url, state } = await serving();
    state.isServing = false;
    const { node, told } = looking(() => ({ id: 'owner', url }));
    expect(await told()).toContain('what answers there does not serve');
    expect(node.fault).toBe('the server that owns the database does not serve yet');
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
