import { describe, expect, it } from '@jest/globals';
import { id } from '@slipstream/domain';
import { BrokerRateLimited } from '@slipstream/ports';
import { KEYS, REQUESTS, aWorld, accessOf, coin, orderOf } from './fixture.js';

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

describe('an order whose nonce Kraken refuses', () => {
  const world = (answeredAfter: number) => {
    let refusals = 1;
    const made = aWorld('kraken', {
      around: (venue) => async (request) => {
        if (request.path !== REQUESTS.kraken.place.path || refusals === 0) return venue(request);
        refusals -= 1;
        made.pass(answeredAfter);
        return { status: 200, body: JSON.stringify({ error: ['EAPI:Invalid nonce'] }) };
      },
    });
    return made;
  };

  it('is sent again with another one', async () => {
    const { broker, account } = world(100);
    await broker.place(access, orderOf(coin));
    expect(account.orders).toHaveLength(1);
  });

  it('is not sent again late: trading may have been halted meanwhile', async () => {
    const { broker, account, pass } = world(3_000);
    await expect(broker.place(access, orderOf(coin))).rejects.toBeInstanceOf(BrokerRateLimited);
    expect(account.orders).toHaveLength(0);
    pass(10_000);
    await broker.place(access, orderOf(coin));
    expect(account.orders).toHaveLength(1);
  });
});
