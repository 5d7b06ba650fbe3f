import { DAY, type Timestamp } from '@slipstream/domain';
import { someDetails } from '../../../wire/src/billing/examples.js';
import type { ComposedServer } from '../helpers/composed-server.js';
import type { Placeholder } from '../operations/table/scene.js';
import type { Known } from '../transcripts/played-world.js';
import { FOLLOWED, type Former, type Reader } from './readers.js';
import { PRICE, type Strategies, twins } from './secrets.js';

/** A follower whose access ends. */
export interface FormerFollower {
  readonly name: Former;
  readonly token: string;
  readonly strategyId: string;
}

/** What the bots of each are in when the access ends. */
const BOTS: Readonly<Record<string, { readonly fields: object; readonly starts: boolean }>> = {
  off: { fields: {}, starts: false },
  stopped: { fields: {}, starts: true },
  running: { fields: {}, starts: true },
  closing: { fields: { close_on_stop: true }, starts: true },
  'kept from closing': { fields: { close_on_stop: true }, starts: true },
  'dry run': { fields: { dry_run: true }, starts: true },
  reducing: { fields: { mode: 'reduce_only' }, starts: true },
  paused: { fields: { mode: 'paused' }, starts: true },
};

/** What endpoints hear of the followed strategy, and of the own account. */
const OF_STRATEGY = ['order.filled', 'order.rejected', 'order.cancelled', 'value.crossed'];
const OF_ACCOUNT = ['bot.started', 'bot.stopped', 'subscription.changed', 'invoice.changed'];

interface Following {
  /** Where the endpoints are. */
  readonly url: string;
  /** A strategy that some follow beside, and go on following. */
  readonly another: string;
  knows(this: void, kind: Placeholder, label: string, id: string, of?: Reader): string;
}

/** Follows the strategy, with bots and endpoints. */
export async function follow(
  { ask, attempt }: ComposedServer,
  { name, token, strategyId: strategy_id }: FormerFollower,
  { url, another, knows }: Following,
): Promise<void> {
  const isPaid = FOLLOWED[name] === 'Paid';
  const hasPaid = name !== 'never paid';
  const card = { token: hasPaid ? 'test_card_paid' : 'test_card_declined', ...someDetails };
  if (isPaid) await ask('newPaymentSource', card, token);
  const price = isPaid ? { price: PRICE } : {};
  await ask('newStrategySubscription', { strategy_id, ...price }, token);
  const beside = name === 'left' || name === 'excluded' ? [another] : [];
  for (const other of beside) await ask('newStrategySubscription', { strategy_id: other }, token);
  for (const [state, { fields, starts }] of hasPaid ? Object.entries(BOTS) : []) {
    const mirrored = [strategy_id, ...(state === 'off' ? beside : [])];
    const allocations = mirrored.map((one) => ({ strategy_id: one, percent: '1' }));
    const given = { type: 'stock', broker: 'simulated', name: state, allocations, ...fields };
    const { bot_id } = await ask('newBot', given, token);
    knows('bot', `${state} of ${name}`, bot_id, name);
    if (starts) await ask('startBot', { bot_id }, token);
  }
  const value_levels = ['0.5', '1', '1.001', '1.01', '1.02'];
  const heard = { events: OF_STRATEGY, strategy_ids: [strategy_id, ...beside], value_levels };
  for (const fields of [
    ...(hasPaid ? [heard] : []),
    { events: [...OF_ACCOUNT, 'alert.refused'] },
  ]) {
    const made = await ask('newEndpoint', { kind: 'webhook', url, ...fields }, token);
    knows('endpoint', `${fields.events[0]} of ${name}`, made.endpoint_id, name);
  }
  const alert = { strategy_id, stock_id: 'AAPL:NASDAQ', action: 'buy' };
  await attempt('newOrderWebhook', alert, token);
}

/** Stops one bot of each, and pauses one, once they hold what they mirror. */
export async function changeBots(
  { ask }: ComposedServer,
  known: readonly Known[],
  tokens: ReadonlyMap<Former, string>,
): Promise<void> {
  for (const { kind, label, id: bot_id, of } of known) {
    const token = tokens.get(of as Former);
    if (kind !== 'bot') continue;
    if (label.startsWith('stopped')) await ask('stopBot', { bot_id }, token);
    if (label.startsWith('kept')) await ask('updateBot', { bot_id, mode: 'paused' }, token);
  }
}

interface Ending {
  readonly owner: string;
  readonly formers: readonly FormerFollower[];
  rest(this: void, server: ComposedServer): Promise<void>;
}

/** Ends the access of each; answers when the last one ended. */
export async function endAccess(
  server: ComposedServer,
  strategies: Strategies,
  { owner, formers, rest }: Ending,
): Promise<Timestamp> {
  const { ask, clock, application } = server;
  const tokenOf = (name: Former) => formers.find((one) => one.name === name)?.token;
  const ends = (name: Former, strategy_id: string) =>
    ask('deleteStrategySubscription', { strategy_id }, tokenOf(name));
  await ends('left paid', strategies.paid);
  const unpaid = tokenOf('unpaid');
  const declined = { token: 'test_card_declined', primary: true, ...someDetails };
  await ask('newPaymentSource', declined, unpaid);
  for (const { description, source_id } of await ask('getPaymentSources', {}, unpaid))
    if (description.includes('4242')) await ask('deletePaymentSource', { source_id }, unpaid);
  for (let day = 0; day < 42; day += 1) {
    clock.advance(DAY);
    if (day % 7 === 0) await server.quotes(twins(200, 100));
    await application.background.tick();
    await application.background.runBilling();
  }
  await server.quotes(twins(200, 100));
  await rest(server);
  clock.advance(1000);
  await ends('left', strategies.free);
  await ends('left before private', strategies.turned);
  const { user_id } = await ask('verifyToken', {}, tokenOf('excluded'));
  await ask('deleteStrategySubscription', { strategy_id: strategies.shut, user_id }, owner);
  await ask('updateStrategy', { strategy_id: strategies.turned, private: true }, owner);
  for (const { name, token, strategyId: strategy_id } of formers) {
    const { status } = await server.attempt('getPositions', { strategy_id }, token);
    if (status !== 400) throw new Error(`${name} still follows`);
  }
  return clock.now();
}
