import { describe, expect, it } from '@jest/globals';
import { openMemory } from '@slipstream/adapter-memory';
import {
  type Anchor,
  DAY,
  HOUR,
  MINUTE,
  type StrategyId,
  type TimeStamp,
  anchorText,
  decimal,
  id,
  proofOf,
  rootOfProof,
  trackChain,
} from '@slipstream/domain';
import { StampFailed, type TimestampAuthority } from '@slipstream/ports';
import type { App } from '../app.js';
import { fixture } from '../fixture.js';

/** An authority that stamps, or fails as many times as it is told. */
function authority(now: () => number) {
  const asked: string[] = [];
  let failures = 0;
  const stamps: TimestampAuthority = {
    stamp: async (text): Promise<TimeStamp> => {
      asked.push(text);
      failures -= 1;
      if (failures >= 0) throw new StampFailed('it is out for lunch');
      return { token: 'MIIB', nonce: '0a', at: now() };
    },
  };
  return { asked, stamps, fail: (times: number) => void (failures = times) };
}

/** Ten minutes after the end of a day. */
const after = (day: string): number => Date.parse(day) + DAY + 10 * MINUTE;

/** The work of a moment, as a host does it. */
async function anchor(app: App): Promise<void> {
  await app.tick();
  await app.makeAnchors();
}

async function world(overrides: Parameters<typeof fixture>[0] = {}) {
  const made = await fixture(overrides);
  const { app, ports } = made;
  const anchors = (): Promise<Anchor[]> =>
    ports.unitOfWork.read((stores) => stores.anchors.listFrom('2000-01-01', 100));
  const days = async (): Promise<string[]> => (await anchors()).map(({ day }) => day);
  const headOf = (strategyId: StrategyId) =>
    ports.unitOfWork.read(({ track }) => track.head(strategyId));
  const trade = async () => {
    const owner = await made.user('owner');
    const strategyId = await made.strategy(owner);
    await made.quote('aapl', '100');
    await app.newOrderAllocations(owner, {
      strategyId,
      allocations: [{ stock: 'aapl', percent: decimal('0.5') }],
      slippage: decimal('0'),
    });
    return strategyId;
  };
  return { ...made, anchors, days, headOf, trade };
}

describe('anchors (contract 8)', () => {
  it('are made once a day, ten minutes after its end, from the first day on', async () => {
    const { app, ports, days } = await world();
    await anchor(app);
    ports.clock.set(after('2026-01-05') - 1);
    await anchor(app);
    expect(await days()).toEqual([]);
    ports.clock.set(after('2026-01-05'));
    await anchor(app);
    await anchor(app);
    expect(await days()).toEqual(['2026-01-05']);
    ports.clock.set(after('2026-01-06'));
    await anchor(app);
    expect(await days()).toEqual(['2026-01-05', '2026-01-06']);
  });

  it('prove the head of every record and of the audit log', async () => {
    const { app, ports, anchors, headOf, trade } = await world();
    const strategyId = await trade();
    const audit = await ports.unitOfWork.read((stores) => stores.audit.last());
    ports.clock.set(after('2026-01-05'));
    await anchor(app);
    const [made] = await anchors();
    if (!made) throw new Error('there is no anchor');
    expect(made).toMatchObject({ day: '2026-01-05', size: 2, stamp: null });
    const { sha256 } = ports.fingerprints;
    for (const [chain, head] of [
      [trackChain(strategyId), await headOf(strategyId)],
      ['audit', audit],
    ] as const) {
      const branch = await ports.unitOfWork.read((stores) =>
        stores.anchors.branchWith(made.day, chain),
      );
      const proof = proofOf(made, 0, branch?.leaves ?? [], chain, sha256);
      expect(proof?.leaf).toEqual({ chain, ...head });
      expect(proof && rootOfProof(made.day, proof, sha256)).toBe(made.root);
    }
  });

  it('have the heads of any number of strategies', async () => {
    const { app, ports, anchors, user } = await world();
    const owner = await user('owner');
    await ports.unitOfWork.run(async ({ track }) => {
      for (let at = 0; at < 250; at += 1)
        await track.save({
          strategyId: id(`strategy-${String(at).padStart(3, '0')}`),
          ...{ seq: 1, kind: 'value', at, body: '{}', previousHash: '', hash: 'a'.repeat(64) },
        });
    });
    expect(owner.kind).toBe('user');
    ports.clock.set(after('2026-01-05'));
    await anchor(app);
    const [made] = await anchors();
    expect(made?.size).toBe(251);
    expect(made?.branches).toHaveLength(2);
  });

  it('have the entry of their day, also after a stop over midnight', async () => {
    const { app, ports, anchors, headOf, trade, restart } = await world();
    const strategyId = await trade();
    await anchor(app);
    ports.clock.set(after('2026-01-05'));
    const again = await restart();
    await again.makeAnchors();
    expect(await anchors()).toEqual([]);
    await anchor(again);
    const [made] = await anchors();
    const branch = await ports.unitOfWork.read((stores) =>
      stores.anchors.branchWith('2026-01-05', trackChain(strategyId)),
    );
    const entries = await ports.unitOfWork.read(({ track }) => track.listAfter(strategyId, 0, 9));
    expect(entries.at(-1)?.kind).toBe('value');
    expect(branch?.leaves.at(-1)).toMatchObject({ ...(await headOf(strategyId)) });
    expect(made?.day).toBe('2026-01-05');
  });

  it('have the entry of their day, also when the clock was ahead of it before', async () => {
    const { app, ports, anchors, headOf, trade } = await world();
    const now = ports.clock.now();
    ports.clock.set(after('2026-01-06'));
    await app.tick();
    ports.clock.set(now);
    const strategyId = await trade();
    ports.clock.set(after('2026-01-05'));
    await anchor(app);
    const entries = await ports.unitOfWork.read(({ track }) => track.listAfter(strategyId, 0, 9));
    expect(entries.at(-1)?.kind).toBe('value');
    const branch = await ports.unitOfWork.read((stores) =>
      stores.anchors.branchWith('2026-01-05', trackChain(strategyId)),
    );
    expect(await anchors()).toHaveLength(1);
    expect(branch?.leaves.at(-1)).toMatchObject({ ...(await headOf(strategyId)) });
  });

  it('are named in the audit log', async () => {
    const { app, ports } = await world();
    ports.clock.set(after('2026-01-05'));
    await anchor(app);
    const entries = await ports.unitOfWork.read(({ audit }) => audit.listAfter(0, 100));
    expect(entries.at(-1)).toMatchObject({
      actor: 'system',
      action: 'makeAnchors',
      objects: ['anchor:2026-01-05'],
    });
  });

  it('are made after a stop for the days that can still be in time', async () => {
    const { app, ports, days, restart } = await world();
    ports.clock.set(after('2026-01-05'));
    await anchor(app);
    ports.clock.set(after('2026-01-09'));
    const again = await restart();
    await anchor(again);
    await anchor(again);
    expect(await days()).toEqual(['2026-01-05', '2026-01-08', '2026-01-09']);
  });

  it('are made once, also by two processes and after a failed commit', async () => {
    const storage = openMemory();
    let isFull = true;
    const { app, ports, days, restart } = await world({
      unitOfWork: {
        ...storage,
        run: (work, options) =>
          storage.run(async (stores) => {
            const answer = await work(stores);
            if (isFull && (await stores.anchors.last())) throw new Error('the disk is full');
            return answer;
          }, options),
      },
    });
    ports.clock.set(after('2026-01-05'));
    await expect(anchor(app)).rejects.toThrow('the disk is full');
    expect(await days()).toEqual([]);
    isFull = false;
    const other = await restart();
    await Promise.allSettled([anchor(app), anchor(other), anchor(app)]);
    await anchor(app);
    await anchor(other);
    expect(await days()).toEqual(['2026-01-05']);
  });
});

describe('stamps of anchors', () => {
  const stamped = async () => {
    let now = (): number => 0;
    const { asked, stamps, fail } = authority(() => now());
    const made = await world({ timestampAuthority: stamps });
    now = () => made.ports.clock.now();
    made.ports.clock.set(after('2026-01-05'));
    const stampDays = async () =>
      (await made.anchors()).map(({ day, stamp }) => [day, stamp?.at ?? null]);
    return { ...made, asked, fail, stampDays };
  };

  it('are of its text, and stored with it', async () => {
    const { app, anchors, asked, ports } = await stamped();
    await anchor(app);
    await anchor(app);
    const [made] = await anchors();
    expect(asked).toEqual([made && anchorText(made)]);
    expect(made?.stamp).toEqual({ token: 'MIIB', nonce: '0a', at: ports.clock.now() });
  });

  it('are asked for again after a minute, then two, at most an hour, while the anchor stays without', async () => {
    const { app, anchors, asked, fail, ports } = await stamped();
    fail(9);
    await anchor(app);
    for (const minutes of [1, 2, 4, 8, 16, 32, 60, 60]) {
      const before = asked.length;
      ports.clock.advance(minutes * MINUTE - 1);
      await anchor(app);
      expect(asked).toHaveLength(before);
      ports.clock.advance(1);
      await anchor(app);
      expect(asked).toHaveLength(before + 1);
      expect((await anchors())[0]?.stamp).toBeNull();
    }
    ports.clock.advance(HOUR);
    await anchor(app);
    expect((await anchors())[0]?.stamp).not.toBeNull();
  });

  it('do not keep the next anchor waiting, and the newest gets its stamp first', async () => {
    const { app, asked, fail, ports, stampDays, anchors } = await stamped();
    fail(1);
    await anchor(app);
    ports.clock.set(after('2026-01-06'));
    await anchor(app);
    expect(await stampDays()).toEqual([
      ['2026-01-05', null],
      ['2026-01-06', after('2026-01-06')],
    ]);
    await anchor(app);
    expect(asked.slice(1)).toEqual((await anchors()).map(anchorText).reverse());
    expect((await stampDays())[0]?.[1]).not.toBeNull();
  });

  it('are asked for after a restart', async () => {
    const { app, fail, restart, stampDays } = await stamped();
    fail(1);
    await anchor(app);
    const again = await restart();
    await anchor(again);
    expect(await stampDays()).toEqual([['2026-01-05', after('2026-01-05')]]);
  });

  it('fail without a fault of the service, and say why in the log', async () => {
    const warnings: unknown[] = [];
    const { stamps, fail } = authority(() => 0);
    const silent = { info: () => undefined, error: () => undefined };
    const { app, ports } = await world({
      timestampAuthority: stamps,
      log: { ...silent, warn: (fields) => void warnings.push(fields) },
    });
    fail(1);
    ports.clock.set(after('2026-01-05'));
    await anchor(app);
    expect(warnings).toEqual([{ day: '2026-01-05', error: 'StampFailed: it is out for lunch' }]);
  });
});
