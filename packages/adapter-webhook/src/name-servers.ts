import type { LookupAddress } from 'node:dns';
import { Resolver, lookup } from 'node:dns/promises';
import type { Resolve } from './addresses.js';

/** How often each name server is asked, and the milliseconds that the first question waits: together less than an attempt has. */
const PATIENCE = { timeout: 1_000, tries: 2 };

/** There is no such name, or it has no address of that kind. */
const NO_ADDRESS: readonly unknown[] = ['ENOTFOUND', 'ENODATA'];

const unresolved = (code: 'ENOTFOUND' | 'EAI_AGAIN'): Error =>
  Object.assign(new Error('the name was not resolved'), { code });

/**
 * Asks the name servers of this machine, or those. Not by the system's `lookup`, which holds one of a few threads until they answer: somebody
 * whose name servers are silent would keep this process from resolving any name, also a broker's.
 */
export const nameServers =
  (servers?: readonly string[]): Resolve =>
  async (hostname) => {
    // Of this machine by definition: no server is asked.
    if (hostname === 'localhost') return lookup(hostname, { all: true });
    const resolver = new Resolver(PATIENCE);
    if (servers) resolver.setServers(servers);
    const answers = await Promise.allSettled([
      resolver.resolve4(hostname),
      resolver.resolve6(hostname),
    ]);
    const found = answers.flatMap((answer, index): LookupAddress[] =>
      answer.status === 'fulfilled'
        ? answer.value.map((address) => ({ address, family: index === 0 ? 4 : 6 }))
        : [],
    );
    if (found.length > 0) return found;
    const isKnown = answers.every(
      (answer) =>
        answer.status === 'fulfilled' ||
        NO_ADDRESS.includes((answer.reason as NodeJS.ErrnoException).code),
    );
    throw unresolved(isKnown ? 'ENOTFOUND' : 'EAI_AGAIN');
  };
