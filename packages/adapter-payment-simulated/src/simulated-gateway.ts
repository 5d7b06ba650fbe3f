import { type Decimal, ZERO, sum } from '@slipstream/domain';
import {
  type ChargeAnswer,
  type Clock,
  type DoneAnswer,
  type PaymentGateway,
  PaymentSourceRefused,
} from '@slipstream/ports';
import { type GatewayFaults, meet } from './faults.js';
import { TEST_SOURCES, isToken, refOf, testSource } from './test-cards.js';

/** When a charge of the card that is charged back is, counted from the charge. */
export const CHARGED_BACK_AFTER = 10 * 86_400_000;
const CHARGE = 'simulated-charge:';
const DISPUTED = 'simulated-disputed-charge:';

export interface SimulatedGatewayDeps {
  readonly clock: Clock;
  readonly faults?: GatewayFaults | undefined;
}

/** What would have moved, by key; lost with the process, since it moved nothing. */
export interface SimulatedMoney {
  /** USD. */
  readonly charged: Decimal;
  readonly chargedBack: Decimal;
  readonly refunded: Decimal;
  readonly paidOut: Decimal;
}

export interface SimulatedGateway extends PaymentGateway {
  readonly money: () => SimulatedMoney;
}

/**
 * A gateway that moves no money. What it answers follows from the test source and the request alone, so that it needs no
 * memory, not even over a restart; only the moment of a chargeback counts from the answer.
 */
export function simulatedGateway({ clock, faults }: SimulatedGatewayDeps): SimulatedGateway {
  const moved = {
    charged: new Map<string, Decimal>(),
    chargedBack: new Map<string, Decimal>(),
    refunded: new Map<string, Decimal>(),
    paidOut: new Map<string, Decimal>(),
  };
  const done = (into: Map<string, Decimal>, key: string, amount: Decimal): DoneAnswer => {
    into.set(key, amount);
    return { kind: 'done' };
  };
  const chargeOf = (chargeRef: string): string =>
    chargeRef.slice((chargeRef.startsWith(DISPUTED) ? DISPUTED : CHARGE).length);
  /** A disputed charge says in its name when it was made: the key, then the moment. */
  const disputedAt = (chargeRef: string): number | null => {
    if (!chargeRef.startsWith(DISPUTED)) return null;
    return Number(chargeRef.slice(chargeRef.lastIndexOf('@') + 1)) + CHARGED_BACK_AFTER;
  };
  const keyOf = (chargeRef: string): string => chargeOf(chargeRef).split('@')[0] ?? '';

  return {
    name: 'simulated',
    productId: (strategyId) => `product-${strategyId}`,

    link: ({ token, direction }) =>
      meet(faults, 'link', () => {
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
        const { type, description } = source;
        return { ref: refOf(token), type, description };
      }),

    unlink: async () => undefined,

    charge: ({ key, amount, sourceRef, triesBefore }) =>
      meet(faults, 'charge', (): ChargeAnswer => {
        const source = testSource(sourceRef);
        if (source?.answer(triesBefore) !== 'paid') {
          return { kind: 'declined', reason: 'the card was declined' };
        }
        moved.charged.set(key, amount);
        if (!source.chargedBackLater) {
          return { kind: 'paid', ref: `${CHARGE}${key}`, lookAgainAt: null };
        }
        const now = clock.now();
        const ref = `${DISPUTED}${key}@${now}`;
        return { kind: 'paid', ref, lookAgainAt: now + CHARGED_BACK_AFTER };
      }),

    refund: ({ key, amount }) => meet(faults, 'refund', () => done(moved.refunded, key, amount)),

    standing: async (chargeRef) => {
      const at = disputedAt(chargeRef);
      if (at === null) return { kind: 'paid', lookAgainAt: null };
      if (at > clock.now()) return { kind: 'paid', lookAgainAt: at };
      const key = keyOf(chargeRef);
      moved.chargedBack.set(key, moved.charged.get(key) ?? ZERO);
      return { kind: 'charged_back' };
    },

    payOut: ({ key, amount }) => meet(faults, 'payOut', () => done(moved.paidOut, key, amount)),

    money: () => ({
      charged: sum(moved.charged.values()),
      chargedBack: sum(moved.chargedBack.values()),
      refunded: sum(moved.refunded.values()),
      paidOut: sum(moved.paidOut.values()),
    }),
  };
}
