import { describe, expect, it } from '@jest/globals';
import { decimal } from '@slipstream/domain';
import { type Broker, type BrokerOrder, BrokerRateLimited } from '@slipstream/ports';
import { ownedBrokers } from '../../src/nodes/owned-brokers.js';

const order = { clientOrderId: 'one', amount: decimal('1') } as Parameters<Broker['place']>[1];
const access = {} as Parameters<Broker['place']>[0];

describe('the brokers of a node', () => {
  /** Brokers of hosts may be objects of classes with private parts. */
  class Counting {
    #placed: string[] = [];
    readonly name = 'counting';
    get placed(): readonly string[] {
      return this.#placed;
    }
    async place(_: unknown, { clientOrderId }: typeof order): Promise<BrokerOrder> {
      this.#placed.push(clientOrderId);
      return { status: 'open' } as BrokerOrder;
    }
    async cancel(): Promise<void> {
      this.#placed.push('cancelled');
    }
  }

  it('place an order only while no other node can own the database, and are asked for the rest of it', async () => {
    const counting = new Counting();
    let isOwner = true;
    const all = new Map([['counting', counting as unknown as Broker]]);
    const broker = ownedBrokers(all, () => isOwner).get('counting');
    expect(await broker?.place(access, order)).toEqual({ status: 'open' });
    isOwner = false;
    await expect(broker?.place(access, order)).rejects.toThrow(BrokerRateLimited);
    await broker?.cancel(access, 'one');
    expect(broker?.name).toBe('counting');
    expect(counting.placed).toEqual(['one', 'cancelled']);
  });
});
