import type { Application } from '@slipstream/application';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Deliveries = Pick<Application['requests'], 'alertAnswered' | 'alertLost'>;

/** The last answered alert of each connection: the next request on it shows that the answer arrived. */
const lastAnswered = new WeakMap<Socket, string>();

/**
 * Tells the application whether the answer to an alert reached its sender: unless it did, the alert may be repeated
 * (contract 3, "Resends"). A completed write proves little: a sender that closed right after its request never reads it, and
 * a connection may break before the next request on it.
 */
export function tellDelivery(
  deliveries: Deliveries,
  { socket }: Pick<IncomingMessage, 'socket'>,
  response: ServerResponse,
  delivery: string,
): void {
  response.once('finish', () => {
    deliveries.alertAnswered(delivery);
    // By then an end has been read that existed when the answer was written.
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

/** The first turn may come before the sockets are polled, the second comes after. */
const afterNextPoll = (look: () => void): void => {
  setImmediate(() => setImmediate(look));
};
