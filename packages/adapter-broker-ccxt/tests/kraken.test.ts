import { describe, expect, it } from '@jest/globals';
import { id } from '@slipstream/domain';
import { KEYS, aWorld, accessOf } from './fixture.js';

const access = accessOf('kraken');
const link = {
  userId: id<'user'>('user-1'),
  type: 'cryptocurrency',
  accountId: undefined,
  credentials: KEYS.kraken,
} as const;

describe('a key of Kraken', () => {
  const READS = ['query-funds', 'query-open-trades', 'query-closed-trades'];

  it.each([
    ['may place orders and not cancel them', 'modify-trades'],
    ['may cancel orders and not place them', 'close-trades'],
  ])('that %s is refused at the link', async (_, right) => {
    const { broker, standIn } = aWorld('kraken');
    const result = { permissions: [...READS, right], iban: access.accountId };
    const path = '/0/private/GetApiKeyInfo';
    standIn.faults.add({ method: 'POST', path, kind: { answer: { error: [], result } } });
    await expect(broker.link(link)).rejects.toThrow(/may not read, trade and cancel/);
  });
});
