import { type Timestamp, type User, DAY } from '@slipstream/domain';
import type { Core } from '../core.js';

/** The devices that an account was last signed in from. */
const MOST_DEVICES = 20;

/** The first half of an IPv4 address, the first quarter of an IPv6 one: about a provider's network. */
const networkOf = (ip: string): string =>
  ip
    .split(ip.includes(':') ? ':' : '.')
    .slice(0, 2)
    .join('.');

/** Versions of a program come and go. */
const programOf = (userAgent: string): string => userAgent.slice(0, 500).replace(/[\d.]+/g, '');

/** The program and network that the request came from, as they are kept of that user; undefined for one that came from nowhere. */
export function deviceOf(
  { fingerprints, source }: Pick<Core, 'fingerprints' | 'source'>,
  { id }: Pick<User, 'id'>,
): string | undefined {
  const { ip, userAgent = null } = source;
  if (ip === null && userAgent === null) return undefined;
  return fingerprints.of('device', id, programOf(userAgent ?? ''), networkOf(ip ?? ''));
}

/**
 * The user who signs in from where the request came from, and whether that is news to them: a device is a program in a
 * network, of which only a digest is kept. The first sign-ins of a fresh account are no news, nor is a call that came from nowhere.
 */
export function signedInFrom(
  core: Pick<Core, 'fingerprints' | 'source'>,
  user: User,
  now: Timestamp,
): { readonly user: User; readonly isNews: boolean } {
  const device = deviceOf(core, user);
  if (device === undefined) return { user, isNews: false };
  if (user.devices.includes(device)) return { user, isNews: false };
  const devices = [device, ...user.devices].slice(0, MOST_DEVICES);
  const isFresh = user.devices.length === 0 && now - user.createdAt < DAY;
  return { user: { ...user, devices }, isNews: !isFresh };
}
