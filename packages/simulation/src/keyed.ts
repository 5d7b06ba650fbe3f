import type { Application, Caller, Operations } from '@slipstream/application';
import { checkKeptAnswer, checkKeptRefusal, keptAnswer, stillKept } from './invariants/keys.js';
import type { World } from './world.js';

/** What commands do by POST, the webhook apart: charting platforms send no keys. */
const KEYED = [
  'newStrategy',
  'updateStrategy',
  'deleteStrategy',
  'newOrder',
  'newOrderAllocations',
  'deleteOrder',
  'newStrategySubscription',
  'deleteStrategySubscription',
  'newBot',
  'startBot',
  'stopBot',
  'resetBot',
  'updateBot',
  'deleteBot',
  'newPaymentSource',
  'retryInvoice',
  'newWithdrawal',
  'deleteWithdrawal',
  'newStockAction',
  'updateStocks',
] as const satisfies readonly (keyof Operations)[];
type Route = (typeof KEYED)[number];

const isKeyed = (name: string | symbol): name is Route => KEYED.includes(name as Route);

/** A request under an Idempotency-Key, as its sender would send it again. */
export interface KeyedRequest {
  readonly route: Route;
  /** Whose key it is. */
  readonly owner: string;
  readonly key: string;
  readonly body: string;
  perform(operations: Operations): Promise<unknown>;
}

/** What the core keeps its answer under. */
export const nameOfRequest = (world: World, { owner, route, key }: KeyedRequest): string =>
  world.secrets.fingerprints.of('idempotency', owner, route, key);

/** Sends it, for the first time or again; checks that it is done once and answered the same. */
export async function send(
  world: World,
  application: Application,
  request: KeyedRequest,
): Promise<unknown> {
  const { owner, route, key, body } = request;
  const name = nameOfRequest(world, request);
  const found = keptAnswer(world, name);
  const { commits } = world;
  world.memory.keys.sent.push({ name, route, found });
  let text: string;
  try {
    text = await application.idempotently({ caller: owner, route, key, body }, async (operations) =>
      JSON.stringify({ response: await request.perform(operations) }),
    );
  } catch (error) {
    checkKeptRefusal(
      world,
      { name, body, before: stillKept(world, found) },
      error as Error & { readonly code?: string },
    );
    throw error;
  }
  const before = stillKept(world, found);
  checkKeptAnswer(world, { name, body, before }, text);
  if (before && !world.interleaves && world.commits !== commits)
    world.violate('I1', `the repeat of ${route} under ${key} changed something`);
  return (JSON.parse(text) as { readonly response?: unknown }).response;
}

/** The application whose operations are sent under the key. Answers come back as JSON. */
export const underKey = (world: World, application: Application, key: number): Application =>
  new Proxy(application, {
    get(target, route) {
      if (!isKeyed(route)) return Reflect.get(target, route) as unknown;
      return (caller: Caller, command: never) => {
        const request: KeyedRequest = {
          route,
          owner: caller.kind === 'user' ? `token ${caller.tokenId}` : caller.kind,
          key: `key-${key}`,
          body: JSON.stringify(command),
          perform: (operations) =>
            (operations[route] as (...all: unknown[]) => Promise<unknown>)(caller, command),
        };
        world.memory.keys.requests.push(request);
        return send(world, application, request);
      };
    },
  });
