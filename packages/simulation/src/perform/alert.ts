import { type Decimal, ONE, ZERO, decimal, divide } from '@slipstream/domain';
import { hundredths } from './hundredths.js';
import { type CommandContext, acknowledge, requireExisting } from './context.js';
import { alertRow, checkNoEffect, checkStoredAnswer } from '../invariants/alerts.js';
import type { AlertInput, SentAlert } from '../run/memory.js';
import {
  amountHeld,
  nameOf,
  stockAt,
  strategyAt,
  userIdOf,
  versionOf,
  worth,
} from '../world/places.js';
import type { AlertCommand } from '../story/story.js';
import type { Run } from '../run/run.js';
import type { World } from '../world/world.js';

function newAlert(
  world: World,
  command: Extract<AlertCommand, { do: 'newOrderWebhook' }>,
): SentAlert {
  const strategy = requireExisting(strategyAt(world, command.strategy));
  const given = {
    strategyId: strategy.id,
    stock: stockAt(world, command.stock, strategy.type).id,
    action: command.action,
    leverage: hundredths(command.leverage),
    pyramiding: command.pyramiding ?? undefined,
    alertId: typeof command.alertId === 'number' ? `alert-${command.alertId}` : undefined,
  };
  const by = command.by ?? nameOf(world, strategy.user_id);
  return { by, given, body: JSON.stringify(given) };
}

/** Sends alerts, whose answers may not arrive, and repeats sent ones. */
export async function performAlert(context: CommandContext, command: AlertCommand): Promise<void> {
  const { world, memory } = context;
  const { sent } = memory.inbox;
  if (command.do === 'sendAgain') {
    const again = requireExisting(
      sent[sent.length - 1 - (command.alert % Math.max(1, sent.length))],
    );
    return deliver(context, again, command.heard);
  }
  const alert = newAlert(world, command);
  sent.push(alert);
  return deliver(context, alert, command.heard ?? true);
}

/** The book before an alert. */
interface BookBefore {
  readonly held: Decimal;
  readonly version: number;
  /** Its matching with a quote failed: any command matches it first. */
  readonly isBehind: boolean;
  readonly value: Decimal | undefined;
}

const bookBefore = ({ world, memory }: Run, { strategyId, stock }: AlertInput): BookBefore => ({
  held: amountHeld(world, strategyId, stock),
  version: versionOf(world, strategyId),
  isBehind: memory.behind.has(strategyId),
  value: worth(world, strategyId, (stockId) => memory.knownQuotes.get(stockId)),
});

async function deliver(context: CommandContext, sent: SentAlert, heard: boolean): Promise<void> {
  const { world, memory, application } = context;
  const { inbox } = memory;
  const { by, given, body } = sent;
  const { strategyId } = given;
  const delivery = { id: world.ids.next<'alert_record'>() as string, body };
  const caller = await context.callerOf(by);
  const met = bookBefore(context, given);
  inbox.heardBefore.set(delivery.id, new Set(inbox.heard));
  let order;
  try {
    ({ order } = await application.operations.newOrderWebhook(caller, given, delivery));
  } catch (error) {
    const isRefusal = (error as Error).name === 'Refusal';
    if (!isRefusal) checkNoEffect(world, delivery.id);
    else if (alertRow(world, delivery.id)?.verdict !== 'refused')
      world.violate('W1', `the alert ${delivery.id} was refused, and its inbox does not say so`);
    throw error;
  }
  const row = alertRow(world, delivery.id);
  if (!row) return world.violate('W1', `the answered alert ${delivery.id} is not in the inbox`);
  if (strategyOwner(world, strategyId) !== userIdOf(world, by))
    world.violate('A1', `${by} sent an alert to ${strategyId}`);
  world.reach(`alert: ${row.verdict}`);
  checkStoredAnswer(context, row, JSON.stringify(order));
  if (row.verdict === 'duplicate') {
    const mayChange = world.interleaves || met.isBehind;
    if (!mayChange && versionOf(world, strategyId) !== met.version)
      world.violate('W1', `the repeat ${delivery.id} of an alert changed ${strategyId}`);
  } else if (order.size.by === 'amount') {
    const held = met.isBehind ? heldWithout(world, given, order.id) : met.held;
    checkOneStep(context, given, { ...met, held }, order.action, order.size.amount);
    const isKept = !order.size.amount.eq(ZERO);
    if (isKept)
      acknowledge(
        context,
        `order ${order.id} was accepted`,
        'SELECT id FROM orders WHERE id = ?',
        order.id,
      );
  }
  acknowledge(
    context,
    `alert ${delivery.id} was taken`,
    'SELECT id FROM alerts WHERE id = ?',
    delivery.id,
  );
  if (!heard) return;
  application.requests.alertAnswered(delivery.id);
  inbox.heard.add(row.repeats ?? delivery.id);
}

const strategyOwner = (world: World, strategyId: string): string | undefined =>
  world.database.rows<{ user_id: string }>('SELECT * FROM strategies WHERE id = ?', strategyId)[0]
    ?.user_id;

/** The holding without what the order filled: a book that was behind was matched just before the alert. */
function heldWithout(world: World, { strategyId, stock }: AlertInput, orderId: string): Decimal {
  const fills = world.database.rows<{ action: 'buy' | 'sell'; amount: string }>(
    'SELECT action, amount FROM trades WHERE order_id = ?',
    orderId,
  );
  return fills.reduce(
    (held, { action, amount }) =>
      action === 'buy' ? held.minus(decimal(amount)) : held.plus(decimal(amount)),
    amountHeld(world, strategyId, stock),
  );
}

const ROOM = decimal('1.55');

/** O10: an alert adds one step to the filled holding, whatever accepted alerts have not filled. */
function checkOneStep(
  { world, memory }: Run,
  { action, leverage, pyramiding, stock }: AlertInput,
  { held, value }: BookBefore,
  side: 'buy' | 'sell',
  amount: Decimal,
): void {
  const quote = memory.knownQuotes.get(stock);
  if (world.interleaves || !pyramiding || !value || !quote || side !== action) return;
  const isOpposite = side === 'buy' ? held.lt(ZERO) : held.gt(ZERO);
  const step = divide((leverage ?? ONE).times(value), decimal(String(pyramiding)));
  const most = divide(step.times(ROOM), quote.ask).plus(isOpposite ? held.abs() : ZERO);
  if (amount.gt(most))
    world.violate('O10', `an alert asks for ${amount.toFixed(8)} ${stock}, beyond one step`);
}
