import { Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { corkedWrites } from './corked-writes.js';

/** Keeps how many frames each system call would carry, and their bytes. */
function network() {
  const calls: number[] = [];
  const parts: Buffer[] = [];
  const socket = new Writable({
    writev(chunks, done) {
      calls.push(chunks.length);
      parts.push(...chunks.map(({ chunk }) => chunk as Buffer));
      done();
    },
  });
  return { socket, calls, bytes: () => Buffer.concat(parts) };
}

describe('frames to a client', () => {
  it('go out together, in order, at the end of the turn', async () => {
    const { socket, calls, bytes } = network();
    const writes = corkedWrites();
    let left = 0;
    for (const text of ['a', 'bc', 'd']) writes.send(socket, Buffer.from(text), () => (left += 1));
    expect(calls).toEqual([]);
    await turn();
    expect(calls).toEqual([3]);
    expect(bytes().toString('latin1')).toBe('\x81\x01a\x81\x02bc\x81\x01d');
    expect(left).toBe(3);
  });

  it('do not wait for the end of a turn with very much data', () => {
    const { socket, calls } = network();
    const writes = corkedWrites();
    for (let frame = 0; frame < 10; frame += 1) writes.send(socket, Buffer.alloc(10_000), () => {});
    expect(calls).toEqual([7]);
  });

  it.each([
    [125, [0x81, 125]],
    [126, [0x81, 126, 0, 126]],
    [65_535, [0x81, 126, 255, 255]],
    [65_536, [0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0]],
  ])('of %d bytes begin with their length', async (length, head) => {
    const { socket, bytes } = network();
    corkedWrites().send(socket, Buffer.alloc(length), () => {});
    await turn();
    expect([...bytes().subarray(0, head.length)]).toEqual(head);
    expect(bytes()).toHaveLength(head.length + length);
  });
});
