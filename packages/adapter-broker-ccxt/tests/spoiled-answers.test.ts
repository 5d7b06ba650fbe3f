import { describe, expect, it } from '@jest/globals';
import { ZERO, decimal } from '@slipstream/domain';
import {
  type Broker,
  type BrokerOrder,
  BrokerRateLimited,
  BrokerUnreachable,
} from '@slipstream/ports';
import { spoiledBodies } from '@slipstream/stand-ins';
import { LISTED, MINUTE, NAMES, type Name, aWorld, accessOf, coin, orderOf } from './fixture.js';

const request = orderOf(coin);
const ids = [request.clientOrderId];

/** What a bot asks, one after another. */
const CALLS: readonly (readonly [
  string,
  (broker: Broker, name: Name) => Promise<unknown> | undefined,
])[] = [
  ['place', (broker, name) => broker.place(accessOf(name), request)],
  ['find', (broker, name) => broker.find(accessOf(name), ids)],
  ['cancel', (broker, name) => broker.cancel(accessOf(name), request.clientOrderId)],
  ['activities', (broker, name) => broker.activities?.(accessOf(name), LISTED, 0)],
];

/** The calls before that one, then it with that answer spoiled; without a body, what the answers are. */
async function played(name: Name, call: number, answer = -1, body?: unknown) {
  const heard: string[] = [];
  let isListening = false;
  const world = aWorld(name, {
    filling: 'by_hand',
    around: (venue) => async (asked) => {
      const outcome = await venue(asked);
      if (!isListening || typeof outcome === 'string') return outcome;
      heard.push(outcome.body);
      return heard.length - 1 === answer ? { ...outcome, body: JSON.stringify(body) } : outcome;
    },
  });
  world.standIn.move(world.account, 'USD', decimal('10'));
  // Markets and rights are known: their lists are read once.
  await world.broker.rules(accessOf(name), [coin]);
  for (const [, earlier] of CALLS.slice(0, call)) {
    await earlier(world.broker, name);
    world.pass(MINUTE);
  }
  isListening = true;
  const told: unknown = await CALLS[call]
    ?.[1](world.broker, name)
    ?.catch((error: unknown) => error);
  isListening = false;
  return { ...world, told, heard };
}

const isPortError = (told: unknown): boolean =>
  told instanceof BrokerUnreachable || told instanceof BrokerRateLimited;

/** Whether figures can be those of an order. */
const isPossible = ({ amount, filledAmount, filledPrice }: BrokerOrder): boolean =>
  amount.gt(ZERO) &&
  filledAmount.gte(ZERO) &&
  (filledAmount.eq(ZERO) || (filledAmount.lte(amount) && filledPrice?.gt(ZERO) === true));

const ordersIn = (told: unknown): readonly BrokerOrder[] =>
  told instanceof Map
    ? [...(told as ReadonlyMap<string, BrokerOrder>).values()]
    : [told as BrokerOrder];

const CASES = NAMES.flatMap((name) => CALLS.map(([words], call) => [name, words, call] as const));

describe('an answer with any one field spoiled', () => {
  it.each(CASES)(
    'of %s to %s is a possible one, or none in words of the port, and no order is placed twice',
    async (name, words, call) => {
      const wrong: string[] = [];
      const { heard } = await played(name, call);
      for (const [answer, text] of heard.entries())
        for (const { field, body } of spoiledBodies(JSON.parse(text))) {
          const { told, broker, account, pass } = await played(name, call, answer, body);
          const isOfOrders = words === 'place' || words === 'find';
          const isRight =
            isPortError(told) ||
            (!(told instanceof Error) && !(isOfOrders && !ordersIn(told).every(isPossible)));
          if (!isRight) wrong.push(`${field}: ${String(told)}`);
          if (words !== 'place') continue;
          pass(MINUTE);
          await broker.place(accessOf(name), request);
          const placed = account.orders.filter(({ clientOrderId }) => clientOrderId !== null);
          if (placed.length !== 1) wrong.push(`${field}: ${placed.length} orders`);
        }
      expect(wrong).toEqual([]);
    },
  );
});
