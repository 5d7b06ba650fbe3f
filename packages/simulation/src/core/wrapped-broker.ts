import type { StockAction } from '@slipstream/domain';
import { type Broker, type BrokerOrder, BrokerUnreachable } from '@slipstream/ports';
import { checkIntent, checkJoined, checkLimits } from '../invariants/mirroring/bots.js';
import { checkNotOvertaken } from '../invariants/mirroring/following.js';
import { checkNotHalted } from '../invariants/mirroring/halts.js';
import { type Life, never } from '../run/life.js';
import { type Run, crash } from '../run/run.js';
import type { SimulatedSide } from '../world/simulated-side.js';
import type { World } from '../world/world.js';

const METHODS = ['link', 'account', 'activities', 'rules', 'place', 'find', 'cancel'] as const;

/** The broker as the core reaches it: over a network, from a process that may crash at every call. */
export function wrappedBroker(run: Run, life: Life, { broker }: SimulatedSide): Broker {
  const { world } = run;

  const through = async (method: string, call: () => Promise<unknown>): Promise<unknown> => {
    if (!life.alive) return never();
    await world.schedule.turn();
    if (!life.alive) return never();
    const fault = world.faults.broker(method);
    if (fault) {
      world.note(`broker ${method}: ${fault}`);
      world.reach(`fault: broker ${fault}${method === 'place' ? ' of an order' : ''}`);
    }
    if (fault === 'crash_before') {
      crash(run, `before ${method}`);
      return never();
    }
    if (fault === 'late' && method === 'place') {
      world.late.push(call);
      throw new BrokerUnreachable('no answer in time');
    }
    world.brokerFault = fault;
    let answer: unknown;
    let failure: unknown;
    try {
      answer = await call();
    } catch (error) {
      failure = error;
    }
    if (!life.alive) return never();
    if (fault === 'crash_after') {
      crash(run, `after ${method}`);
      return never();
    }
    await world.schedule.turn();
    if (!life.alive) return never();
    world.reach(`broker: ${method}`);
    reachManners(world, method, answer);
    if (failure !== undefined) throw failure as Error;
    return answer;
  };

  const methods = Object.fromEntries(
    METHODS.map((method) => [
      method,
      (...given: unknown[]) => {
        // Here the core sends it; below it arrives at the broker, perhaps later.
        if (method === 'place' && life.alive)
          checkNotHalted(run, given[1] as { clientOrderId: string });
        if (method === 'place' && life.alive) {
          checkLimits(world, given[1] as { clientOrderId: string });
          checkJoined(run, given[1] as { clientOrderId: string });
          checkNotOvertaken(run, given[1] as { clientOrderId: string });
        }
        return through(method, () => {
          if (method === 'place') checkIntent(world, given[1] as { clientOrderId: string });
          return (broker[method] as (...all: unknown[]) => Promise<unknown>)(...given);
        });
      },
    ]),
  );
  const adjust: NonNullable<Broker['adjust']> = (action) => adjusted(run, life, broker, action);
  return { ...broker, ...methods, adjust };
}

/** Counts in the coverage the states of open orders that the broker answers. */
function reachManners(world: World, method: string, answer: unknown): void {
  if (method === 'place' && (answer as BrokerOrder | undefined)?.status === 'open') {
    world.reach('broker: accepted first');
  }
  if (!(answer instanceof Map)) return;
  const found = [...(answer as ReadonlyMap<string, Partial<BrokerOrder>>).values()];
  if (found.some(({ cancelling }) => cancelling)) world.reach('broker: cancelling');
}

/** Applies a corporate action to the accounts; a crash or a fault can happen before or after it. */
async function adjusted(run: Run, life: Life, broker: Broker, action: StockAction): Promise<void> {
  const { world } = run;
  if (!life.alive) return never();
  await world.schedule.turn();
  if (!life.alive) return never();
  const fault = world.faults.broker('adjust');
  if (fault) world.note(`broker adjust: ${fault}`);
  if (fault === 'lost_request') throw new BrokerUnreachable('the accounts could not be written');
  if (fault === 'crash_before') crash(run, 'before adjust');
  if (!life.alive) return never();
  await broker.adjust?.(action);
  if (fault === 'crash_after') crash(run, 'after adjust');
  if (!life.alive) return never();
  if (fault === 'lost_answer') throw new BrokerUnreachable('the accounts were written, perhaps');
}
