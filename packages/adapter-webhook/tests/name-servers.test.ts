import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { lookup } from 'node:dns/promises';
import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { afterEach, describe, expect, it } from '@jest/globals';
import { nameServers } from '../src/name-servers.js';

const NO_SUCH_NAME = 3;
const [HEAD, A] = [12, 1];

const closings: (() => void)[] = [];
afterEach(() => {
  for (const close of closings.splice(0)) close();
});

interface Question {
  readonly name: string;
  readonly type: number;
  /** Its bytes, which the answer repeats. */
  readonly bytes: Buffer;
}

function questionIn(message: Buffer): Question {
  const labels: string[] = [];
  let at = HEAD;
  for (let size = message[at] ?? 0; size > 0; size = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + size));
    at += 1 + size;
  }
  const type = message.readUInt16BE(at + 1);
  return { name: labels.join('.'), type, bytes: message.subarray(HEAD, at + 5) };
}

function answered(message: Buffer, { bytes, type }: Question, addresses: readonly string[]) {
  const head = Buffer.alloc(HEAD);
  message.copy(head, 0, 0, 2);
  head.writeUInt16BE(0x8180 | (addresses.length === 0 ? NO_SUCH_NAME : 0), 2);
  const records = addresses
    .filter((address) => isIPv4(address) === (type === A))
    .map((address) => {
      const data = Buffer.from(ipaddr.parse(address).toByteArray());
      // The question's name, the type, the class, a life of zero seconds.
      const fields = Buffer.from([0xc0, HEAD, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length]);
      return Buffer.concat([fields, data]);
    });
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(records.length, 6);
  return Buffer.concat([head, bytes, ...records]);
}

/** A name server of this machine. It says nothing of names that are not in the table. */
async function serverOf(table: Readonly<Record<string, readonly string[]>>) {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (message, from) => {
    const question = questionIn(message);
    asked.push(question.name);
    const addresses = table[question.name];
    if (addresses) socket.send(answered(message, question, addresses), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  closings.push(() => socket.close());
  return { asked, resolve: nameServers([`127.0.0.1:${socket.address().port}`]) };
}

describe('the addresses of a name', () => {
  it('are all that its servers tell, of both kinds', async () => {
    const { resolve } = await serverOf({
      'both.example': ['93.184.216.34', '10.0.0.1', '2001:db8::1'],
      'new.example': ['2001:db8::2'],
    });
    expect(await resolve('both.example')).toEqual([
      { address: '93.184.216.34', family: 4 },
      { address: '10.0.0.1', family: 4 },
      { address: '2001:db8::1', family: 6 },
    ]);
    expect(await resolve('new.example')).toEqual([{ address: '2001:db8::2', family: 6 }]);
  });

  it('are none when there is no such name', async () => {
    const { resolve } = await serverOf({ 'none.example': [] });
    await expect(resolve('none.example')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  it('are not known when its servers say nothing, which holds up no other name', async () => {
    const { resolve, asked } = await serverOf({ 'good.example': ['93.184.216.34'] });
    const silent = Array.from({ length: 60 }, (_, index) => `silent-${index}.example`);
    const ends = Promise.allSettled(silent.map(resolve));
    // Each of them waits now.
    const good = await resolve('good.example');
    expect(good).toEqual([{ address: '93.184.216.34', family: 4 }]);
    expect(new Set(asked)).toEqual(new Set([...silent, 'good.example']));
    expect((await lookup('localhost')).address).toMatch(/^(127\.|::1)/);
    const told = await Promise.race([ends, Promise.resolve('they wait')]);
    expect(told).toBe('they wait');
    for (const end of await ends)
      expect(end).toMatchObject({ status: 'rejected', reason: { code: 'EAI_AGAIN' } });
  });

  it('are not known when nobody is there to ask', async () => {
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    const { port } = socket.address();
    socket.close();
    const resolve = nameServers([`127.0.0.1:${port}`]);
    await expect(resolve('some.example')).rejects.toMatchObject({ code: 'EAI_AGAIN' });
  });

  it('are those of this machine for its own name, whatever servers say', async () => {
    const { resolve, asked } = await serverOf({ localhost: ['93.184.216.34'] });
    for (const { address } of await resolve('localhost')) expect(address).toMatch(/^(127\.|::1$)/);
    expect(asked).toEqual([]);
  });
});
