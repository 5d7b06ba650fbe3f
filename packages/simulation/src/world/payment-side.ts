import { type SimulatedGateway, simulatedGateway } from '@slipstream/adapter-payment-simulated';
import type { ChargeAnswer, ChargeRequest, Clock, PaymentGateway } from '@slipstream/ports';

/** A charge that the gateway was asked for, and what it answered. */
export interface KeptCharge {
  readonly key: string;
  readonly invoiceId: string;
  /** USD. */
  readonly amount: string;
  readonly answer: ChargeAnswer;
}

/** The payment gateway's own world: it goes on when the core's process ends. */
export interface PaymentSide {
  /** Without the faults of the network in between. */
  readonly gateway: PaymentGateway;
  /** By key. */
  readonly charges: ReadonlyMap<string, KeptCharge>;
  /** USD that were given back and paid out, by key. */
  readonly refunds: ReadonlyMap<string, string>;
  readonly payOuts: ReadonlyMap<string, string>;
}

/** The simulated gateway with a memory: what was asked for under a key is answered the same for ever. */
export function paymentSide(clock: Clock): PaymentSide {
  const simulated: SimulatedGateway = simulatedGateway({ clock });
  const charges = new Map<string, KeptCharge>();
  const refunds = new Map<string, string>();
  const payOuts = new Map<string, string>();
  const gateway: PaymentGateway = {
    ...simulated,
    async charge(request: ChargeRequest) {
      const { key, invoiceId, amount } = request;
      const known = charges.get(key);
      if (known) return known.answer;
      const answer = await simulated.charge(request);
      charges.set(key, { key, invoiceId, amount: amount.toFixed(), answer });
      return answer;
    },
    refund(request) {
      refunds.set(request.key, request.amount.toFixed());
      return simulated.refund(request);
    },
    payOut(request) {
      payOuts.set(request.key, request.amount.toFixed());
      return simulated.payOut(request);
    },
  };
  return { gateway, charges, refunds, payOuts };
}
