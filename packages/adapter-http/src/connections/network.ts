import { isIPv6 } from 'node:net';

const GROUPS = 8;
/** The first half of an IPv6 address is the network; one customer has all of the rest. */
const OF_NETWORK = 4;

/** An IPv4 address as IPv6 writes it begins with these groups. */
const MAPPED = '0:0:0:0:0:ffff';

/** The network of an address: an IPv4 address itself, however it is written; the /64 of an IPv6 address. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.replace(/%.*$/, '').split('::');
  const [before, after] = [groupsOf(head), groupsOf(tail ?? '')];
  const zeros = Array.from({ length: GROUPS - before.length - after.length }, () => 0);
  const groups = [...before, ...zeros, ...after];
  const written = groups.map((group) => group.toString(16));
  if (written.slice(0, -2).join(':') === MAPPED)
    return groups
      .slice(-2)
      .flatMap((group) => [Math.floor(group / 256), group % 256])
      .join('.');
  return `${written.slice(0, OF_NETWORK).join(':')}::/64`;
}

/** An IPv4 address at the end takes two groups. */
const groupsOf = (part: string): number[] =>
  part === ''
    ? []
    : part.split(':').flatMap((group) => halvesOf(group) ?? Number.parseInt(group, 16));

function halvesOf(group: string): number[] | undefined {
  if (!group.includes('.')) return undefined;
  const [first = 0, second = 0, third = 0, fourth = 0] = group.split('.').map(Number);
  return [first * 256 + second, third * 256 + fourth];
}
