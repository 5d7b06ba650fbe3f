import { type SimulatedGateway, simulatedGateway } from '@slipstream/adapter-payment-simulated';
import { decimal, max } from '@slipstream/domain';
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
  /** Charges of which something was refunded elsewhere that the service may not know. */
  readonly untold: ReadonlySet<string>;
  /** Whether anything was refunded elsewhere: an owner may owe it. */
  readonly isRefundedElsewhere: () => boolean;
  /** Refunds so much of what is left of the charge at that place among these, in percent. Its reference; undefined if there is none, or it is disputed. */
  refundElsewhere(
    among: ReadonlySet<string>,
    place: number,
    percent: number,
  ): Promise<string | undefined>;
  /** The service asked how that charge stands. */
  told(chargeRef: string): void;
}

const HUNDREDTH = decimal('0.01');

/** The simulated gateway with a memory: the answer to a key stays the same forever. */
export function paymentSide(clock: Clock): PaymentSide {
  const simulated: SimulatedGateway = simulatedGateway({ clock });
  const charges = new Map<string, KeptCharge>();
  const refunds = new Map<string, string>();
  const payOuts = new Map<string, string>();
  const untold = new Set<string>();
  let isRefundedElsewhere = false;
  const paid = (among: ReadonlySet<string>) =>
    [...charges.values()].filter(({ answer }) => answer.kind === 'paid' && among.has(answer.ref));
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
      // Earlier refunds count, also those that were made elsewhere.
      const amount = max(request.amount, decimal(refunds.get(request.key) ?? '0'));
      refunds.set(request.key, amount.toFixed());
      return simulated.refund({ ...request, amount });
    },
    readNotice: async (chargeRef) => ({ kind: 'charge_changed', chargeRef }),
    payOut(request) {
      if (!request.isLookup) payOuts.set(request.key, request.amount.toFixed());
      return simulated.payOut(request);
    },
  };
  return {
    gateway,
    charges,
    refunds,
    payOuts,
    untold,
    isRefundedElsewhere: () => isRefundedElsewhere,
    async refundElsewhere(among, place, percent) {
      const all = paid(among);
      const charge = all[place % Math.max(1, all.length)];
      if (charge?.answer.kind !== 'paid') return undefined;
      const { ref } = charge.answer;
      if ((await simulated.standing(ref)).kind === 'charged_back') return undefined;
      isRefundedElsewhere = true;
      const key = `${charge.invoiceId}-refund`;
      const given = decimal(refunds.get(key) ?? '0');
      const share = decimal(charge.amount).minus(given).times(String(percent)).times(HUNDREDTH);
      const amount = given.plus(share).round(2);
      refunds.set(key, amount.toFixed());
      await simulated.refund({ key, amount, isAgain: false, chargeRef: ref });
      untold.add(ref);
      return ref;
    },
    told: (chargeRef) => void untold.delete(chargeRef),
  };
}
