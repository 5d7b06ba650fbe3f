import type { BrokerFault, Fault, PaymentFault, StorageFault } from './story.js';

/** The faults of one step; each happens once, in the statement or call that it names. */
export interface FaultPlan {
  /** The fault of the next statement. */
  storage(sql: string): StorageFault | undefined;
  /** The fault of the next broker call. */
  broker(method: string): BrokerFault | undefined;
  /** The fault of the next call of the payment gateway. */
  payment(): PaymentFault | undefined;
  /** How many faults have happened. */
  met(): number;
}

export function faultPlan(faults: readonly Fault[]): FaultPlan {
  let statements = 0;
  let commits = 0;
  let calls = 0;
  let orders = 0;
  let payments = 0;
  let met = 0;
  const due = <Kind>(on: Fault['on'], at: number): Kind | undefined => {
    const fault = faults.find((one) => one.on === on && one.at === at);
    if (fault) met += 1;
    return fault?.kind as Kind | undefined;
  };
  return {
    storage(sql) {
      const fault = due<StorageFault>('storage', statements++);
      const ofCommit = sql === 'COMMIT' ? due<StorageFault>('commit', commits++) : undefined;
      return fault ?? ofCommit;
    },
    broker(method) {
      const fault = due<BrokerFault>('broker', calls++);
      const ofOrder = method === 'place' ? due<BrokerFault>('place', orders++) : undefined;
      return fault ?? ofOrder;
    },
    payment: () => due<PaymentFault>('payment', payments++),
    met: () => met,
  };
}
