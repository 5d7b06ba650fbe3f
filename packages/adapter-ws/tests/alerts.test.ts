import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type AlertRecord, id } from '@slipstream/domain';
import { anAlertRecord } from '@slipstream/port-contracts';
import type { Event } from '@slipstream/ports';
import { serve, world } from './harness.js';

const alert = (name: string, more: Partial<AlertRecord> = {}): AlertRecord =>
  anAlertRecord({ id: id(name), userId: id('ada'), strategyId: id('s'), ...more });
const said = (kind: 'alert_added' | 'alert_changed', record: AlertRecord): Event => ({
  ...{ kind, alert: record },
  at: 1000,
});

let known: ReturnType<typeof world>;
let live: Awaited<ReturnType<typeof serve>>;
beforeEach(async () => {
  known = world();
  live = await serve(known);
});
afterEach(() => live.stop());

/** An alert that is committed, and then published. */
const arrive = (record: AlertRecord): void => {
  known.alerts.unshift(record);
  live.publish(said('alert_added', record));
};
const idOf = (data: unknown): string => (data as { inbox_id: string }).inbox_id;

describe('alerts to a strategy', () => {
  it('begin with the latest and continue with each one, and with what becomes of it', async () => {
    known.alerts = [alert('earlier')];
    const client = await live.connect('ada');
    const [snapshot] = await client.subscribe('wsAlerts:s');
    expect(snapshot).toMatchObject({ event: 'snapshot', version: 0 });
    expect((snapshot?.data as unknown[]).map(idOf)).toEqual(['earlier']);
    arrive(alert('refused', { verdict: 'refused', reason: 'no' }));
    arrive(alert('of another strategy', { strategyId: id('t') }));
    live.publish(said('alert_changed', alert('earlier', { verdict: 'superseded' })));
    expect(await client.settle()).toMatchObject([
      { channel: 'wsAlerts:s', event: 'added', version: 1, data: { verdict: 'refused' } },
      { event: 'changed', version: 2, data: { inbox_id: 'earlier', verdict: 'superseded' } },
    ]);
  });

  it('come once when they arrive while the snapshot is read, and none is missed', async () => {
    const client = await live.connect('ada');
    let reads = 0;
    known.alertsListed = async () => {
      reads += 1;
      // The first read checks the access. These are not in the list of the second one, which is read again.
      if (reads !== 2) return;
      arrive(alert('one'));
      arrive(alert('two'));
    };
    const [snapshot] = await client.subscribe('wsAlerts:s');
    expect(reads).toBe(3);
    expect((snapshot?.data as unknown[]).map(idOf)).toEqual(['two', 'one']);
    arrive(alert('three'));
    expect((await client.settle()).map(({ data }) => idOf(data))).toEqual(['three']);
  });

  it('rather come twice than are missed when they never rest', async () => {
    const client = await live.connect('ada');
    let reads = 0;
    known.alertsListed = async () => arrive(alert(`alert-${++reads}`));
    const [snapshot] = await client.subscribe('wsAlerts:s');
    known.alertsListed = () => Promise.resolve();
    const later = await client.settle();
    const seen = [...(snapshot?.data as unknown[]), ...later.map(({ data }) => data)].map(idOf);
    expect([...new Set(seen)].sort()).toEqual(known.alerts.map((one) => one.id as string).sort());
  });

  it('are refused to a stranger and to a token without the scope', async () => {
    const refusalOf = async (token: string) =>
      (await (await live.connect(token)).ask({ action: 'subscribe', channels: ['wsAlerts:s'] }))
        .response;
    expect(await refusalOf('bob')).toContain('only the owner');
    expect(await refusalOf('narrow')).toBe('Authentication failed.');
    expect(await refusalOf('bound')).toBe('Authentication failed.');
  });

  it('end with the strategy', async () => {
    const client = await live.connect('ada');
    await client.subscribe('wsAlerts:s');
    known.hidden.add('s');
    const [userId, strategyId] = [null, id<'strategy'>('s')];
    live.publish({
      ...{ kind: 'access_changed', userId, strategyId },
      reason: 'the strategy was deleted',
    });
    arrive(alert('too late'));
    expect(await client.next()).toMatchObject({
      event: 'ended',
      data: { reason: 'the strategy was deleted' },
    });
    expect(await client.settle()).toEqual([]);
  });
});

describe('all alerts of a user', () => {
  it('include those that named no strategy of theirs', async () => {
    const client = await live.connect('ada');
    await client.subscribe('wsUserAlerts:ada');
    arrive(alert('lost', { strategyId: null, verdict: 'refused' }));
    arrive(alert('of s'));
    arrive(alert('of bob', { userId: id('bob') }));
    expect((await client.settle()).map(({ version, data }) => [version, idOf(data)])).toEqual([
      [1, 'lost'],
      [2, 'of s'],
    ]);
  });

  it.each([
    ['bob', 'wsUserAlerts:ada', 'does not exist or is not the caller'],
    ['bound', 'wsUserAlerts:ada', 'Authentication failed.'],
  ])('are refused to %s', async (token, channel, sentence) => {
    const client = await live.connect(token);
    const answer = await client.ask({ action: 'subscribe', channels: [channel] });
    expect(answer.response).toContain(sentence);
  });
});
