import { describe, expect, it } from '@jest/globals';
import { networkInterfaces } from 'node:os';
import { mayDial } from '../src/addresses.js';

describe('the address of a receiver', () => {
  it.each(['8.8.8.8', '93.184.216.34', '2001:4860:4860::8888', '::ffff:8.8.8.8'])(
    '%s may be dialled',
    (address) => {
      expect(mayDial(address, 'public')).toBe(true);
    },
  );

  // oxfmt-ignore
  it.each([
    '127.0.0.1', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1', '0.0.0.0', '::',
    '10.0.0.1', '172.16.0.1', '192.168.1.1', '::ffff:10.0.0.1', 'fd00::1', 'fec0::1',
    '169.254.1.1', 'fe80::1', 'fe80::1%eth0', '100.64.0.1', '100.127.255.254',
    '169.254.169.254', 'fd00:ec2::254', '100.100.100.200', '168.63.129.16', '192.0.0.192',
    '64:ff9b::7f00:1', '64:ff9b:1::a00:1', '2002:7f00:1::', '::7f00:1', '::127.0.0.1', '2001::1',
    '198.18.0.1', '203.0.113.5', '224.0.0.1', 'ff02::1', '240.0.0.1', '255.255.255.255',
    '2001:db8::1', '5f00::1', '4000::1', 'example.com', '',
  ])('%s is refused', (address) => {
    expect(mayDial(address, 'public')).toBe(false);
  });

  it('is none of this machine', () => {
    const own = Object.values(networkInterfaces()).flatMap((some = []) => some);
    expect(own.length).toBeGreaterThan(0);
    for (const { address } of own) expect(mayDial(address, 'public')).toBe(false);
  });

  it('may be loopback in tests, and nothing else inside', () => {
    expect(['127.0.0.1', '127.8.8.8', '::1'].map((one) => mayDial(one, 'loopback'))).toEqual([
      true,
      true,
      true,
    ]);
    expect(mayDial('10.0.0.1', 'loopback')).toBe(false);
  });
});
