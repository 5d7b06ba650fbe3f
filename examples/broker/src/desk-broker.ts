import { type Stock, type StockId, ZERO, decimal, id, sum } from '@slipstream/domain';
import {
  type Broker,
  type BrokerAccess,
  type BrokerOrder,
  BrokerRateLimited,
  BrokerRefused,
  BrokerUnreachable,
  type Instruments,
} from '@slipstream/ports';
import type { Ask, Question, Reply, Report, Statement } from './brokerage.js';

/** The brokerage's word for a stock: one ticker may be on several exchanges. */
const instrumentOf = ({ symbol, exchange }: Pick<Stock, 'symbol' | 'exchange'>): string =>
  `${symbol}.${exchange}`;

const STATES = {
  working: 'open',
  done: 'filled',
  cancelled: 'cancelled',
  rejected: 'rejected',
} as const satisfies Record<Report['state'], BrokerOrder['status']>;

/** The note of an order is our stock's id: whoever finds the order later is not told which stock was meant. */
const orderOf = (report: Report): BrokerOrder => ({
  clientOrderId: report.id,
  stockId: id<'stock'>(report.note),
  action: report.side,
  amount: decimal(report.quantity),
  status: STATES[report.state],
  filledAmount: decimal(report.filled),
  filledPrice: report.price === null ? null : decimal(report.price),
  reason: report.text,
});

/** Our id of what the account holds. What the service does not list must not be left out: the account would seem flat. */
function stockIdOf(instrument: string, instruments: Instruments): StockId {
  const stock = instruments.all().find((each) => instrumentOf(each) === instrument);
  return stock?.id ?? id<'stock'>(instrument);
}

/** A brokerage behind the port. It keeps nothing: every answer is the brokerage's of this moment. */
export function deskBroker(ask: Ask): Broker {
  /** The reply, when it is an answer; everything else is one of the three errors that bots know. */
  async function answerOf(key: unknown, question: Question): Promise<Reply> {
    let reply: Reply;
    try {
      reply = await ask(String(key), question);
    } catch (error) {
      throw new BrokerUnreachable('the desk did not answer', { cause: error });
    }
    if (reply.status === 401) throw new BrokerRefused('the desk knows no such key or account');
    if (reply.status === 429) throw new BrokerRateLimited((reply.retryAfter ?? 1) * 1000);
    if (reply.status !== 200 && reply.status !== 404)
      throw new BrokerUnreachable(`the desk answered ${reply.status}`);
    return reply;
  }

  const of = ({ credentials }: BrokerAccess, question: Question): Promise<Reply> =>
    answerOf(credentials['key'], question);

  return {
    name: 'desk',
    live: false,
    asksFor: [
      { name: 'key', description: 'The key of your desk.', required: true, example: 'desk-1234' },
    ],

    async link({ credentials: { key } }) {
      const { body } = await answerOf(key, { ask: 'open' });
      return { accountId: String(body), credentials: { key } };
    },

    async account(access, instruments) {
      const { body } = await of(access, { ask: 'statement', account: access.accountId });
      const { cash, holdings } = body as Statement;
      const positions = holdings
        .map(({ instrument, quantity, price }) => ({
          stockId: stockIdOf(instrument, instruments),
          amount: decimal(quantity),
          price: decimal(price),
          value: decimal(quantity).times(price),
        }))
        .filter(({ amount }) => !amount.eq(ZERO));
      const equity = decimal(cash).plus(sum(positions.map(({ value }) => value)));
      return { equity, cash: decimal(cash), maxGross: decimal('1'), positions };
    },

    async rules(access, stock) {
      const instrument = instrumentOf(stock);
      const { status, body } = await of(access, {
        ask: 'prices',
        account: access.accountId,
        instrument,
      });
      if (status === 404) return undefined;
      return {
        minTotal: ZERO,
        minAmount: decimal('1'),
        amountStep: decimal('1'),
        allowsShort: false,
        crossesZero: false,
        open: (body as { readonly isOpen: boolean }).isOpen,
      };
    },

    async place(access, { clientOrderId, stock, action, amount }) {
      const ticket = {
        id: clientOrderId,
        instrument: instrumentOf(stock),
        side: action,
        quantity: amount.toFixed(),
        note: stock.id,
      };
      const { body } = await of(access, { ask: 'place', account: access.accountId, ticket });
      return orderOf(body as Report);
    },

    async find(access, clientOrderId) {
      const question = { ask: 'report', account: access.accountId, id: clientOrderId } as const;
      const { status, body } = await of(access, question);
      return status === 404 ? undefined : orderOf(body as Report);
    },

    async cancel(access, clientOrderId) {
      await of(access, { ask: 'cancel', account: access.accountId, id: clientOrderId });
    },
  };
}
