import {
  type Happening,
  type InvoiceStatus,
  type OrderView,
  type StrategyId,
  type Subscription,
  ZERO,
  botTitle,
  decimalText,
  isoMinute,
  reasonOf,
  refundedOf,
  statusOf,
} from '@slipstream/domain';
import type { Stores } from '@slipstream/ports';
import { type Settings, servicePage } from '../settings.js';

type Needs = { readonly settings: Pick<Settings, 'publicUrl'> };

/** Messengers take no longer texts. */
const LONGEST = 1_500;
/** The first half of a character that a cut divided. */
const HALF_CHARACTER = /[\uD800-\uDBFF]$/;

/** The text, whose end says so when it was cut. */
const cut = (text: string): string =>
  text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1).replace(HALF_CHARACTER, '')}…`;

const ORDER_WORDS = {
  'order.filled': 'Filled',
  'order.rejected': 'Rejected',
  'order.cancelled': 'Cancelled',
} as const;
const BOT_WORDS = {
  'bot.started': 'was started',
  'bot.stopped': 'is off',
  'bot.breached': 'passed a limit of losses',
  'bot.error': 'is halted by an error',
} as const;

const INVOICE_WORDS = {
  pending: 'is pending',
  paid: 'is paid',
  failed: 'could not be charged',
  chargeback: 'was charged back',
} as const satisfies Record<InvoiceStatus, string>;

/** When an active subscription ends, or is charged again; nothing of one that does neither. */
function whatNext({ status, price, endsAt, renewsAt }: Subscription): string {
  if (status !== 'active') return '';
  if (endsAt !== null) return ` until ${isoMinute(endsAt)}`;
  return renewsAt === null ? '' : `, and ${price} USD are charged again on ${isoMinute(renewsAt)}`;
}

const withReason = (sentence: string, reason: string | null): string =>
  reason === null ? `${sentence}.` : `${sentence}: ${reason}`;

function orderSentence(word: string, { order, stock }: OrderView, strategy: string): string {
  const what = `${word}: ${order.action} ${stock.symbol}`;
  if (order.status === 'filled' && order.filledPrice)
    return `${what}, ${decimalText(order.filledAmount)} at ${decimalText(order.filledPrice)}, in ${strategy}.`;
  return withReason(`${what} in ${strategy}`, order.status === 'open' ? null : order.reason);
}

/** What happened in a sentence or two, and the path of the page that shows it. */
async function sentenceOf(
  happening: Happening,
  nameOf: (strategyId: StrategyId | null) => Promise<string>,
): Promise<{ readonly sentence: string; readonly path: string }> {
  switch (happening.name) {
    case 'order.filled':
    case 'order.rejected':
    case 'order.cancelled': {
      const { order } = happening;
      const { strategyId } = order.order;
      const sentence = orderSentence(ORDER_WORDS[happening.name], order, await nameOf(strategyId));
      return { sentence, path: `/strategies/${strategyId}` };
    }
    case 'alert.refused': {
      const { strategyId, reason } = happening.alert;
      const sentence = withReason(`An alert for ${await nameOf(strategyId)} was refused`, reason);
      return { sentence, path: '/inbox' };
    }
    case 'subscription.changed': {
      const { strategyId, status, statusReason } = happening.subscription;
      const sentence = `Your subscription to ${await nameOf(strategyId)} is ${status}${whatNext(happening.subscription)}`;
      return { sentence: withReason(sentence, statusReason), path: `/strategies/${strategyId}` };
    }
    case 'invoice.changed': {
      const { invoice } = happening;
      const what = `The invoice of ${invoice.amount.toFixed(2)} USD for ${await nameOf(invoice.strategyId)}`;
      const refunded = refundedOf(invoice);
      const back = refunded.gt(ZERO) ? `, and ${refunded.toFixed(2)} USD of it are refunded` : '';
      const sentence = `${what} ${INVOICE_WORDS[statusOf(invoice)]}${back}.`;
      return { sentence, path: '/account' };
    }
    case 'value.crossed': {
      const { value, before } = happening;
      const now = value.strategyValue ? decimalText(value.strategyValue) : 'unknown';
      const sentence = `The value of ${await nameOf(value.strategyId)} went from ${decimalText(before)} to ${now}.`;
      return { sentence, path: `/strategies/${value.strategyId}` };
    }
    default: {
      const { name, bot } = happening;
      const sentence = withReason(`Bot ${botTitle(bot)} ${BOT_WORDS[name]}`, reasonOf(bot));
      return { sentence, path: `/bots/${bot.id}` };
    }
  }
}

/**
 * The short text for messengers: what happened, and a link to the page that shows it. Without `isNamed` it calls the strategy by its id: who
 * is told may not know its present name.
 */
export async function textOf(
  needs: Needs,
  { strategies }: Pick<Stores, 'strategies'>,
  happening: Happening,
  isNamed = true,
): Promise<string> {
  const nameOf = async (strategyId: StrategyId | null): Promise<string> => {
    if (!isNamed && strategyId !== null) return strategyId;
    const strategy = strategyId && (await strategies.find(strategyId));
    return strategy ? strategy.name : 'no known strategy';
  };
  const { sentence, path } = await sentenceOf(happening, nameOf);
  return `${cut(sentence)}\n${servicePage(needs, path)}`;
}
