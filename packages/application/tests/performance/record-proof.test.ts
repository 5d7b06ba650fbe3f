import { describe, expect, it } from '@jest/globals';
import { DAY, MINUTE, decimal, rootOfProof, verifyHashes } from '@slipstream/domain';
import { fixture } from '../fixture.js';

const STRANGER = { kind: 'anonymous' } as const;
const OPERATOR = { kind: 'operator' } as const;

/** A strategy with a fill on each of these days, and the anchors of the days that are over. */
async function world(days: number) {
  const made = await fixture();
  const { app, ports, quote } = made;
  const owner = await made.user('owner');
  const strategyId = await made.strategy(owner);
  const settle = async () => {
    await app.tick();
    await app.makeAnchors();
  };
  for (let day = 0; day < days; day += 1) {
    await quote('aapl', String(100 + day));
    await app.newOrderAllocations(owner, {
      strategyId,
      allocations: [{ stock: 'aapl', percent: decimal(day % 2 === 0 ? '0.5' : '0.4') }],
      slippage: decimal('0'),
    });
    await settle();
    ports.clock.set(Date.parse('2026-01-05') + (day + 1) * DAY + 10 * MINUTE);
    await settle();
  }
  return { ...made, owner, strategyId, settle };
}

describe('getTrackRecord with proof', () => {
  it('leads each entry to the anchor of its day', async () => {
    const { app, owner, strategyId, ports } = await world(3);
    const { entries, proof } = await app.getTrackRecord(owner, { strategyId, proof: true });
    expect(proof?.head).toMatchObject({ seq: entries.length });
    expect(proof?.anchors.map(({ anchor }) => anchor.day)).toEqual([
      '2026-01-05',
      '2026-01-06',
      '2026-01-07',
    ]);
    for (const { anchor, proof: path } of proof?.anchors ?? []) {
      expect(rootOfProof(anchor.day, path, ports.fingerprints.sha256)).toBe(anchor.root);
      expect(entries[path.leaf.seq - 1]?.hash).toBe(path.leaf.hash);
      expect(anchor).not.toHaveProperty('branches');
    }
    expect(entries.every(({ body }) => body !== null)).toBe(true);
  });

  it('leads a page to the anchors of its entries only, each once', async () => {
    const { app, owner, strategyId } = await world(3);
    const { entries, proof } = await app.getTrackRecord(owner, {
      ...{ strategyId, proof: true, limit: 2 },
    });
    expect(entries).toHaveLength(2);
    expect(proof?.anchors.map(({ anchor }) => anchor.day)).toEqual(['2026-01-05']);
    expect(proof?.head?.seq).toBeGreaterThan(2);
  });

  it('has no anchor of an entry that is too young', async () => {
    const { app, owner, strategyId, quote } = await world(1);
    await quote('aapl', '120');
    await app.newOrderAllocations(owner, {
      ...{ strategyId, allocations: [], slippage: decimal('0') },
    });
    const { entries } = await app.getTrackRecord(owner, { strategyId });
    const after = entries.length - 1;
    const late = await app.getTrackRecord(owner, { strategyId, proof: true, after });
    expect(late.entries).toHaveLength(1);
    expect(late.proof?.anchors).toEqual([]);
  });

  it('is not in the answer without being asked for', async () => {
    const { app, owner, strategyId } = await world(1);
    expect(await app.getTrackRecord(owner, { strategyId })).not.toHaveProperty('proof');
  });

  it('shows strangers hashes, head and anchors of a public strategy, and no fill', async () => {
    const { app, owner, strategyId, ports } = await world(2);
    const whole = await app.getTrackRecord(owner, { strategyId, proof: true });
    const shown = await app.getTrackRecord(STRANGER, { strategyId, proof: true });
    expect(shown.proof).toEqual(whole.proof);
    expect(shown.entries).toEqual(whole.entries.map((entry) => ({ ...entry, body: null })));
    expect(verifyHashes(shown.entries, ports.fingerprints.sha256)).toMatchObject({ intact: true });
    await expect(app.getTrackRecord(STRANGER, { strategyId })).rejects.toMatchObject({
      code: 'unauthenticated',
    });
  });

  it('shows strangers nothing of a private strategy', async () => {
    const { app, owner, strategyId } = await world(1);
    await app.updateStrategy(owner, { strategyId, private: true });
    await expect(app.getTrackRecord(STRANGER, { strategyId, proof: true })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

describe('newAnchor', () => {
  it('anchors today once, with what is recorded until now', async () => {
    const { app, settle, ports } = await world(1);
    const { anchor, leaves } = await app.newAnchor(OPERATOR, {});
    expect(anchor).toMatchObject({ day: '2026-01-06', size: leaves.length });
    expect(leaves.map(({ chain }) => chain)).toContain('audit');
    ports.clock.advance(MINUTE);
    expect((await app.newAnchor(OPERATOR, {})).anchor).toEqual(anchor);
    ports.clock.advance(DAY);
    await settle();
    const later = await app.newAnchor(OPERATOR, { day: '2026-01-06' });
    expect(later).toEqual({ anchor, leaves });
  });

  it('leads later entries of that day to the next anchor, and names that of the day too', async () => {
    const { app, owner, strategyId, settle, ports, quote } = await world(1);
    await app.newAnchor(OPERATOR, {});
    await quote('aapl', '120');
    await app.newOrderAllocations(owner, {
      ...{ strategyId, allocations: [], slippage: decimal('0') },
    });
    ports.clock.advance(DAY);
    await settle();
    const { entries, proof } = await app.getTrackRecord(owner, { strategyId, proof: true });
    const anchors = proof?.anchors.map(({ anchor, proof: { leaf } }) => [anchor.day, leaf.seq]);
    expect(anchors?.map(([day]) => day)).toEqual(['2026-01-05', '2026-01-06']);
    expect(anchors?.at(-1)?.[1]).toBeLessThan(entries.length);
    ports.clock.advance(DAY);
    await settle();
    const later = await app.getTrackRecord(owner, { strategyId, proof: true });
    expect(later.proof?.anchors.map(({ anchor }) => anchor.day)).toEqual([
      '2026-01-05',
      '2026-01-06',
      '2026-01-07',
    ]);
  });

  it('anchors yesterday with all its entries, also in the first minute of a day', async () => {
    const { app, owner, strategyId, settle, ports, quote } = await world(1);
    await quote('aapl', '120');
    await app.newOrderAllocations(owner, {
      ...{ strategyId, allocations: [], slippage: decimal('0') },
    });
    ports.clock.set(Date.parse('2026-01-07') - 1);
    await settle();
    ports.clock.advance(2);
    await app.newAnchor(OPERATOR, {});
    ports.clock.advance(DAY);
    await settle();
    const { entries, proof } = await app.getTrackRecord(owner, { strategyId, proof: true });
    const anchors = proof?.anchors.map(({ anchor, proof: { leaf } }) => [anchor.day, leaf.seq]);
    expect(anchors?.at(-1)).toEqual(['2026-01-06', entries.length]);
  });

  it('knows no anchor of another day', async () => {
    const { app } = await world(0);
    await expect(app.newAnchor(OPERATOR, { day: '2020-01-01' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
