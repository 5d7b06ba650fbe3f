import type { Application } from '@slipstream/application';
import type { Request, Response } from 'express';
import type { Socket } from 'node:net';

type Deliveries = Pick<Application['requests'], 'alertAnswered' | 'alertLost'>;

/** The alert that was answered last over each connection: the next request over it shows that the answer arrived. */
const lastAnswered = new WeakMap<Socket, string>();

/**
 * Tells the application whether the answer to an alert reached its sender: it may be repeated unless it did (contract 3,
 * "Resends"). Written to the end says little: a sender that hung up right after its request never reads it, and one whose
 * connection breaks before another request came over it may not have.
 */
export function tellDelivery(
  deliveries: Deliveries,
  { socket }: Request,
  response: Response,
  delivery: string,
): void {
  response.once('finish', () => {
    deliveries.alertAnswered(delivery);
    // By then the end has been read that was there when the answer was written.
    afterNextPoll(() => {
      if (socket.readableEnded) deliveries.alertLost(delivery);
    });
    if (!lastAnswered.has(socket)) {
      socket.once('close', (isBroken) => {
        const last = lastAnswered.get(socket);
        if (isBroken && last !== undefined) deliveries.alertLost(last);
      });
    }
    lastAnswered.set(socket, delivery);
  });
}

/** The first turn may come before the sockets are looked at, the second comes after. */
const afterNextPoll = (look: () => void): void => {
  setImmediate(() => setImmediate(look));
};
