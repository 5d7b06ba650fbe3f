import { type Decimal, ZERO, decimal, min, sum } from '@slipstream/domain';
import {
  type ChargeAnswer,
  type Clock,
  type DoneAnswer,
  type LinkAnswer,
  type PayOutAnswer,
  type PaymentGateway,
  PaymentSourceRefused,
  PaymentUnreachable,
} from '@slipstream/ports';
import { type GatewayFaults, withFault } from './faults.js';
import { readCharge, writeCharge } from './charge-ref.js';
import {
  CONFIRMED_AFTER,
  TEST_SOURCES,
  isToken,
  linkedAtOf,
  refOf,
  testSource,
  tokenOf,
} from './test-cards.js';

const HALF = decimal('0.5');

/**
 * What another gateway charged or linked is left to it: a refund that is only said to be made would be lost, a card that is only said
 * to be declined would end a subscription, and one that is only said to be removed would stay there.
 */
function requireOwn(ref: string): void {
  if (/^simulated[-:]/.test(ref) || isToken(ref)) return;
  throw new PaymentUnreachable(
    'payments are simulated here, and this one is of another gateway, whose settings are missing',
  );
}

export interface SimulatedGatewayDeps {
  readonly clock: Clock;
  readonly faults?: GatewayFaults | undefined;
}

/** The simulated amounts by key; lost with the process, because no money moved. */
export interface SimulatedMoney {
  /** USD. */
  readonly charged: Decimal;
  readonly chargedBack: Decimal;
  readonly refunded: Decimal;
  readonly paidOut: Decimal;
}

/** A payment gateway that also tells what it would have moved. */
export interface SimulatedGateway extends PaymentGateway {
  readonly moved: () => SimulatedMoney;
}

/**
 * A gateway that moves no money. Its answer depends only on the test source and the request, so it stores nothing and
 * survives restarts; only a lookup (`isLookup`) asks what this process charged. The delay of a chargeback counts from the answer.
 */
export function simulatedGateway({ clock, faults }: SimulatedGatewayDeps): SimulatedGateway {
  const moved = {
    charged: new Map<string, Decimal>(),
    chargedBack: new Map<string, Decimal>(),
    refunded: new Map<string, Decimal>(),
    paidOut: new Map<string, Decimal>(),
  };
  /** The total for each charge. */
  const givenBack = new Map<string, Decimal>();
  const done = (into: Map<string, Decimal>, key: string, amount: Decimal): DoneAnswer => {
    into.set(key, amount);
    return { kind: 'done' };
  };

  return {
    name: 'simulated',
    money: 'simulated',
    productId: (strategyId) => `product-${strategyId}`,

    link: ({ token, direction }) =>
      withFault(faults, 'link', (): LinkAnswer => {
        const source = testSource(token);
        if (!source || !isToken(token)) {
          const known = Object.keys(TEST_SOURCES).join(', ');
          throw new PaymentSourceRefused(
            `payments are simulated here: token must be one of ${known}`,
          );
        }
        if (source.direction !== direction) {
          throw new PaymentSourceRefused(`${token} is for direction ${source.direction}`);
        }
        const { type, description, toConfirm } = source;
        if (!toConfirm) return { kind: 'linked', ref: refOf(token), type, description };
        const nextAction = { url: null, clientSecret: null };
        return {
          kind: 'to_confirm',
          ref: refOf(token, clock.now()),
          type,
          description,
          nextAction,
        };
      }),

    confirmation: async (ref) => {
      requireOwn(ref);
      const [token, source] = [tokenOf(ref), testSource(ref)];
      if (!token || !source) return { kind: 'refused', reason: 'there is no such source' };
      if (linkedAtOf(ref) + CONFIRMED_AFTER > clock.now()) return { kind: 'waiting' };
      const { type, description } = source;
      return { kind: 'linked', ref: refOf(token), type, description };
    },

    unlink: async (ref) => requireOwn(ref),

    charge: ({ key, amount, sourceRef, attemptsBefore, isLookup }) =>
      withFault(faults, 'charge', (): ChargeAnswer => {
        requireOwn(sourceRef);
        if (isLookup && !moved.charged.has(key)) return { kind: 'not_made' };
        const source = testSource(sourceRef);
        const isUsable = source && !(source.toConfirm && linkedAtOf(sourceRef) > 0);
        if (!isUsable || source.answer(attemptsBefore) !== 'paid') {
          return { kind: 'declined', reason: 'card_declined' };
        }
        moved.charged.set(key, amount);
        const now = clock.now();
        const after = (wait: number | null) => (wait === null ? null : now + wait);
        const chargedBackAt = after(source.chargedBackAfter);
        const part = source.chargesHalfBack ? amount.times(HALF).round(2) : null;
        const ref = writeCharge({ key, chargedBackAt, wonAt: after(source.wonAfter), part });
        return { kind: 'paid', ref, checkAgainAt: chargedBackAt };
      }),

    refund: ({ key, amount, chargeRef }) =>
      withFault(faults, 'refund', () => {
        requireOwn(chargeRef);
        givenBack.set(chargeRef, amount);
        return done(moved.refunded, key, amount);
      }),

    standing: async (chargeRef) => {
      requireOwn(chargeRef);
      const { key, chargedBackAt, wonAt, part } = readCharge(chargeRef);
      const refunded = givenBack.get(chargeRef) ?? ZERO;
      const paid = { kind: 'paid', refunded, checkAgainAt: null } as const;
      const now = clock.now();
      if (chargedBackAt === null) return paid;
      if (chargedBackAt > now) return { ...paid, checkAgainAt: chargedBackAt };
      if (wonAt !== null && wonAt <= now) {
        moved.chargedBack.delete(key);
        return paid;
      }
      const left = (moved.charged.get(key) ?? ZERO).minus(refunded);
      moved.chargedBack.set(key, part ? min(part, left) : left);
      const disputed = part ? { disputed: part } : {};
      const isLost = wonAt === null;
      return { ...paid, kind: 'charged_back', ...disputed, isLost, checkAgainAt: wonAt };
    },

    payOut: ({ key, amount, isLookup }) =>
      withFault(faults, 'payOut', (): PayOutAnswer =>
        isLookup && !moved.paidOut.has(key)
          ? { kind: 'not_made' }
          : done(moved.paidOut, key, amount),
      ),

    moved: () => ({
      charged: sum(moved.charged.values()),
      chargedBack: sum(moved.chargedBack.values()),
      refunded: sum(moved.refunded.values()),
      paidOut: sum(moved.paidOut.values()),
    }),
  };
}
