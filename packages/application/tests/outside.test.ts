import { expect, it } from '@jest/globals';
import { memoryPorts } from '@slipstream/adapter-memory/testing';
import type { Broker, BrokerAccess } from '@slipstream/ports';
import { Outside } from '../src/housekeeping/outside.js';

/** A broker of a host that does not answer: an object of a class with private parts. */
class SilentBroker implements Broker {
  #asked = 0;
  readonly name = 'silent';
  readonly live = false;
  readonly asksFor = [];
  readonly consent = {
    page: ({ state }: { readonly state: string }) => `https://silent.example/?state=${state}`,
    redeem: () => this.silence(),
  };
  get asked(): number {
    return this.#asked;
  }
  private silence(): Promise<never> {
    this.#asked += 1;
    return new Promise(() => undefined);
  }
  link = (): Promise<never> => this.silence();
  account = (): Promise<never> => this.silence();
  rules = (): Promise<never> => this.silence();
  place = (): Promise<never> => this.silence();
  find = (): Promise<never> => this.silence();
  cancel(): Promise<never> {
    return this.silence();
  }
}

const ACCESS: BrokerAccess = {
  ...{ accountId: '1', credentials: {}, type: 'stock' },
  renew: async () => undefined,
};
const CONSENT = { state: 'state', verifier: 'verifier', returnTo: 'https://slip.example/connect' };
const ENDED = { name: 'StorageUnavailable', message: 'the process ends' };

it('a process that ends leaves requests to a broker of a host, and sends no more', async () => {
  const silent = new SilentBroker();
  const outside = new Outside();
  const { brokers } = outside.through(memoryPorts({ brokers: new Map([['silent', silent]]) }));
  const broker = brokers.get('silent');
  expect(broker?.consent?.page(CONSENT)).toBe('https://silent.example/?state=state');
  const waiting = [broker?.cancel(ACCESS, 'order'), broker?.consent?.redeem('code', CONSENT)];
  outside.leave();
  for (const request of waiting) await expect(request).rejects.toMatchObject(ENDED);
  await expect(broker?.cancel(ACCESS, 'order')).rejects.toMatchObject(ENDED);
  expect(silent.asked).toBe(2);
});
