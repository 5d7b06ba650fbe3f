import { describe, expect, it } from '@jest/globals';
import { type Decimal, ZERO, decimal, id } from '@slipstream/domain';
import { anAccess } from '@slipstream/port-contracts';
import {
  type Broker,
  type BrokerOrder,
  BrokerRateLimited,
  BrokerRefused,
  BrokerUnreachable,
} from '@slipstream/ports';
import { spoiledBodies } from '@slipstream/stand-ins';
import { PAPER, PAPER_KEY, aWorld, acme, instrumentsOf } from './fixture.js';

const LISTED = instrumentsOf([acme]);
const access = anAccess({ accountId: 'PA3TEST00001', credentials: PAPER_KEY });
const request = {
  clientOrderId: 'order-1'.padEnd(32, 'a'),
  stock: acme,
  action: 'buy',
  amount: decimal('10'),
  limit: decimal('102'),
  closes: false,
} as const;
const link = {
  userId: id<'user'>('user-1'),
  type: 'stock',
  accountId: undefined,
  credentials: PAPER_KEY,
} as const;
const ids = [request.clientOrderId];

/** What a bot asks, one after another. */
const CALLS: readonly (readonly [string, (broker: Broker) => Promise<unknown> | undefined])[] = [
  ['link', (broker) => broker.link(link)],
  ['place', (broker) => broker.place(access, request)],
  ['find', (broker) => broker.find(access, ids)],
  ['find of two', (broker) => broker.find(access, [...ids, 'never'])],
  ['cancel', (broker) => broker.cancel(access, request.clientOrderId)],
  ['activities', (broker) => broker.activities?.(access, LISTED, 0)],
];

/** The calls before that one, then it with that answer spoiled; without a body, what the answers are. */
async function played(call: number, answer = -1, body?: unknown) {
  const heard: string[] = [];
  let isListening = false;
  const world = aWorld({ filling: 'by_hand' }, PAPER, {}, (venue) => async (asked) => {
    const outcome = await venue(asked);
    if (!isListening || typeof outcome === 'string') return outcome;
    heard.push(outcome.body);
    return heard.length - 1 === answer ? { ...outcome, body: JSON.stringify(body) } : outcome;
  });
  world.standIn.tradeByHand(world.account, 'ACME', 'buy', decimal('2'));
  world.standIn.book(world.account, 'CSD', '10');
  // The list of assets is known: it is read once a day.
  await world.broker.rules(access, [acme]);
  for (const [, earlier] of CALLS.slice(0, call)) await earlier(world.broker);
  isListening = true;
  const told: unknown = await CALLS[call]?.[1](world.broker)?.catch((error: unknown) => error);
  isListening = false;
  return { ...world, told, heard };
}

const isPortError = (told: unknown): boolean =>
  told instanceof BrokerUnreachable ||
  told instanceof BrokerRefused ||
  told instanceof BrokerRateLimited;

/** Whether figures can be those of an order. */
function isPossible({ amount, filledAmount, filledPrice }: BrokerOrder): boolean {
  const isPriced = (price: Decimal | null): boolean => price?.gt(ZERO) === true;
  return (
    amount.gt(ZERO) &&
    filledAmount.gte(ZERO) &&
    (filledAmount.eq(ZERO) || (filledAmount.lte(amount) && isPriced(filledPrice)))
  );
}

const ordersIn = (told: unknown): readonly BrokerOrder[] =>
  told instanceof Map
    ? [...(told as ReadonlyMap<string, BrokerOrder>).values()]
    : [told as BrokerOrder];

it('a stock whose row in the list of the day cannot be read is asked for by its symbol', async () => {
  const { broker, standIn } = aWorld();
  const path = '/v2/assets';
  const answer = [{ symbol: 'ACME', id: 7 }];
  standIn.faults.add({ method: 'GET', path, kind: { answer } });
  expect((await broker.rules(access, [acme])).get(acme.id)).toMatchObject({ session: 'open' });
});

describe('an answer of Alpaca with any one field spoiled', () => {
  it.each(CALLS.map(([name], call) => [name, call] as const))(
    'to %s is a possible one, or none in words of the port, and no order is placed twice',
    async (name, call) => {
      const wrong: string[] = [];
      const { heard } = await played(call);
      for (const [answer, text] of heard.entries())
        for (const { field, body } of text === '' ? [] : spoiledBodies(JSON.parse(text))) {
          const { told, broker, account } = await played(call, answer, body);
          const isOfOrders = /place|find/.test(name);
          const isRight =
            isPortError(told) ||
            (!(told instanceof Error) && !(isOfOrders && !ordersIn(told).every(isPossible)));
          if (!isRight) wrong.push(`${field}: ${String(told)}`);
          if (name !== 'place') continue;
          await broker.place(access, request);
          const placed = account.orders.filter(({ clientOrderId }) => ids.includes(clientOrderId));
          if (placed.length !== 1) wrong.push(`${field}: ${placed.length} orders`);
        }
      expect(wrong).toEqual([]);
    },
  );
});
