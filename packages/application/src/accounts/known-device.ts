import { type Timestamp, type User, DAY } from '@slipstream/domain';
import type { Core } from '../core.js';

/** The devices that an account was last signed in from. */
const MOST_DEVICES = 20;

/** An IPv4 address as a socket that also takes IPv6 writes it. */
const MAPPED = /^::ffff:(?=\d+\.)/i;

/** The first half of an IPv4 address, the first quarter of an IPv6 one: about a provider's network. */
function networkOf(written: string): string {
  const ip = written.replace(MAPPED, '');
  const parts = ip.split(ip.includes(':') ? ':' : '.');
  return parts.slice(0, 2).join('.');
}

/** Versions of a program come and go. */
const programOf = (userAgent: string): string => userAgent.slice(0, 500).replace(/[\d.]+/g, '');

/** The digest of the request's program and network for that user; undefined for a call without an address. */
export function deviceOf(
  { fingerprints, source }: Pick<Core, 'fingerprints' | 'source'>,
  { id }: Pick<User, 'id'>,
): string | undefined {
  const { ip, userAgent = null } = source;
  if (ip === null && userAgent === null) return undefined;
  return fingerprints.of('device', id, programOf(userAgent ?? ''), networkOf(ip ?? ''));
}

/**
 * The user after a sign-in from the request's device, and whether the user must be notified. A device is a program in a
 * network; only its digest is stored. The first sign-ins of a new account and calls without an address need no notification.
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
