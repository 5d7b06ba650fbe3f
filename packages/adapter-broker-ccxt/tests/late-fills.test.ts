import { describe, expect, it } from '@jest/globals';
import { decimal } from '@slipstream/domain';
import type { Broker, BrokerOrder } from '@slipstream/ports';
import { type Name, NAMES, aWorld, accessOf, coin, orderOf } from './fixture.js';

const { clientOrderId } = orderOf(coin);

async function toldOf(name: Name, broker: Broker): Promise<BrokerOrder | undefined> {
  return (await broker.find(accessOf(name), [clientOrderId])).get(clientOrderId);
}

const inWords = (order: BrokerOrder | undefined): readonly (string | null | undefined)[] => [
  order?.status,
  order?.filledAmount.toFixed(),
  order?.reason,
];

// coinbase-pro-node#285: an order that was done and settled told one of its two fills, and both some seconds later.
// ccxt#8816 and #6165: what is left of an order may be dust, of up to a few thousandths of it, for good.
describe.each(NAMES)(
  'an order that %s says is filled while it tells less than was ordered',
  (name) => {
    const title = name === 'kraken' ? 'Kraken' : 'Coinbase';
    const inDoubt = `${title} says that it is filled, but tells less than was ordered.`;

    it('is open until the rest is told', async () => {
      const { broker, standIn, pass } = aWorld(name);
      standIn.tellFillsAfter(20_000);
      await broker.place(accessOf(name), orderOf(coin));
      pass(1_000);
      expect(inWords(await toldOf(name, broker))).toEqual(['open', '0', inDoubt]);
      pass(20_000);
      expect(inWords(await toldOf(name, broker))).toEqual(['filled', '2', null]);
    });

    it('has ended with what it tells after half a minute: the rest is dust', async () => {
      const { broker, newBroker, standIn, pass } = aWorld(name);
      standIn.leaveDust(decimal('0.005'));
      await broker.place(accessOf(name), orderOf(coin));
      pass(1_000);
      expect(inWords(await toldOf(name, broker))).toEqual(['open', '1.995', inDoubt]);
      pass(29_000);
      expect((await toldOf(name, broker))?.status).toBe('open');
      // Another process has not seen it yet.
      const restarted = newBroker();
      pass(1_000);
      const ended = ['cancelled', '1.995', `${title} filled less than was ordered.`];
      expect(inWords(await toldOf(name, broker))).toEqual(ended);
      expect((await toldOf(name, restarted))?.status).toBe('open');
    });

    it('is filled at once when no more than a millionth is missing', async () => {
      const { broker, standIn, pass } = aWorld(name);
      standIn.leaveDust(decimal('0.000002'));
      await broker.place(accessOf(name), orderOf(coin));
      pass(1_000);
      expect(inWords(await toldOf(name, broker))).toEqual(['filled', '1.999998', null]);
    });

    it('is not asked to end: it has ended', async () => {
      const { broker, standIn, pass } = aWorld(name);
      standIn.tellFillsAfter(20_000);
      await broker.place(accessOf(name), orderOf(coin));
      pass(1_000);
      await broker.cancel(accessOf(name), clientOrderId);
      pass(20_000);
      expect((await toldOf(name, broker))?.status).toBe('filled');
    });
  },
);
