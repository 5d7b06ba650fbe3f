import {
  type BrokerRequest,
  BrokerRateLimited,
  BrokerRefused,
  BrokerUnreachable,
} from '@slipstream/ports';

/**
 * `lost_request`: never arrives, no answer. `lost_answer`: done, no answer. `server_error`: not done, no usable answer.
 * `hang_before`, `hang_after`: as the lost ones, but the caller waits for ever (a process that was killed meanwhile).
 * `refused`: access was taken away. `duplicated`: arrives twice. `reject`: the order is rejected. `partial`: half of the
 * order fills now, the rest at the next look. `expire`: the account's open orders expire before the broker does what is asked.
 */
export type Fault =
  | 'lost_request'
  | 'lost_answer'
  | 'server_error'
  | 'hang_before'
  | 'hang_after'
  | 'refused'
  | 'duplicated'
  | 'reject'
  | 'partial'
  | 'expire'
  | { readonly rateLimited: number };

/** Says which fault the next call meets. */
export interface FaultScript {
  next(method: BrokerRequest): Fault | undefined;
}

/** Faults that a test orders, each for a call to come. */
export interface ScriptedFaults extends FaultScript {
  /** The next calls of `method` meet these, one each; `none` lets one pass. */
  on(method: BrokerRequest, ...faults: readonly (Fault | 'none')[]): void;
  /** Every call of every method meets this until it is called with undefined. */
  always(fault: Fault | undefined): void;
  /** Forgets every fault that is still to come. */
  clear(): void;
}

/** No faults until told. */
export function scriptedFaults(): ScriptedFaults {
  const queues = new Map<BrokerRequest, (Fault | 'none')[]>();
  let standing: Fault | undefined;
  return {
    next(method) {
      const fault = queues.get(method)?.shift() ?? standing;
      return fault === 'none' ? undefined : fault;
    },
    on(method, ...faults) {
      queues.set(method, [...(queues.get(method) ?? []), ...faults]);
    },
    always(fault) {
      standing = fault;
    },
    clear() {
      queues.clear();
      standing = undefined;
    },
  };
}

/** Does what was asked, under the fault that is due; `act` is told the faults that change what it does. */
export async function withFault<T>(
  faults: FaultScript | undefined,
  method: BrokerRequest,
  act: (fault?: Fault) => Promise<T>,
): Promise<T> {
  const fault = faults?.next(method);
  if (typeof fault === 'object') throw new BrokerRateLimited(fault.rateLimited);
  switch (fault) {
    case 'lost_request':
      throw new BrokerUnreachable('no answer in time');
    case 'server_error':
      throw new BrokerUnreachable('the broker answered 503');
    case 'refused':
      throw new BrokerRefused('access was refused');
    case 'hang_before':
      return new Promise<T>(() => undefined);
    case 'hang_after':
      await act();
      return new Promise<T>(() => undefined);
    case 'lost_answer':
      await act();
      throw new BrokerUnreachable('no answer in time');
    case 'duplicated':
      await act();
      return act();
    default:
      return act(fault);
  }
}
