import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { openMemory } from '@slipstream/adapter-memory';
import { memoryPorts } from '@slipstream/adapter-memory/testing';
import type { Refusal } from '@slipstream/domain';
import {
  type AuditEntry,
  CHAIN_BEGINNING,
  decimal,
  id,
  MINUTE,
  verifyAudit,
} from '@slipstream/domain';
import { aBot, aUser } from '@slipstream/port-contracts';
import type { Stores, UnitOfWork } from '@slipstream/ports';
import { type Actor, systemActor, within } from '../../src/audit/actor.js';
import { requestUnitOfWork } from '../../src/transaction.js';
import type { Caller } from '../../src/index.js';
import { userOf } from '../accounts.js';
import { fixture } from '../fixture.js';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Waits behind what was asked before. */
const entriesOf = (unitOfWork: UnitOfWork, after = 0): Promise<AuditEntry[]> =>
  unitOfWork.run(({ audit }) => audit.listAfter(after, 10_000));

const tell = ({ actor, action, objects, outcome, code }: AuditEntry) =>
  [actor, action, objects.join(' '), outcome, code] as const;

describe('an audited unit of work', () => {
  const ada = { ...within('newPost'), actor: 'user-1', tokenId: id<'token'>('token-1') };
  const world = (actor: Actor = ada) => {
    const ports = memoryPorts();
    return { ports, work: requestUnitOfWork(ports.unitOfWork, { audit: { ...ports, actor } }) };
  };
  const save = (name: string) => (stores: Stores) =>
    stores.users.save(aUser({ id: id(name), email: `${name}@example.com` }));

  it('adds one entry per transaction, with actor, action and objects', async () => {
    const { ports, work } = world({ ...ada, ip: '192.0.2.1', requestId: 'request-1' });
    await work.run(save('ada'));
    await work.run(async (stores) => {
      await save('bob')(stores);
      await save('cay')(stores);
      await save('bob')(stores);
    });
    expect(await entriesOf(ports.unitOfWork)).toMatchObject([
      {
        seq: 1,
        at: ports.clock.now(),
        actor: 'user-1',
        tokenId: 'token-1',
        ip: '192.0.2.1',
        action: 'newPost',
        objects: ['user:ada'],
        outcome: 'ok',
        code: null,
        requestId: 'request-1',
      },
      { seq: 2, objects: ['user:bob', 'user:cay'] },
    ]);
  });

  it('adds none if nothing has changed, or only market data', async () => {
    const { ports, work } = world();
    await work.read(({ users }) => users.find(id('ada')));
    await work.run(({ users }) => users.find(id('ada')));
    await work.run(({ stocks }) => stocks.save([]));
    await work.run(({ quotes }) => quotes.save([]));
    expect(await entriesOf(ports.unitOfWork)).toEqual([]);
  });

  it('adds none when the transaction fails', async () => {
    const { ports, work } = world();
    const failing = work.run(async (stores) => {
      await save('ada')(stores);
      throw new Error('broken');
    });
    await expect(failing).rejects.toThrow('broken');
    expect(await entriesOf(ports.unitOfWork)).toEqual([]);
  });

  it('changes nothing when the entry cannot be stored', async () => {
    const ports = memoryPorts();
    const full: UnitOfWork = {
      ...ports.unitOfWork,
      run: (work, options) =>
        ports.unitOfWork.run((stores) => {
          const audit = { ...stores.audit, save: () => Promise.reject(new Error('full')) };
          return work({ ...stores, audit });
        }, options),
    };
    await expect(
      requestUnitOfWork(full, { audit: { ...ports, actor: ada } }).run(save('ada')),
    ).rejects.toThrow();
    const kept = await ports.unitOfWork.read(({ users }) => users.find(id('ada')));
    expect(kept).toBeUndefined();
  });

  it('names twenty objects and counts the others', async () => {
    const { ports, work } = world();
    await work.run(async (stores) => {
      for (let at = 1; at <= 22; at += 1) await save(`u${at}`)(stores);
    });
    const [entry] = await entriesOf(ports.unitOfWork);
    expect(entry?.objects).toHaveLength(21);
    expect(entry?.objects.at(-1)).toBe('more:2');
  });

  it("records the service's actions on a bot, not its checks, and every action of a user", async () => {
    const { ports, work } = world(systemActor('runBots'));
    const bot = aBot({ status: 'running', condition: 'active' });
    const saved = (changed: typeof bot) => work.run(({ bots }) => bots.save(changed));
    await saved(bot);
    await saved({ ...bot, nextRunAt: 9, drift: decimal('0.1'), attempts: 1, updatedAt: 9 });
    await saved({ ...bot, nextRunAt: 9, statusReason: 'The market is closed.' });
    const byAda = requestUnitOfWork(ports.unitOfWork, { audit: { ...ports, actor: ada } });
    await byAda.run(({ bots }) => bots.save(bot));
    await byAda.run(({ bots }) => bots.save({ ...bot, nextRunAt: 10 }));
    expect((await entriesOf(ports.unitOfWork)).map(({ actor }) => actor)).toEqual([
      'system',
      'system',
      'user-1',
      'user-1',
    ]);
  });
});

describe('the audit log', () => {
  /** An owner with a strategy, AAPL quoted at 100; `since` has what came after. */
  async function world() {
    const made = await fixture();
    const owner = await made.user('owner');
    const strategyId = await made.strategy(owner);
    await made.quote('aapl', '100');
    const { unitOfWork } = made.ports;
    const { length } = await entriesOf(unitOfWork);
    const order = (price: string) => ({
      strategyId,
      stock: 'aapl',
      action: 'buy' as const,
      pricing: { type: 'limit' as const, price: decimal(price) },
      size: { by: 'amount' as const, amount: decimal('0.001') },
    });
    return {
      ...made,
      owner,
      strategyId,
      order,
      since: async () => (await entriesOf(unitOfWork, length)).map(tell),
    };
  }

  it('has every change since the beginning, in one chain', async () => {
    const { ports, app, owner, order } = await world();
    await app.newOrder(owner, order('90'));
    const entries = await entriesOf(ports.unitOfWork);
    expect(entries[0]).toMatchObject({ actor: 'operator', action: 'importStocks' });
    expect(entries.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['newUser', 'newSession', 'newToken', 'newStrategy', 'newOrder']),
    );
    expect(verifyAudit(CHAIN_BEGINNING, entries, sha256)).toMatchObject({ intact: true });
  });

  it('records actions that a quote caused', async () => {
    const { app, owner, order, strategyId, quote, since } = await world();
    const { order: made } = await app.newOrder(owner, order('90'));
    await quote('aapl', '95');
    await quote('aapl', '89');
    const objects = `strategy:${strategyId} order:${made.id}`;
    expect(await since()).toEqual([
      [userOf(owner), 'newOrder', objects, 'ok', null],
      ['system', 'settle', objects, 'ok', null],
    ]);
  });

  it('has no entries for value samples and stored quotes', async () => {
    const { app, ports, owner, order, quote, since } = await world();
    await app.newOrder(owner, order('110'));
    const before = (await since()).length;
    await quote('aapl', '101');
    ports.clock.advance(MINUTE);
    await app.tick();
    expect(await since()).toHaveLength(before);
  });

  it('records a refused alert in the inbox, with the reason', async () => {
    const { app, owner, strategyId, since } = await world();
    const alert = { strategyId, stock: 'nothing', action: 'buy' as const };
    await expect(app.newOrderWebhook(owner, alert)).rejects.toThrow();
    expect(await since()).toEqual([
      [userOf(owner), 'newOrderWebhook', expect.stringMatching(/^alert:/), 'refused', 'not_found'],
    ]);
  });

  it('records a request under an Idempotency-Key once, with its source', async () => {
    const { app, ports, owner, order, since } = await world();
    const keyed = { caller: 'a', route: 'r', key: 'k', body: 'b' };
    const origin = { action: 'newOrder', ip: '192.0.2.1', requestId: 'request-1' };
    for (const _ of ['first', 'again']) {
      await app.idempotently(
        keyed,
        (operations) => operations.newOrder(owner, order('90')),
        ({ order: { id } }) => id,
        origin,
      );
    }
    expect(await since()).toHaveLength(1);
    expect((await entriesOf(ports.unitOfWork)).at(-1)).toMatchObject(origin);
  });
});

describe('denied access', () => {
  const stranger = { kind: 'anonymous' } as const satisfies Caller;
  const from = (ip: string) => ({ action: 'getBots', ip, requestId: null });
  const denial = { code: 'unauthenticated', objects: [] } as const;

  async function world() {
    const { app, ports } = await fixture();
    const { length } = await entriesOf(ports.unitOfWork);
    const since = async () => (await entriesOf(ports.unitOfWork, length)).map(tell);
    return { app, ports, since };
  }

  it('adds an entry', async () => {
    const { app, since } = await world();
    app.denied(stranger, from('192.0.2.1'), { code: 'not_owner', objects: ['strategy:s'] });
    expect(await since()).toEqual([['anonymous', 'getBots', 'strategy:s', 'denied', 'not_owner']]);
  });

  it('adds thirty entries per minute and address, then the number of omitted ones', async () => {
    const { app, ports, since } = await world();
    for (let time = 1; time <= 35; time += 1) app.denied(stranger, from('192.0.2.1'), denial);
    app.denied(stranger, from('192.0.2.2'), denial);
    await app.tick();
    expect(await since()).toHaveLength(31);
    ports.clock.advance(MINUTE);
    await app.tick();
    await app.tick();
    expect((await since()).slice(31)).toEqual([
      ['system', 'leaveOutDenials', 'denials:5', 'denied', 'too_many'],
    ]);
    app.denied(stranger, from('192.0.2.1'), denial);
    expect(await since()).toHaveLength(33);
  });

  it('adds six hundred entries per minute for all addresses together', async () => {
    const { app, since } = await world();
    for (let host = 1; host <= 700; host += 1)
      app.denied(stranger, from(`2001:db8::${host}`), denial);
    expect(await since()).toHaveLength(600);
  });

  it('is stored before the service stops', async () => {
    const { app, ports, since } = await world();
    app.denied(stranger, from('192.0.2.1'), denial);
    await app.stop();
    const kept = await ports.unitOfWork.read(({ audit }) => audit.listAfter(0, 10));
    expect(kept.at(-1)).toMatchObject({ action: 'getBots' });
    expect(await since()).toHaveLength(1);
  });

  it('gets the same answer when its entry cannot be stored', async () => {
    const memory = openMemory();
    const { app } = await fixture({ unitOfWork: memory });
    await memory.close();
    expect(() => app.denied(stranger, from('192.0.2.1'), denial)).not.toThrow();
  });

  it.each([
    [
      'a private strategy',
      async (app: App, other: Caller, strategyId: string) =>
        app.getPositions(other, { strategyId }),
    ],
    [
      "somebody else's token",
      async (app: App, other: Caller, _: string, owner: Caller) =>
        app.deleteToken(other, { tokenId: owner.kind === 'user' ? owner.tokenId : '' }),
    ],
  ])('to %s is answered as not found, and recorded as denied', async (_, ask) => {
    const { app, user, strategy } = await fixture();
    const [owner, other] = [await user('owner'), await user('other')];
    const strategyId = await strategy(owner, { private: true });
    const refusal = await ask(app, other, strategyId, owner).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'not_found', hides: true });
    const unknown = await app.getPositions(other, { strategyId: 'none' }).catch((e: Refusal) => e);
    expect(unknown).toMatchObject({ code: 'not_found', hides: false });
  });
});

type App = Awaited<ReturnType<typeof fixture>>['app'];
