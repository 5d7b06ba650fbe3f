import type { Application, Caller } from '@slipstream/application';
import { checkKeptAnswer, checkKeptRefusal, keptAnswer, stillKept } from '../invariants/keys.js';
import { KEYED, type KeyedRequest, type Route } from '../run/keyed-request.js';
import type { Run } from '../run/run.js';
import type { World } from '../world/world.js';

const isKeyed = (name: string | symbol): name is Route => KEYED.includes(name as Route);

/** The name under which the core stores the answer. */
const nameOfRequest = (world: World, { owner, route, key }: KeyedRequest): string =>
  world.secrets.fingerprints.of('idempotency', owner, route, key);

/** Sends a request, possibly again, and checks that it takes effect once and gets one answer. */
export async function send(
  run: Run,
  application: Application,
  request: KeyedRequest,
): Promise<unknown> {
  const { world, memory } = run;
  const { owner, route, key, body } = request;
  const name = nameOfRequest(world, request);
  const found = keptAnswer(world, name);
  const { commits } = world;
  memory.keys.sent.push({ name, route, found });
  let text: string;
  try {
    text = await application.requests.idempotently(
      { caller: owner, route, key, body },
      (operations) => request.perform(operations),
      (response: unknown) => JSON.stringify({ response }),
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
  checkKeptAnswer(run, { name, body, before }, text);
  if (before && !world.interleaves && world.commits !== commits)
    world.violate('I1', `the repeat of ${route} under ${key} changed something`);
  return (JSON.parse(text) as { readonly response?: unknown }).response;
}

/** An application that sends its operations under the key. Answers are JSON. */
export const withIdempotencyKey = (
  run: Run,
  application: Application,
  key: number,
): Application => ({
  ...application,
  operations: new Proxy(application.operations, {
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
        run.memory.keys.requests.push(request);
        return send(run, application, request);
      };
    },
  }),
});
