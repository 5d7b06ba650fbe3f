import {
  type Stock,
  type StockId,
  type TradingRules,
  ZERO,
  decimal,
  id,
  sum,
} from '@slipstream/domain';
import {
  type Broker,
  type BrokerAccess,
  type BrokerOrder,
  BrokerRateLimited,
  BrokerRefused,
  BrokerUnreachable,
  type Instruments,
} from '@slipstream/ports';
import type { Ask, Question, Reply, Report } from './brokerage.js';
import { pricesOf, reportOf, reportsOf, statementOf } from './replies.js';

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
  cancelling: false,
  filledAmount: decimal(report.filled),
  filledPrice: report.price === null ? null : decimal(report.price),
  // It charges none.
  fee: ZERO,
  reason: report.text,
});

/** Our id of what the account holds. What the service does not list must not be left out: the account would seem flat. */
function stockIdOf(instrument: string, instruments: Instruments): StockId {
  const stock = instruments.all().find((each) => instrumentOf(each) === instrument);
  return stock?.id ?? id<'stock'>(instrument);
}

const RULES: Omit<TradingRules, 'session'> = {
  minTotal: ZERO,
  minAmount: decimal('1'),
  amountStep: decimal('1'),
  shortStep: decimal('1'),
  priceStep: decimal('0.01'),
  checkReserve: ZERO,
  allowsShort: false,
  crossesZero: false,
};

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

    async link({ accountId, credentials: { key } }) {
      const { body } =
        accountId === undefined ? await answerOf(key, { ask: 'open' }) : { body: accountId };
      const account = String(body);
      const { holdings } = statementOf((await answerOf(key, { ask: 'statement', account })).body);
      return {
        accountId: account,
        credentials: { key },
        label: `desk ${account}`,
        live: false,
        holdings: holdings.map(({ instrument, quantity }) => ({
          instrument,
          amount: decimal(quantity),
        })),
        warnings: ['The desk trades whole shares, without credit and shorts.'],
      };
    },

    async account(access, instruments) {
      const { body } = await of(access, { ask: 'statement', account: access.accountId });
      const { cash, holdings } = statementOf(body);
      const positions = holdings
        .map(({ instrument, quantity, price }) => ({
          stockId: stockIdOf(instrument, instruments),
          amount: decimal(quantity),
          price: decimal(price),
          value: decimal(quantity).times(price),
        }))
        .filter(({ amount }) => !amount.eq(ZERO));
      const equity = decimal(cash).plus(sum(positions.map(({ value }) => value)));
      return {
        equity,
        cash: decimal(cash),
        buyingPower: decimal(cash),
        maxGross: decimal('1'),
        positions,
        allows: 'all',
        because: null,
      };
    },

    async rules(access, stocks) {
      const instruments = stocks.map(instrumentOf);
      const { body } = await of(access, { ask: 'prices', account: access.accountId, instruments });
      const prices = pricesOf(body, instruments);
      return new Map(
        stocks.flatMap((stock): [StockId, TradingRules][] => {
          const session = prices[instrumentOf(stock)];
          return session && session !== 'unlisted' ? [[stock.id, { ...RULES, session }]] : [];
        }),
      );
    },

    async place(access, { clientOrderId, stock, action, amount, limit }) {
      // `closes` needs no word: the desk sells nothing that is not held.
      const ticket = {
        id: clientOrderId,
        instrument: instrumentOf(stock),
        side: action,
        quantity: amount.toFixed(),
        limit: limit?.toFixed() ?? null,
        note: stock.id,
      };
      const { body } = await of(access, { ask: 'place', account: access.accountId, ticket });
      return orderOf(reportOf(body));
    },

    async find(access, ids) {
      const { body } = await of(access, { ask: 'reports', account: access.accountId, ids });
      return new Map(reportsOf(body).map((report) => [report.id, orderOf(report)]));
    },

    async cancel(access, clientOrderId) {
      await of(access, { ask: 'cancel', account: access.accountId, id: clientOrderId });
    },
  };
}
