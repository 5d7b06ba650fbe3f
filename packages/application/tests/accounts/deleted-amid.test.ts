import { describe, expect, it } from '@jest/globals';
import { simulatedBroker } from '@slipstream/adapter-broker-simulated';
import { memoryPorts } from '@slipstream/adapter-memory/testing';
import { DAY, type StrategyId, decimal } from '@slipstream/domain';
import { type Caller, DEFAULT_SETTINGS } from '../../src/index.js';
import { PASSWORD, userOf } from '../accounts.js';
import { type App, createApp } from '../app.js';
import { DETAILS, billingWorld } from '../billing/billing-world.js';
import { receiver } from '../endpoints/receiver.js';
import { fixture } from '../fixture.js';

const FOREVER = 8_640_000_000_000_000;

/** Two users, of whom the second has a strategy that everybody may follow. */
async function world() {
  const { unitOfWork, ids, clock } = memoryPorts();
  const market = () => ({
    now: clock.now(),
    stock: () => undefined,
    quote: () => undefined,
    freshQuote: () => undefined,
    session: () => undefined,
  });
  const broker = simulatedBroker({ unitOfWork, ids, market });
  const made = await fixture({
    brokers: new Map([[broker.name, broker]]),
    endpointSender: receiver(),
  });
  const [ada, bob] = [await made.user('ada'), await made.user('bob')];
  const followed = await made.strategy(bob);
  await made.app.newPost(bob, { text: 'his' });
  return { ...made, ada, bob, followed };
}

type Request = (app: App, caller: Caller, followed: StrategyId) => Promise<unknown>;

/** What makes something that belongs to its caller. */
const MAKING: readonly (readonly [name: string, request: Request])[] = [
  ['newStrategy', (app, by) => app.newStrategy(by, { type: 'stock', name: 'Late' })],
  [
    'newStrategySubscription',
    (app, by, strategyId) => app.newStrategySubscription(by, { strategyId }),
  ],
  [
    'newPaymentSource',
    (app, by) => app.newPaymentSource(by, { token: 'test_card_paid', details: DETAILS }),
  ],
  [
    'newWithdrawal',
    (app, by) => app.newWithdrawal(by, { amount: decimal('1'), password: PASSWORD }),
  ],
  ['newBot', (app, by) => app.newBot(by, { type: 'stock', broker: 'simulated', credentials: {} })],
  ['haltTrading', (app, by) => app.haltTrading(by, { scope: 'user', reason: 'late' })],
  ['newToken', (app, by) => app.newToken(by, { name: 'late', scope: ['*'] })],
  [
    'newEndpoint',
    (app, by) =>
      app.newEndpoint(by, { kind: 'webhook', url: 'https://e.example', events: ['bot.error'] }),
  ],
  ['newPost', (app, by) => app.newPost(by, { text: 'late' })],
  [
    'preparePlan',
    (app, by) => app.preparePlan(by, { operation: 'newPost', command: { text: 'late' } }),
  ],
  ['newTotp', (app, by) => app.newTotp(by, { password: PASSWORD })],
  [
    'newOrderWebhook',
    (app, by, strategyId) => {
      const alert = { strategyId, stock: 'aapl', action: 'buy' } as const;
      return app.newOrderWebhook(by, alert, { id: 'late', body: '{}' });
    },
  ],
];

describe('a request of an account that is deleted before it takes effect', () => {
  it.each(MAKING)('leaves nothing of the account behind: %s', async (_, request) => {
    const { app, ports, ada, followed } = await world();
    await app.deleteUser(ada, { password: PASSWORD });
    await expect(request(app, ada, followed)).rejects.toMatchObject({ code: 'unauthenticated' });
    const userId = userOf(ada);
    const left = await ports.unitOfWork.read(async (stores) => [
      ...(await stores.subscriptions.following(userId)),
      ...(await stores.paymentSources.listOf(userId)),
      ...(await stores.bots.listOf(userId)),
      ...(await stores.halts.on({ scope: 'user', target: userId })),
      ...(await stores.strategies.ownedBy(userId, { limit: 9 })),
      ...(await stores.plans.listOf(userId)),
      ...(await stores.alerts.listOfUser(userId, { limit: 9 })),
    ]);
    expect(left).toEqual([]);
  });

  it('has the gateway remove a card that was linked meanwhile', async () => {
    const { gateway } = await billingWorld();
    const unlinked: string[] = [];
    const hook = { whileLinking: async (): Promise<void> => undefined };
    const { app, ports, user } = await billingWorld({
      ...gateway,
      link: async (request) => {
        await hook.whileLinking();
        return gateway.link(request);
      },
      unlink: async (ref) => void unlinked.push(ref),
    });
    const payer = await user('payer');
    hook.whileLinking = () => app.deleteUser(payer, { password: PASSWORD });
    const command = { token: 'test_card_paid', details: DETAILS };
    await expect(app.newPaymentSource(payer, command)).rejects.toMatchObject({
      code: 'unauthenticated',
    });
    expect(unlinked).toEqual(['simulated:test_card_paid']);
    const kept = await ports.unitOfWork.read((stores) =>
      stores.paymentSources.listOf(payer.userId),
    );
    expect(kept).toEqual([]);
  });
});

describe('a card that waits for its confirmation', () => {
  it('is due no more once its account is deleted, and so holds up nobody else', async () => {
    const { app, ports, user } = await billingWorld();
    const token = 'test_card_confirm';
    for (let n = 0; n < 9; n += 1) {
      const gone = await user(`gone-${n}`);
      await app.newPaymentSource(gone, { token, details: DETAILS });
      await app.deleteUser(gone, { password: PASSWORD });
    }
    const payer = await user('payer');
    ports.clock.advance(1_000);
    await app.newPaymentSource(payer, { token, details: DETAILS });
    ports.clock.advance(120_000);
    await app.runBilling();
    expect((await app.getPaymentSources(payer)).map(({ source }) => source.status)).toEqual([
      'active',
    ]);
    const due = await ports.unitOfWork.read(({ paymentSources }) =>
      paymentSources.due(FOREVER, 99),
    );
    expect(due).toEqual([]);
  });

  it('is removed at the gateway too: with its account, with its row, or when nobody confirmed it for a day', async () => {
    const { gateway } = await billingWorld();
    const unlinked: string[] = [];
    const { app, ports, user } = await billingWorld({
      ...gateway,
      confirmation: async () => ({ kind: 'waiting' }),
      unlink: async (ref) => void unlinked.push(ref),
    });
    const refs: string[] = [];
    const waiting = async (name: string) => {
      const payer = await user(name);
      const command = { token: 'test_card_confirm', details: DETAILS };
      const { source } = await app.newPaymentSource(payer, command);
      refs.push(source.gatewayRef);
      ports.clock.advance(1_000);
      return { payer, sourceId: source.id };
    };
    await app.deleteUser((await waiting('first')).payer, { password: PASSWORD });
    const { payer, sourceId } = await waiting('second');
    await app.deletePaymentSource(payer, { sourceId });
    await waiting('third');
    ports.clock.advance(DAY);
    await app.runBilling();
    expect(unlinked).toEqual(refs);
  });

  it('that an earlier version left due is due no more after one look', async () => {
    const { app, ports, user } = await billingWorld();
    const payer = await user('payer');
    const { source } = await app.newPaymentSource(payer, {
      token: 'test_card_confirm',
      details: DETAILS,
    });
    await ports.unitOfWork.run(({ paymentSources }) =>
      paymentSources.save({ ...source, status: 'deleted', sealedDetails: null }),
    );
    ports.clock.advance(120_000);
    await app.runBilling();
    const due = await ports.unitOfWork.read(({ paymentSources }) =>
      paymentSources.due(FOREVER, 99),
    );
    expect(due).toEqual([]);
  });
});

describe('an account that ends because its address was never confirmed', () => {
  it('leaves no card and no halt behind', async () => {
    const required = { ...DEFAULT_SETTINGS, confirmEmail: 'required' } as const;
    const { app, ports, user } = await fixture({}, required);
    const ada = await user('ada');
    await app.haltTrading(ada, { scope: 'user', reason: 'look first' });
    // The setting can be off in between.
    const between = createApp(ports, DEFAULT_SETTINGS);
    await between.newPaymentSource(ada, { token: 'test_card_paid', details: DETAILS });
    ports.clock.advance(8 * DAY);
    await app.tick();
    const [sources, halts] = await ports.unitOfWork.read(async (stores) => [
      await stores.paymentSources.listOf(userOf(ada)),
      await stores.halts.on({ scope: 'user', target: userOf(ada) }),
    ]);
    expect(sources.map(({ status, sealedDetails }) => [status, sealedDetails])).toEqual([
      ['deleted', null],
    ]);
    expect(halts).toEqual([]);
  });
});
