import { type SimulatedGateway, simulatedGateway } from '@slipstream/adapter-payment-simulated';
import type { ChargeAnswer, ChargeRequest, Clock, PaymentGateway } from '@slipstream/ports';

/** A requested charge and its answer. */
export interface KeptCharge {
  readonly key: string;
  readonly invoiceId: string;
  /** USD. */
  readonly amount: string;
  readonly answer: ChargeAnswer;
}

/** The payment gateway's own world, which continues when the core's process ends. */
export interface PaymentSide {
  /** Without network faults. */
  readonly gateway: PaymentGateway;
  /** By key. */
  readonly charges: ReadonlyMap<string, KeptCharge>;
  /** Refunds and payouts in USD, by key. */
  readonly refunds: ReadonlyMap<string, string>;
  readonly payOuts: ReadonlyMap<string, string>;
}

/** The simulated gateway with a memory: the answer to a key stays the same forever. */
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
      if (answer.kind === 'not_made') return answer;
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
