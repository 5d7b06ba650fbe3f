import type { LookupAddress } from 'node:dns';
import { type LookupFunction, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

/** Finds the addresses of a name. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

/** Which addresses may be dialled: public ones, in tests also those of this machine. */
export type Allowed = 'public' | 'loopback';

/** A receiver at an address to which no message goes. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
  constructor(message = 'its address is not public') {
    super(message);
  }
}

/** All addresses of the Internet in IPv6 so far; outside are, among others, old ways to write IPv4. */
const ASSIGNED = ipaddr.IPv6.parseCIDR('2000::/3');

/** Public by its number, but it tells machines at Azure their own secrets. */
const METADATA = '168.63.129.16';

const parsed = (address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined =>
  ipaddr.isValid(address) ? ipaddr.process(address) : undefined;

/** A supervisor may keep them from the process: `RestrictAddressFamilies` of systemd does without AF_NETLINK. */
function interfacesHere(): ReturnType<typeof networkInterfaces> {
  try {
    return networkInterfaces();
  } catch {
    throw new AddressRefused('this server may not read its own addresses');
  }
}

const ownAddresses = (): string[] =>
  Object.values(interfacesHere()).flatMap((some = []) =>
    some.flatMap(({ address }) => parsed(address)?.toString() ?? []),
  );

/**
 * Whether messages may go to that address: not into a network around the server, and not to the server. IPv4 inside IPv6 counts as
 * IPv4. Throws `AddressRefused` where that cannot be known.
 */
export function mayDial(address: string, allowed: Allowed): boolean {
  const at = parsed(address);
  if (!at) return false;
  if (at.range() === 'loopback') return allowed === 'loopback';
  if (at.range() !== 'unicast') return false;
  if (at instanceof ipaddr.IPv6 && !at.match(ASSIGNED)) return false;
  const text = at.toString();
  return text !== METADATA && !ownAddresses().includes(text);
}

/** The address in a URL's host; undefined for a name. */
export function literalAddress({ hostname }: URL): string | undefined {
  const bare = hostname.replace(/^\[|\]$/g, '');
  return isIP(bare) === 0 ? undefined : bare;
}

/**
 * Resolves a name for one connection. The addresses that are checked are those that are dialled, so a name that changes its
 * address in between gains nothing; a name that has an address inside is refused.
 */
export const checkedLookup =
  (resolve: Resolve, allowed: Allowed): LookupFunction =>
  (hostname, options, callback) => {
    const checked = resolve(hostname).then((found) => {
      const [first] = found;
      if (!first || !found.every(({ address }) => mayDial(address, allowed)))
        throw new AddressRefused();
      return { found, first };
    });
    // What fails in the check fails the connection: nobody else hears of it.
    checked.then(
      ({ found, first }) =>
        options.all === true
          ? callback(null, [...found])
          : callback(null, first.address, first.family),
      (error: NodeJS.ErrnoException) => callback(error, '', 0),
    );
  };
