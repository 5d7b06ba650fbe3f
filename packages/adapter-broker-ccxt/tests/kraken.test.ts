import { describe, expect, it } from '@jest/globals';
import { id } from '@slipstream/domain';
import { BrokerRateLimited, BrokerRefused, BrokerUnreachable } from '@slipstream/ports';
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

  it('whose nonces are beyond ours is refused at the link, with what helps', async () => {
    const { broker, account } = aWorld('kraken');
    account.nonce = Number.MAX_SAFE_INTEGER;
    const refused = broker.link(link);
    await expect(refused).rejects.toBeInstanceOf(BrokerRefused);
    await expect(refused).rejects.toThrow(/another program has used .* create a key/);
  });

  it('whose nonces another program takes beyond ours is slowed down, and says why', async () => {
    const { broker, account, pass } = aWorld('kraken');
    await broker.account(access, { find: () => undefined, all: () => [] });
    account.nonce = Number.MAX_SAFE_INTEGER;
    for (let tries = 0; tries < 3; tries += 1) {
      pass(10_000);
      const slowed = broker.find(access, [orderOf(coin).clientOrderId]);
      await expect(slowed).rejects.toBeInstanceOf(BrokerRateLimited);
      await expect(slowed).rejects.toThrow(/^another program uses the key .* larger nonces/);
    }
  });
});

it('an order that Kraken took with a warning is in doubt until it is shown, not refused', async () => {
  const { broker, standIn, pass } = aWorld('kraken', { filling: 'by_hand' });
  const answer = { error: ['WOrder:Something'], result: {} };
  standIn.appearAfter(3_000);
  standIn.faults.add({ ...REQUESTS.kraken.place, kind: { answer } });
  await expect(broker.place(access, orderOf(coin))).rejects.toBeInstanceOf(BrokerUnreachable);
  pass(20_000);
  expect((await broker.place(access, orderOf(coin))).status).toBe('open');
});

it('many orders that never reached Kraken are known to be absent, by several tries', async () => {
  const { broker, pass } = aWorld('kraken');
  const ids = Array.from({ length: 41 }, (_, at) => `never-${at}`.padEnd(32, 'a'));
  let found: ReadonlyMap<string, unknown> | undefined;
  for (let tries = 0; !found; tries += 1) {
    expect(tries).toBeLessThan(6);
    found = await broker.find(access, ids).catch((error: unknown) => {
      if (!(error instanceof BrokerRateLimited)) throw error;
      pass(error.retryAfter);
      return undefined;
    });
  }
  expect(found.size).toBe(0);
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
