import { describe, expect, it } from '@jest/globals';
import { wrongMoments } from '../moments.js';
import { DELIVERED, FAILED, world } from './receiver.js';

type World = Awaited<ReturnType<typeof world>>;
type Act = (made: World, endpointId: string) => Promise<unknown>;

/** Two messages are due at an endpoint; `act` happens at one moment of its turn, and the next run comes amid it. Nothing is on its way twice. */
const isSentOnceAtATime = (act: Act, isRefusedBefore: boolean) =>
  wrongMoments(async (moments) => {
    const made = await world((storage) => moments.watched(storage));
    const { app, ports, fills, receiver } = made;
    const { endpoint } = await made.endpoint();
    await fills(2);
    if (isRefusedBefore) {
      receiver.answer = () => FAILED;
      await app.sendEvents();
      ports.clock.advance(3_600_000);
    }
    const underWay = new Set<string>();
    let isTwice = false;
    receiver.answer = async ({ id }) => {
      isTwice ||= underWay.has(id);
      underWay.add(id);
      await moments.pass();
      // A receiver takes its time.
      for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
      underWay.delete(id);
      return isRefusedBefore ? FAILED : DELIVERED;
    };
    let nextRun: Promise<void> | undefined;
    const happens = async () => {
      await act(made, endpoint.id);
      // It waits for parts of the run before.
      nextRun = app.sendEvents();
    };
    await moments.amid(happens, () => app.sendEvents());
    await nextRun;
    return !isTwice;
  });

describe('at every moment of the turn of an endpoint', () => {
  const acts: [string, Act][] = [
    ['the next run', async () => undefined],
    ['a new event', ({ fills }) => fills(1)],
    [
      'updateEndpoint',
      async ({ app, ada }, endpointId) => {
        const url = 'https://example.com/other';
        await app.updateEndpoint(ada, { endpointId, url });
      },
    ],
    [
      'retryDelivery',
      async ({ app, ada }, endpointId) => {
        const [delivery] = await app.getDeliveries(ada, { endpointId });
        if (delivery) await app.retryDelivery(ada, { deliveryId: delivery.id });
      },
    ],
  ];

  it.each(acts)('%s sends nothing that is on its way', async (_, act) => {
    expect(await isSentOnceAtATime(act, false)).toEqual([]);
    expect(await isSentOnceAtATime(act, true)).toEqual([]);
  });
});
