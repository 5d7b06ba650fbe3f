import { type SimulatedGateway, simulatedGateway } from '@slipstream/adapter-payment-simulated';
import { DAY, type Decimal, ZERO, max, min } from '@slipstream/domain';
import {
  type ChargeAnswer,
  type Clock,
  type PaymentGateway,
  PaymentUnreachable,
} from '@slipstream/ports';

/** A paid charge in the gateway's records. */
export interface GatewayCharge {
  readonly ref: string;
  readonly invoiceId: string;
  readonly amount: Decimal;
  /** What its payer got back by refunds that did not fail. */
  given: Decimal;
  hasFailed: boolean;
  dispute: 'none' | 'open' | 'won' | 'lost';
  /** What its payer disputed. */
  disputed: Decimal;
}

/** What the bank has taken back of a charge. */
export const takenOf = ({ dispute, disputed, amount, given }: GatewayCharge): Decimal =>
  dispute === 'open' || dispute === 'lost' ? min(disputed, amount.minus(given)) : ZERO;

export type Fault = 'lost_request' | 'lost_answer';

/** A gateway at which others act too: its operator refunds, banks dispute, refunds come back, accounts are closed. */
export interface ActingGateway {
  readonly gateway: PaymentGateway;
  readonly charges: ReadonlyMap<string, GatewayCharge>;
  /** USD by withdrawal. */
  readonly paidOut: ReadonlyMap<string, Decimal>;
  /** The faults of the next calls of any kind, in order. */
  readonly faults: Fault[];
  /** Whether accounts for payouts are closed. */
  isClosed: boolean;
  /** Whether it has no money for payouts. */
  isEmpty: boolean;
}

/** As Stripe: a charge cannot be refunded while it is disputed, what the bank took never, and a key has one answer for ever. */
export function actingGateway(clock: Clock): ActingGateway {
  const simulated: SimulatedGateway = simulatedGateway({ clock });
  const answers = new Map<string, ChargeAnswer>();
  const charges = new Map<string, GatewayCharge>();
  const paidOut = new Map<string, Decimal>();
  const faults: Fault[] = [];
  /** Keys under which nothing is charged or paid out any more, whatever is still on its way. */
  const calledOff = new Set<string>();
  const callOff = (key: string) => {
    calledOff.add(key);
    return { kind: 'not_made' } as const;
  };
  const requireOpen = (key: string): void => {
    if (calledOff.has(key)) throw new PaymentUnreachable('it was called off');
  };

  const over = async <Answer>(work: () => Answer | Promise<Answer>): Promise<Answer> => {
    const fault = faults.shift();
    if (fault === 'lost_request') throw new PaymentUnreachable('the request was lost');
    const answer = await work();
    if (fault === 'lost_answer') throw new PaymentUnreachable('the answer was lost');
    return answer;
  };
  const chargeOf = (ref: string): GatewayCharge => {
    const charge = charges.get(ref);
    if (!charge) throw new Error(`there is no charge ${ref}`);
    return charge;
  };

  const side: ActingGateway = {
    charges,
    paidOut,
    faults,
    isClosed: false,
    isEmpty: false,
    gateway: {
      ...simulated,
      charge: (request) =>
        over(async () => {
          const known = answers.get(request.key);
          if (known) return known;
          if (request.isLookup) return callOff(request.key);
          requireOpen(request.key);
          const simple = await simulated.charge(request);
          const answer: ChargeAnswer =
            simple.kind === 'paid'
              ? { kind: 'paid', ref: `charge:${request.key}`, checkAgainAt: clock.now() + DAY }
              : simple;
          answers.set(request.key, answer);
          if (answer.kind === 'paid') {
            const { ref } = answer;
            const { invoiceId, amount } = request;
            const none = {
              given: ZERO,
              hasFailed: false,
              dispute: 'none',
              disputed: ZERO,
            } as const;
            charges.set(ref, { ref, invoiceId, amount, ...none });
          }
          return answer;
        }),
      refund: ({ chargeRef, amount }) =>
        over(() => {
          const charge = chargeOf(chargeRef);
          const taken = takenOf(charge);
          if (charge.dispute === 'open' || amount.plus(taken).gt(charge.amount))
            return { kind: 'refused', reason: 'charge_disputed' };
          charge.given = max(charge.given, amount);
          return { kind: 'done' };
        }),
      standing: (chargeRef) =>
        over(() => {
          const { dispute, disputed, given: refunded, hasFailed } = chargeOf(chargeRef);
          const checkAgainAt = clock.now() + DAY;
          const stands = { refunded, hasFailedRefund: hasFailed, checkAgainAt };
          return dispute === 'open' || dispute === 'lost'
            ? { kind: 'charged_back', disputed, isLost: dispute === 'lost', ...stands }
            : { kind: 'paid', ...stands };
        }),
      payOut: ({ key, amount, isAgain, isLookup }) =>
        over(() => {
          if (paidOut.has(key)) return { kind: 'done' };
          if (isLookup) return callOff(key);
          requireOpen(key);
          if (side.isEmpty && isAgain) throw new PaymentUnreachable('the balance is too small');
          if (side.isEmpty) return { kind: 'not_made' };
          if (side.isClosed) return { kind: 'refused', reason: 'account_closed' };
          paidOut.set(key, amount);
          return { kind: 'done' };
        }),
      readNotice: async (chargeRef) => ({ kind: 'charge_changed', chargeRef }),
    },
  };
  return side;
}
