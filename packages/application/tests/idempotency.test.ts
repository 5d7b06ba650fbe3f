import { describe, expect, it } from '@jest/globals';
import { openMemory } from '@slipstream/adapter-memory';
import { memoryPorts } from '@slipstream/adapter-memory/testing';
import { Refusal, decimal, HOUR } from '@slipstream/domain';
import { StorageUnavailable, type UnitOfWork } from '@slipstream/ports';
import type { OrderView } from '@slipstream/domain';
import type { Operations } from '../src/index.js';
import type { App } from './app.js';
import { systemActor } from '../src/audit/actor.js';
import { type RequestRecord, idempotency } from '../src/idempotency.js';
import { requestUnitOfWork } from '../src/transaction.js';
import { fixture } from './fixture.js';

const never = () => new Promise<never>(() => undefined);

/** An owner with a strategy, AAPL quoted at 100, and orders that are sent under a key. */
async function keyed(unitOfWork?: UnitOfWork) {
  const world = await fixture(unitOfWork && { unitOfWork });
  const owner = await world.user('owner');
  const strategyId = await world.strategy(owner);
  await world.quote('aapl', '100');
  let performed = 0;

  const buy = (operations: Operations): Promise<OrderView> => {
    performed += 1;
    const size = { by: 'amount' as const, amount: decimal('0.001') };
    const pricing = { type: 'market' as const };
    const order = { strategyId, stock: 'aapl', action: 'buy' as const, pricing, size };
    return operations.newOrder(owner, order);
  };
  const send = (
    changes: Partial<Parameters<App['idempotently']>[0]> = {},
    call: (operations: Operations) => Promise<OrderView> = buy,
    to: App = world.app,
  ): Promise<string> =>
    to.idempotently(
      { caller: 'a', route: 'r', key: 'k', body: 'b', ...changes },
      call,
      JSON.stringify,
    );
  const fills = async () => (await world.app.getTrades(owner, { strategyId })).length;
  return { ...world, owner, strategyId, buy, send, fills, performed: () => performed };
}

describe('a request under an Idempotency-Key', () => {
  it('takes effect once and gets the same answer again', async () => {
    const world = await keyed();
    const first = await world.send();
    await world.quote('aapl', '110');
    expect(await world.send()).toBe(first);
    expect(await world.fills()).toBe(1);
  });

  it.each([{ caller: 'c' }, { route: 'q' }, { key: 'l' }])(
    'is another one with %j',
    async (other) => {
      const world = await keyed();
      expect(await world.send(other)).not.toBe(await world.send());
      expect(await world.fills()).toBe(2);
    },
  );

  it('is refused with another body', async () => {
    const world = await keyed();
    await world.send();
    await expect(world.send({ body: 'c' })).rejects.toMatchObject({ code: 'idempotency_conflict' });
    expect(await world.fills()).toBe(1);
  });

  it('counts as new after 24 hours, when its record is deleted', async () => {
    const world = await keyed();
    await world.send();
    world.ports.clock.advance(24 * HOUR);
    await world.quote('aapl', '100');
    await world.send({ body: 'c' });
    expect(await world.fills()).toBe(2);
    world.ports.clock.advance(25 * HOUR);
    await world.app.tick();
    const kept = await world.ports.unitOfWork.read(({ keptAnswers }) =>
      keptAnswers.expired(world.ports.clock.now(), 10),
    );
    expect(kept).toEqual([]);
  });

  it('makes repeats wait while it is running', async () => {
    const world = await keyed();
    const answers = await Promise.all([world.send(), world.send(), world.send()]);
    expect(new Set(answers).size).toBe(1);
    expect(await world.fills()).toBe(1);
  });

  it('that failed is not stored: waiting repeats run themselves', async () => {
    const world = await keyed();
    let refusals = 0;
    const refuseOnce = async (operations: Operations): Promise<OrderView> => {
      if (refusals++ === 0) throw new Refusal('quote_unavailable', 'not yet');
      return world.buy(operations);
    };
    const [first, second] = await Promise.allSettled([
      world.send({}, refuseOnce),
      world.send({}, refuseOnce),
    ]);
    expect([first.status, second.status]).toEqual(['rejected', 'fulfilled']);
    expect(await world.fills()).toBe(1);
  });

  it('stores body and key only as MACs', async () => {
    const world = await keyed();
    await world.send({ key: 'my key', body: 'my body' });
    const names = await world.ports.unitOfWork.read(({ keptAnswers }) =>
      keptAnswers.expired(world.ports.clock.now() + 1, 10),
    );
    expect(names).toEqual([expect.stringMatching(/^[a-z2-7]{32}$/)]);
  });
});

describe('a process that dies', () => {
  it('between the commit and the answer leaves the answer in the storage', async () => {
    const world = await keyed();
    let answered = '';
    await new Promise<void>((died) => {
      void world.send({}, async (operations) => {
        answered = JSON.stringify(await world.buy(operations));
        died();
        return never();
      });
    });
    const restarted = await world.restart();
    expect(await world.send({}, world.buy, restarted)).toBe(answered);
    expect(await world.fills()).toBe(1);
  });

  it('before the commit leaves nothing', async () => {
    const memory = openMemory();
    let dying = false;
    const world = await keyed({
      ...memory,
      run: (work, options) =>
        memory.run(async (stores) => {
          const answer = await work(stores);
          if (dying) throw new StorageUnavailable('gone');
          return answer;
        }, options),
    });
    dying = true;
    await expect(world.send()).rejects.toBeInstanceOf(StorageUnavailable);
    dying = false;
    await world.send();
    expect(await world.fills()).toBe(1);
  });
});

describe('two processes over one storage', () => {
  it('process a concurrent request once, and give it the same answer', async () => {
    const world = await keyed();
    const other = await world.restart();
    const answers = await Promise.all([world.send(), world.send({}, world.buy, other)]);
    expect(new Set(answers).size).toBe(1);
    expect(world.performed()).toBe(2);
    expect(await world.fills()).toBe(1);
  });
});

describe('an operation that does not store its answer in its transaction', () => {
  /** Counts how often it was done; the count outlives the process. */
  function counting(ports = memoryPorts()) {
    const counter = (record: RequestRecord) => {
      const actor = systemActor('count');
      const unitOfWork = requestUnitOfWork(ports.unitOfWork, {
        audit: { ...ports, actor },
        idempotency: record,
      });
      return {
        count: () =>
          unitOfWork.run(async ({ brokerAccounts }) => {
            const next = String(Number((await brokerAccounts.find('count')) ?? '0') + 1);
            await brokerAccounts.save('count', next);
            return next;
          }),
      };
    };
    const once = idempotency({ ...ports, senders: new Set() }, counter);
    type Counter = ReturnType<typeof counter>;
    return {
      ports,
      send: (call = (operations: Counter) => operations.count()) =>
        once({ caller: 'a', route: 'r', key: 'k', body: 'b' }, call, String),
      counted: () => ports.unitOfWork.read(({ brokerAccounts }) => brokerAccounts.find('count')),
    };
  }

  it('gets the same answer again', async () => {
    const { send, counted } = counting();
    expect([await send(), await send(), await counted()]).toEqual(['1', '1', '1']);
  });

  it('never runs twice when the process dies between its commit and its answer', async () => {
    const { ports, send } = counting();
    await new Promise<void>((died) => {
      void send(async (operations) => {
        await operations.count();
        died();
        return never();
      });
    });
    const restarted = counting(ports);
    await expect(restarted.send()).rejects.toMatchObject({ code: 'idempotency_interrupted' });
    expect(await restarted.counted()).toBe('1');
  });

  it('may be retried when it was refused after a commit', async () => {
    const { send, counted } = counting();
    const refused = send(async (operations) => {
      await operations.count();
      throw new Refusal('conflict', 'no');
    });
    await expect(refused).rejects.toMatchObject({ code: 'conflict' });
    expect([await send(), await counted()]).toEqual(['2', '2']);
  });

  it('keeps its effect when it fails after its commit', async () => {
    const { send } = counting();
    const failed = send(async (operations) => {
      await operations.count();
      throw new Error('broken');
    });
    await expect(failed).rejects.toThrow('broken');
    await expect(send()).rejects.toMatchObject({ code: 'idempotency_interrupted' });
  });
});

describe('requests without a key', () => {
  it('cost no extra transaction', async () => {
    const memory = openMemory();
    let runs = 0;
    const world = await keyed({
      ...memory,
      run: (work, options) => {
        runs += 1;
        return memory.run(work, options);
      },
    });
    const count = async (request: () => Promise<unknown>) => {
      const before = runs;
      await request();
      return runs - before;
    };
    const alert = { strategyId: world.strategyId, stock: 'aapl', action: 'buy' as const };
    const delivery = { id: 'request-1', body: '{}' };
    expect(await count(() => world.buy(world.app))).toBe(1);
    expect(await count(() => world.app.newOrderWebhook(world.owner, alert, delivery))).toBe(1);
    expect(await count(() => world.send())).toBe(1);
  });
});
