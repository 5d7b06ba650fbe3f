import { IncomingMessage, type ServerOptions, ServerResponse } from 'node:http';
import type { Express } from 'express';

/**
 * Request and response classes that have what express gives to each request and response: it sets their prototypes, which
 * here changes nothing and otherwise makes V8 give up what it knows about the objects (expressjs/express#5998).
 */
export function stablePrototypes(
  app: Express,
  upgrades: (request: IncomingMessage) => boolean = () => true,
): Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'> {
  class FastRequest extends IncomingMessage {}
  class FastResponse<Of extends IncomingMessage = IncomingMessage> extends ServerResponse<Of> {}
  ignoreOtherUpgrades(FastRequest.prototype, upgrades);
  adopt(FastRequest.prototype, app.request, app);
  adopt(FastResponse.prototype, app.response, app);
  app.request = FastRequest.prototype as unknown as Express['request'];
  app.response = FastResponse.prototype as unknown as Express['response'];
  return { IncomingMessage: FastRequest, ServerResponse: FastResponse };
}

interface Upgradable extends IncomingMessage {
  asksForUpgrade: boolean | null;
}

/**
 * Node hands every request with `Connection: Upgrade` to the upgrade listener, or none. A request's `upgrade` is true only when
 * somebody takes it over; any other is ignored and the request answered (RFC 9110, 7.8).
 */
function ignoreOtherUpgrades(
  prototype: IncomingMessage,
  upgrades: (request: IncomingMessage) => boolean,
): void {
  Object.defineProperty(prototype, 'upgrade', {
    configurable: true,
    get(this: Upgradable) {
      return this.asksForUpgrade === true && (this.method === 'CONNECT' || upgrades(this));
    },
    set(this: Upgradable, asked: boolean | null) {
      this.asksForUpgrade = asked;
    },
  });
}

/** Copies what express' own prototype and the application's have: reusing the object would be slower than nothing. */
function adopt(prototype: object, ofApplication: object, app: Express): void {
  const ofExpress: unknown = Object.getPrototypeOf(ofApplication);
  if (typeof ofExpress !== 'object' || ofExpress === null) throw new Error('express has changed');
  Object.defineProperties(prototype, Object.getOwnPropertyDescriptors(ofExpress));
  Object.defineProperty(prototype, 'app', {
    value: app,
    configurable: true,
    enumerable: true,
    writable: true,
  });
}
