import { decimal } from '@slipstream/domain';
import {
  type ChargeStanding,
  type Clock,
  type PaymentGateway,
  PaymentUnreachable,
} from '@slipstream/ports';

const DAY = 86_400_000;

/** What a request to the bank met: it was lost, its answer was lost, or it is refused. */
export type Trouble = 'lost_request' | 'lost_answer' | 'no';

/** What the bank has of a charge that was paid; amounts in cents. */
export interface BankCharge {
  readonly ref: string;
  readonly key: string;
  readonly cents: number;
  readonly at: number;
  refunded: number;
  dispute: 'none' | 'open' | 'won' | 'lost';
  disputed: number;
}

/** A request of the service to charge a card, and what it heard. */
export interface ChargeCall {
  readonly kind: 'charge';
  readonly at: number;
  readonly key: string;
  readonly card: string;
  readonly product: string;
  readonly cents: number;
  readonly isLookup: boolean;
  readonly heard: 'paid' | 'declined' | 'not_made' | 'nothing';
  readonly charge: BankCharge | undefined;
}

/** A request to move money out; `cents` of a refund is the total of all of the charge. */
export interface OutCall {
  readonly kind: 'refund' | 'payOut';
  readonly at: number;
  readonly to: string;
  readonly cents: number;
  readonly heard: 'done' | 'refused' | 'not_made' | 'nothing';
}

/** The service heard how a charge stands. */
export interface SeenCall {
  readonly kind: 'seen';
  readonly at: number;
  readonly charge: BankCharge;
  readonly isTaken: boolean;
  /** What the banks had taken, and what was given back. */
  readonly taken: number;
  readonly refunded: number;
}

const centsOf = (amount: { toFixed(places: number): string }): number =>
  Math.round(Number(amount.toFixed(2)) * 100);
const usd = (cents: number) => decimal((cents / 100).toFixed(2));

/** What the payers' banks have taken back of a charge. */
export const takenOf = ({ dispute, disputed, cents, refunded }: BankCharge): number =>
  dispute === 'open' || dispute === 'lost' ? Math.min(disputed, cents - refunded) : 0;

/** A bank that keeps what was really charged, given back and paid out. A card is what newPaymentSource gets as its token. */
export function openBank(clock: Clock) {
  const charges = new Map<string, BankCharge>();
  const payOuts = new Map<string, number>();
  /** Each key has one answer for ever. */
  const declined = new Set<string>();
  const failing = new Set<string>();
  const troubles: Trouble[] = [];
  const log: (ChargeCall | OutCall | SeenCall)[] = [];
  const state = { isDown: false, isClosed: false };

  /** Says what a request meets, and whether its answer arrives. */
  const meet = (): Trouble | undefined => (state.isDown ? 'lost_request' : troubles.shift());
  const gone = (): never => {
    throw new PaymentUnreachable('no answer');
  };

  const gateway: PaymentGateway = {
    name: 'stripe',
    money: 'test',
    productId: (strategyId) => `product-${strategyId}`,
    link: async ({ token, direction }) => ({
      kind: 'linked',
      ref: token,
      type: direction === 'in' ? 'card' : 'bank_account',
      description: `${token} for ${direction}`,
    }),
    confirmation: async () => ({ kind: 'waiting' }),
    unlink: async () => undefined,
    async charge({ key, amount, sourceRef: card, product, isLookup }) {
      const cents = centsOf(amount);
      const trouble = meet();
      const call = { at: clock.now(), key, card, product: product.id, cents, isLookup };
      const told = (heard: ChargeCall['heard'], charge?: BankCharge) =>
        void log.push({ kind: 'charge', ...call, heard, charge });
      if (trouble === 'lost_request') {
        told('nothing');
        return gone();
      }
      let charge = charges.get(key);
      if (!charge && !declined.has(key) && isLookup) {
        told('not_made');
        return { kind: 'not_made' };
      }
      if (!charge && (declined.has(key) || trouble === 'no' || failing.has(card))) {
        declined.add(key);
        told(trouble === 'lost_answer' ? 'nothing' : 'declined');
        if (trouble === 'lost_answer') return gone();
        return { kind: 'declined', reason: 'card_declined' };
      }
      charge ??= {
        ...{ ref: `charge-${key}`, key, cents, at: clock.now() },
        ...{ refunded: 0, dispute: 'none', disputed: 0 },
      };
      charges.set(key, charge);
      told(trouble === 'lost_answer' ? 'nothing' : 'paid', charge);
      if (trouble === 'lost_answer') return gone();
      return { kind: 'paid', ref: charge.ref, checkAgainAt: clock.now() + DAY };
    },
    async refund({ chargeRef, amount }) {
      const cents = centsOf(amount);
      const trouble = meet();
      const told = (heard: OutCall['heard']) =>
        void log.push({ kind: 'refund', at: clock.now(), to: chargeRef, cents, heard });
      const charge = [...charges.values()].find(({ ref }) => ref === chargeRef);
      if (!charge) throw new Error(`no charge ${chargeRef}`);
      if (trouble === 'lost_request') {
        told('nothing');
        return gone();
      }
      const isRefused = charge.dispute === 'open' || cents + takenOf(charge) > charge.cents;
      if (trouble === 'no' || isRefused) {
        told('refused');
        return { kind: 'refused', reason: 'charge_disputed' };
      }
      charge.refunded = Math.max(charge.refunded, cents);
      told(trouble === 'lost_answer' ? 'nothing' : 'done');
      return trouble === 'lost_answer' ? gone() : { kind: 'done' };
    },
    async standing(chargeRef) {
      const charge = [...charges.values()].find(({ ref }) => ref === chargeRef);
      if (!charge) throw new Error(`no charge ${chargeRef}`);
      if (meet() !== undefined) return gone();
      const { dispute } = charge;
      const isTaken = dispute === 'open' || dispute === 'lost';
      const stands: ChargeStanding = {
        refunded: usd(charge.refunded),
        checkAgainAt: clock.now() + DAY,
        ...(isTaken
          ? { kind: 'charged_back', disputed: usd(charge.disputed), isLost: dispute === 'lost' }
          : { kind: 'paid' }),
      };
      const [at, taken] = [clock.now(), takenOf(charge)];
      log.push({ kind: 'seen', at, charge, isTaken, taken, refunded: charge.refunded });
      return stands;
    },
    async payOut({ key, amount, isLookup }) {
      const cents = centsOf(amount);
      const trouble = meet();
      const told = (heard: OutCall['heard']) =>
        void log.push({ kind: 'payOut', at: clock.now(), to: key, cents, heard });
      if (trouble === 'lost_request') {
        told('nothing');
        return gone();
      }
      if (!payOuts.has(key) && isLookup) {
        told(trouble === 'lost_answer' ? 'nothing' : 'not_made');
        return trouble === 'lost_answer' ? gone() : { kind: 'not_made' };
      }
      if (!payOuts.has(key) && (trouble === 'no' || state.isClosed)) {
        told('refused');
        return { kind: 'refused', reason: 'account_closed' };
      }
      payOuts.set(key, cents);
      told(trouble === 'lost_answer' ? 'nothing' : 'done');
      return trouble === 'lost_answer' ? gone() : { kind: 'done' };
    },
    readNotice: async (chargeRef) => ({ kind: 'charge_changed', chargeRef }),
  };
  return { gateway, charges, payOuts, failing, troubles, log, state };
}
export type Bank = ReturnType<typeof openBank>;
