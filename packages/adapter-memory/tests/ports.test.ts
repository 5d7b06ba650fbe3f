import { describe, expect, it } from '@jest/globals';
import { id } from '@slipstream/domain';
import { type Event, eventBus } from '@slipstream/ports';
import { NOON, aStock, aUser } from '@slipstream/port-contracts';
import { openMemory } from '../src/index.js';
import { fixedClock, memoryPorts, testSecrets } from '../src/testing/index.js';

describe('the ports in memory', () => {
  it('are complete, and each can be replaced', async () => {
    const clock = fixedClock(NOON);
    const ports = memoryPorts({ clock });
    await ports.unitOfWork.run(({ users }) => users.save(aUser({ createdAt: ports.clock.now() })));
    clock.advance(5);
    expect(ports.clock.now()).toBe(NOON + 5);
    clock.set(NOON);
    expect(ports.clock.now()).toBe(NOON);
    expect(ports.tradingHours.sessionAt(aStock(), NOON)).toBeDefined();
    expect(ports.tradingHours.nextSession(aStock(), NOON)).toBeUndefined();
    expect(ports.marketFeed.acceptsQuotes).toBe(true);
  });

  it('share nothing with another set of them', async () => {
    const [first, second] = [memoryPorts(), memoryPorts()];
    await first.unitOfWork.run(({ users }) => users.save(aUser()));
    expect(await second.unitOfWork.read(({ users }) => users.find(id('user-1')))).toBeUndefined();
  });

  it('log the error of a listener', () => {
    const logged: string[] = [];
    const log = {
      info: () => undefined,
      warn: () => undefined,
      error: (_: unknown, message: string) => void logged.push(message),
    };
    const { events } = memoryPorts({ log });
    events.subscribe(() => {
      throw new Error('bad');
    });
    events.publish({ kind: 'bot_deleted', botId: id('bot-1'), at: NOON });
    expect(logged).toEqual(['a listener failed']);
  });
});

describe('the event bus', () => {
  it('passes the error of a listener, with the event', () => {
    const failures: [unknown, Event][] = [];
    const events = eventBus((error, event) => failures.push([error, event]));
    const thrown = new Error('bad');
    const event: Event = { kind: 'bot_deleted', botId: id('bot-1'), at: NOON };
    events.subscribe(() => {
      throw thrown;
    });
    events.publish(event);
    expect(failures).toEqual([[thrown, event]]);
  });
});

describe('the secrets for tests', () => {
  const { passwords, accessTokens, secretBox, fingerprints } = testSecrets();

  it('distinguish right passwords from wrong ones', async () => {
    const hash = await passwords.hash('secret');
    expect(await passwords.verify(hash, 'secret')).toBe(true);
    expect(await passwords.verify(hash, 'wrong')).toBe(false);
  });

  it('issue tokens that differ, and find their digests', () => {
    const [first, second] = [accessTokens.issue('api'), accessTokens.issue('api')];
    expect(first.text).not.toBe(second.text);
    expect(accessTokens.digest(first.text)).toBe(first.digest);
    expect(accessTokens.digest('nonsense')).toBeUndefined();
  });

  it('decrypt only for the same context', () => {
    const sealed = secretBox.seal('key', 'bot|1');
    expect(secretBox.open(sealed, 'bot|1')).toBe('key');
    expect(() => secretBox.open(sealed, 'bot|2')).toThrow();
  });

  it('make fingerprints of all parts, each 32 characters', () => {
    expect(fingerprints.of('a', 'b')).toMatch(/^[a-z2-7]{32}$/);
    expect(fingerprints.of('a', 'b')).toBe(fingerprints.of('a', 'b'));
    expect(fingerprints.of('a', 'b')).not.toBe(fingerprints.of('ab'));
  });
});

describe('the storage in memory', () => {
  it('refuses transactions after it was closed', async () => {
    const storage = openMemory();
    await storage.close();
    await expect(storage.run(async () => undefined)).rejects.toMatchObject({
      name: 'StorageUnavailable',
    });
  });
});
