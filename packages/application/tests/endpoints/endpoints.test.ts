import { describe, expect, it } from '@jest/globals';
import { decimal, id } from '@slipstream/domain';
import { endWithAccess } from '../../src/endpoints/end-endpoint.js';
import type { Caller } from '../../src/index.js';
import { PASSWORD, userOf } from '../accounts.js';
import { FAILED, world } from './receiver.js';

const invalid = (message: string | RegExp) => ({
  code: 'invalid_field',
  message: expect.stringMatching(message) as unknown,
});

describe('an endpoint', () => {
  it('shows its secret once, and its address to its owner alone', async () => {
    const { app, ada, user, endpoint } = await world();
    const made = await endpoint();
    expect(made).toMatchObject({ secret: 'whsec_1', url: 'https://example.com/hook' });
    const [shown, ...others] = await app.getEndpoints(ada);
    expect(others).toEqual([]);
    expect(shown).toEqual({ endpoint: made.endpoint, url: 'https://example.com/hook' });
    const bob = await user('bob');
    expect(await app.getEndpoints(bob)).toEqual([]);
    const endpointId = made.endpoint.id;
    for (const refused of [
      app.updateEndpoint(bob, { endpointId, status: 'disabled' }),
      app.deleteEndpoint(bob, { endpointId }),
      app.getDeliveries(bob, { endpointId }),
    ])
      await expect(refused).rejects.toMatchObject({ code: 'not_found' });
  });

  it('of Discord is shown without the secret in its address, one of Telegram without any', async () => {
    const { app, ada, endpoint } = await world();
    await endpoint({ kind: 'discord', url: 'https://discord.com/api/webhooks/1/a-secret' });
    await endpoint({ kind: 'telegram', url: undefined, botToken: 'bot', chatId: '7' });
    const shown = (await app.getEndpoints(ada)).map(({ url }) => url);
    expect(shown).toEqual([null, 'https://discord.com/api/webhooks/1/…']);
  });

  it('has the fields of its kind and no others', async () => {
    const { endpoint } = await world();
    const refused = (fields: Parameters<typeof endpoint>[0], message: string) =>
      expect(endpoint(fields)).rejects.toMatchObject(invalid(message));
    await refused({ url: undefined }, 'url is required for webhook');
    await refused({ url: 'http://example.com' }, 'url must be an https address');
    await refused({ chatId: '7' }, 'chat_id is not a field of webhook');
    await refused({ kind: 'telegram' }, 'url is not a field of telegram');
    await refused({ kind: 'telegram', url: undefined, chatId: '7' }, 'bot_token is required');
    await refused({ events: ['value.crossed'] }, 'value_levels must be given');
    await refused({ valueLevels: [decimal('1')] }, 'value_levels must be given');
  });

  it('needs the scope of the read of each event', async () => {
    const { app, ada, endpoint } = await world();
    const { text } = await app.newToken(ada, { name: 'n', scope: ['newEndpoint', 'getOrders'] });
    const narrow = await app.authenticate(text);
    await endpoint({}, narrow);
    await expect(endpoint({ events: ['order.filled', 'bot.error'] }, narrow)).rejects.toMatchObject(
      invalid('bot.error needs a token with the scope getBots'),
    );
  });

  it('names strategies that its user owns or follows', async () => {
    const { app, user, endpoint, strategyId } = await world();
    const bob = await user('bob');
    await expect(endpoint({ strategyIds: [strategyId] }, bob)).rejects.toMatchObject({
      code: 'not_owner',
    });
    await expect(endpoint({ strategyIds: ['none'] }, bob)).rejects.toMatchObject({
      code: 'not_found',
    });
    await app.newStrategySubscription(bob, { strategyId });
    await endpoint({ strategyIds: [strategyId] }, bob);
  });

  it('of a token bound to strategies names them', async () => {
    const { app, ada, endpoint, strategyId, strategy } = await world();
    const other = await strategy(ada);
    const made = await app.newToken(ada, { name: 'n', scope: ['*'], strategyIds: [strategyId] });
    const bound = await app.authenticate(made.text);
    await endpoint({ strategyIds: [strategyId] }, bound);
    for (const strategyIds of [undefined, [other]])
      await expect(endpoint({ strategyIds }, bound)).rejects.toMatchObject(
        invalid('strategy_ids must be among those of the calling token'),
      );
  });

  it('cannot be redirected by a token that may not read what it is told', async () => {
    const { app, ada, endpoint } = await world();
    const { endpoint: made } = await endpoint();
    const { text } = await app.newToken(ada, { name: 'n', scope: ['updateEndpoint'] });
    const narrow = await app.authenticate(text);
    await expect(
      app.updateEndpoint(narrow, { endpointId: made.id, url: 'https://evil.example' }),
    ).rejects.toMatchObject(invalid('needs a token with the scope getOrders'));
  });

  it('changes only what is given', async () => {
    const { app, ada, endpoint } = await world();
    const { endpoint: made } = await endpoint();
    const endpointId = made.id;
    const changed = await app.updateEndpoint(ada, { endpointId, events: ['bot.error'] });
    expect(changed).toMatchObject({ secret: null, url: 'https://example.com/hook' });
    expect(changed.endpoint).toMatchObject({ events: ['bot.error'], status: 'active' });
    const off = await app.updateEndpoint(ada, { endpointId, status: 'disabled' });
    expect(off.endpoint).toMatchObject({ events: ['bot.error'], status: 'disabled' });
  });

  it('is capped', async () => {
    const { endpoint } = await world();
    for (let n = 0; n < 20; n += 1) await endpoint();
    await expect(endpoint()).rejects.toMatchObject({
      code: 'cap_reached',
      message: 'a user can have 20 endpoints at most',
    });
  });

  it('goes with its user', async () => {
    const { app, ports, ada, endpoint, fills } = await world();
    await endpoint({ events: ['order.filled', 'alert.refused'] });
    await fills(2);
    await app
      .newOrderWebhook(ada, { strategyId: 'none', stock: 'x', action: 'buy' })
      .catch(() => 0);
    await app.sendEvents();
    await app.deleteUser(ada, { password: PASSWORD });
    const left = await ports.unitOfWork.read(async ({ endpoints, endpointEvents, deliveries }) => [
      await endpoints.listOf(userOf(ada)),
      await endpointEvents.ofUser(userOf(ada), 9),
      await deliveries.expired(Infinity, 9),
    ]);
    expect(left).toEqual([[], [], []]);
  });
});

describe('an endpoint ends with its access', () => {
  const statusOf = async (app: Awaited<ReturnType<typeof world>>['app'], by: Caller) =>
    (await app.getEndpoints(by)).map(({ endpoint }) => [endpoint.status, endpoint.statusReason]);

  it('when its token is deleted', async () => {
    const { app, ada, endpoint, fills, receiver } = await world();
    const token = await app.newToken(ada, { name: 'n', scope: ['*'] });
    await endpoint({}, await app.authenticate(token.text));
    await app.deleteToken(ada, { tokenId: token.token.id });
    expect(await statusOf(app, ada)).toEqual([['disabled', 'its token was revoked']]);
    await fills(1);
    await app.sendEvents();
    expect(receiver.sent).toEqual([]);
  });

  it('when its token expires, at the next attempt', async () => {
    const { app, ports, ada, endpoint, fills, receiver } = await world();
    const expiresAt = ports.clock.now() + 1000;
    const token = await app.newToken(ada, { name: 'n', scope: ['*'], expiresAt });
    await endpoint({}, await app.authenticate(token.text));
    await fills(1);
    ports.clock.advance(1000);
    await app.sendEvents();
    expect(receiver.sent).toEqual([]);
    expect(await statusOf(app, ada)).toEqual([['disabled', 'the token of the endpoint has ended']]);
  });

  it('but not with the session of a person, who may have every right', async () => {
    const { app, ada, endpoint, ports } = await world();
    const account = { email: 'ada@example.com', password: PASSWORD };
    const { token } = await app.newSession({ kind: 'anonymous' }, account);
    const signIn = await app.authenticate(token);
    const { text } = await app.newToken(signIn, { name: 's', type: 'session', scope: ['*'] });
    await endpoint({}, await app.authenticate(text));
    ports.clock.advance(3_600_000);
    expect(await statusOf(app, ada)).toEqual([['active', null]]);
  });

  it('when its user no longer follows the strategy', async () => {
    const { app, user, endpoint, fills, receiver, strategyId } = await world();
    const bob = await user('bob');
    await app.newStrategySubscription(bob, { strategyId });
    await endpoint({ strategyIds: [strategyId] }, bob);
    await fills(1);
    await app.sendEvents();
    expect(receiver.sent).toHaveLength(1);
    await fills(2);
    await app.deleteStrategySubscription(bob, { strategyId });
    await app.sendEvents();
    expect(receiver.sent).toHaveLength(1);
    expect(await statusOf(app, bob)).toEqual([
      ['disabled', 'the access to the strategy has ended'],
    ]);
  });

  it.each([
    ['which is all that it hears of', false],
    ['one of two', true],
  ])(
    'when its user no longer follows the strategy, %s, and does not tell that it goes on trading',
    async (_, hasAnother) => {
      const { app, ports, ada, user, endpoint, strategy, fills, strategyId } = await world();
      const bob = await user('bob');
      const strategyIds = [strategyId, ...(hasAnother ? [await strategy(ada)] : [])];
      for (const one of strategyIds) await app.newStrategySubscription(bob, { strategyId: one });
      const { endpoint: made } = await endpoint({ strategyIds }, bob);
      await app.deleteStrategySubscription(bob, { strategyId });
      await endWithAccess(ports)({ strategyId: id(strategyId), userId: userOf(bob) });
      const now = await statusOf(app, bob);
      expect(now).toEqual([
        hasAnother ? ['active', null] : ['disabled', 'the access to the strategy has ended'],
      ]);
      await fills(2);
      await app.sendEvents();
      expect(await app.getDeliveries(bob, { endpointId: made.id })).toEqual([]);
      expect(await statusOf(app, bob)).toEqual(now);
    },
  );

  it('when the strategy of all its followers is over for them at once', async () => {
    const { app, ports, user, endpoint, strategyId } = await world();
    const followers = [await user('bob'), await user('cyd')];
    for (const one of followers) {
      await app.newStrategySubscription(one, { strategyId });
      await endpoint({ strategyIds: [strategyId] }, one);
      await app.deleteStrategySubscription(one, { strategyId });
    }
    await endWithAccess(ports)({ strategyId: id(strategyId), userId: null });
    for (const one of followers)
      expect(await statusOf(app, one)).toEqual([
        ['disabled', 'the access to the strategy has ended'],
      ]);
  });

  it.each([
    ['when the strategy whose values it hears becomes private', false],
    ['but not while its user is invited to the private strategy whose values it hears', true],
  ])('%s', async (_, isInvited) => {
    const { app, ports, ada, user, endpoint, fills, quote, receiver, strategyId } = await world();
    const bob = await user('bob');
    const strategyIds = [strategyId];
    const valueLevels = [decimal('1.1')];
    await endpoint({ events: ['value.crossed'], valueLevels, strategyIds }, bob);
    const crosses = async (price: string): Promise<void> => {
      ports.clock.advance(60_000);
      await quote('AAPL:NASDAQ', price);
      await fills(2);
    };
    await fills(1);
    await crosses('200');
    await app.sendEvents();
    expect(receiver.sent).toHaveLength(1);
    await crosses('100');
    const invitedUserIds = isInvited ? [userOf(bob)] : [];
    await app.updateStrategy(ada, { strategyId, private: true, invitedUserIds });
    await app.sendEvents();
    expect(receiver.sent).toHaveLength(isInvited ? 2 : 1);
    expect(await statusOf(app, bob)).toEqual([
      isInvited ? ['active', null] : ['disabled', 'the access to the strategy has ended'],
    ]);
  });

  it('when the strategy is deleted, also for its owner', async () => {
    const { app, ada, endpoint, fills, receiver, strategyId } = await world();
    await endpoint({ strategyIds: [strategyId] });
    await fills(1);
    await app.deleteStrategy(ada, { strategyId });
    await app.sendEvents();
    expect(receiver.sent).toEqual([]);
    expect(await statusOf(app, ada)).toEqual([
      ['disabled', 'the access to the strategy has ended'],
    ]);
  });

  it('when what waited is more than the token may read that redirected it', async () => {
    const { app, ports, ada, endpoint, fills, receiver } = await world();
    const { endpoint: made } = await endpoint({ events: ['order.filled', 'alert.refused'] });
    receiver.answer = () => FAILED;
    await fills(1);
    await app.sendEvents();
    const scope = ['updateEndpoint', 'getAlerts'];
    const narrow = await app.authenticate((await app.newToken(ada, { name: 'n', scope })).text);
    await app.updateEndpoint(narrow, {
      endpointId: made.id,
      events: ['alert.refused'],
      url: 'https://evil.example',
    });
    ports.clock.advance(10_000);
    await app.sendEvents();
    expect(receiver.sent).toHaveLength(1);
    expect(await statusOf(app, ada)).toEqual([
      ['disabled', 'the token of the endpoint lacks the scope'],
    ]);
  });
});

describe('the secret of a webhook', () => {
  it('is replaced by another one; for a day both sign', async () => {
    const { app, ports, ada, endpoint, fills, receiver } = await world();
    const made = await endpoint();
    const endpointId = made.endpoint.id;
    const rotate = async () =>
      (await app.updateEndpoint(ada, { endpointId, rotateSecret: true })).secret;
    expect([made.secret, await rotate(), await rotate()]).toEqual([
      'whsec_1',
      'whsec_2',
      'whsec_3',
    ]);
    await fills(1);
    await app.sendEvents();
    const until = ports.clock.now() + 86_400_000;
    expect(receiver.sent[0]?.target).toMatchObject({
      secrets: [
        { secret: 'whsec_3', until: null },
        { secret: 'whsec_2', until },
      ],
    });
  });

  it('is none of messengers', async () => {
    const { app, ada, endpoint } = await world();
    const telegram = { kind: 'telegram', url: undefined, botToken: 'bot', chatId: '7' } as const;
    const { endpoint: made, secret } = await endpoint(telegram);
    expect(secret).toBeNull();
    await expect(
      app.updateEndpoint(ada, { endpointId: made.id, rotateSecret: true }),
    ).rejects.toMatchObject(invalid('rotate_secret is not a field of messengers'));
  });
});
