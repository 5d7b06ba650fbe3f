import { describe, expect, it } from '@jest/globals';
import { DAY } from '@slipstream/domain';
import { DEFAULT_SETTINGS } from '../../src/index.js';
import { PASSWORD } from '../accounts.js';
import { type Ask, type Before, requestOutcomes, workOutcomes } from '../billing/crash-scene.js';

const deletes =
  (who: 'owner' | 'follower'): Ask =>
  (app, world) =>
    app.deleteUser(world[who], { password: PASSWORD });

describe('a crash at any moment of deleteUser, which is called again', () => {
  const rows: readonly (readonly [string, Before, Ask, Record<string, unknown>])[] = [
    [
      'a payer, with a card that waits for its confirmation',
      async ({ subscribe, follower, strategyId, pay }) => {
        await subscribe(follower, strategyId);
        await pay(follower, 'test_card_confirm');
      },
      deletes('follower'),
      {
        subscriptions: ['owner active', 'subscriber cancelled'],
        invoices: [{ status: 'paid', charges: 1, refunded: '0', given: '0' }],
        sources: ['out active, primary'],
        balance: '24',
      },
    ],
    [
      'an owner whose follower is refunded',
      async ({ app, subscribe, owner, follower, strategyId }) => {
        await app.newStrategy(owner, { type: 'stock', name: 'Another' });
        await subscribe(follower, strategyId);
        await app.deleteStrategy(owner, { strategyId });
      },
      deletes('owner'),
      {
        subscriptions: ['owner cancelled', 'owner cancelled', 'subscriber cancelled'],
        invoices: [{ status: 'paid', charges: 1, refunded: '30', given: '30' }],
        sources: ['in active, primary'],
        balance: '0',
      },
    ],
  ];

  it.each(rows)('leaves nothing of %s', async (_, before, flow, became) => {
    for (const one of await requestOutcomes(before, flow, true))
      expect(one).toMatchObject({ ...became, linkedUnknown: 0, unlinkedKnown: 0 });
  });
});

describe('a crash at any moment at which an unconfirmed account ends', () => {
  it('leaves no card at the gateway', async () => {
    const confirmEmail = 'required';
    const became = await workOutcomes(
      async ({ ports: { unitOfWork, clock }, follower: { userId } }) => {
        // The setting was off when the card was added.
        await unitOfWork.run(async ({ users }) => {
          const user = await users.find(userId);
          if (user) await users.save({ ...user, confirmBy: clock.now() + DAY });
        });
        clock.advance(DAY);
      },
      (app) => app.tick(),
      { ...DEFAULT_SETTINGS, confirmEmail },
    );
    expect(became).toMatchObject([{ sources: ['out active, primary'], linkedUnknown: 0 }]);
  });
});
