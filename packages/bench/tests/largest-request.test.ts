import { describe, expect, it } from '@jest/globals';
import {
  CHANNELS,
  MAX_CHANNELS,
  type Operation,
  operations,
  parseChannel,
  parseQuery,
} from '@slipstream/wire';
import { INQUIRED, type Things, largestRequest } from '../src/hold/largest-request.js';
import { largestSnapshots } from '../src/hold/largest-snapshot.js';
import { AT_THE_CAPS, whaleOf } from '../src/hold/whale.js';

const things: Things = {
  ...whaleOf(1, AT_THE_CAPS),
  botIds: ['bot-1', 'bot-2', 'bot-3'],
  stocks: 1_000,
};

describe('the largest snapshots', () => {
  const names = largestSnapshots(things).flatMap(([, channels]) => channels);

  it('exist for every kind of channel, at most as many as a connection may have', () => {
    const kinds = new Set(names.map((name) => parseChannel(name)?.kind));
    expect([...kinds].sort()).toEqual(Object.keys(CHANNELS).sort());
    for (const [, channels] of largestSnapshots(things))
      expect(channels.length).toBeLessThanOrEqual(MAX_CHANNELS);
  });
});

describe('the largest request of an operation', () => {
  it('exists for every row of the table', () => {
    expect([...INQUIRED].sort()).toEqual(Object.keys(operations).sort());
  });

  it.each(INQUIRED)('%s is accepted by the interface', (name) => {
    const operation: Operation = operations[name];
    const { path, body } = largestRequest(name, things);
    const given = body ?? parseQuery(operation, path.slice(path.indexOf('?') + 1));
    const read = operation.request.safeParse(given);
    expect(read.error?.issues ?? []).toEqual([]);
  });

  it('has the most ids of a request', () => {
    const size = (name: 'getStrategies' | 'getStocks' | 'getUsers') =>
      largestRequest(name, things).path.split('%5B%5D=').length - 1;
    expect([size('getStrategies'), size('getStocks'), size('getUsers')]).toEqual([100, 100, 100]);
    expect(largestRequest('newQuotes', things).body?.['quotes']).toHaveLength(1_000);
    expect(largestRequest('newOrder', things).body?.['order_dependencies']).toHaveLength(100);
    expect(largestRequest('getAlerts', things).path).toContain('limit=100');
  });
});
