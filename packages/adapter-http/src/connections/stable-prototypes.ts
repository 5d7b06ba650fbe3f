import { IncomingMessage, type ServerOptions, ServerResponse } from 'node:http';
import type { Express } from 'express';

/**
 * Request and response classes that already have the members that express adds to each request and response. Express sets
 * their prototypes, which changes nothing here and would otherwise make V8 discard its knowledge of the objects
 * (expressjs/express#5998). `beforeHead` may still change the headers of any answer.
 */
export function stablePrototypes(
  app: Express,
  upgrades: (request: IncomingMessage) => boolean = () => true,
  beforeHead: (response: ServerResponse) => void = () => undefined,
): Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'> {
  class FastRequest extends IncomingMessage {}
  class FastResponse<Of extends IncomingMessage = IncomingMessage> extends ServerResponse<Of> {
    override writeHead(status: number, ...rest: never[]): this {
      beforeHead(this);
      return super.writeHead(status, ...rest);
    }
  }
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
 * Node hands every request with `Connection: Upgrade` to the upgrade listener, or none. Here a request's `upgrade` is true
 * only if it is accepted; any other upgrade is ignored and the request answered (RFC 9110, 7.8).
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

/** Copies the members of express' prototype and of the application's: reusing the object would be slower than no change. */
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
