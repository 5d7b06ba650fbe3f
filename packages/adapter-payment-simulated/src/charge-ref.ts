import { type Decimal, decimal } from '@slipstream/domain';
import { CHARGED_BACK_AFTER } from './test-cards.js';

const CHARGE = 'simulated-charge:';
const DISPUTED = 'simulated-disputed-charge:';

/**
 * The data in a charge's reference: its key, and for a disputed charge the times of the chargeback and of the won dispute, and in
 * USD how much is charged back; null for all that was not refunded.
 */
export interface SimulatedCharge {
  readonly key: string;
  readonly chargedBackAt: number | null;
  readonly wonAt: number | null;
  readonly part: Decimal | null;
}

export function writeCharge({ key, chargedBackAt, wonAt, part }: SimulatedCharge): string {
  if (chargedBackAt === null) return `${CHARGE}${key}`;
  const ref = `${DISPUTED}${key}@@${chargedBackAt}@${wonAt ?? ''}`;
  return part === null ? ref : `${ref}@${part.toFixed()}`;
}

/** A reference with only the time of the charge is from a release with one kind of dispute. */
export function readCharge(ref: string): SimulatedCharge {
  if (!ref.startsWith(DISPUTED)) {
    return { key: ref.slice(CHARGE.length), chargedBackAt: null, wonAt: null, part: null };
  }
  const [key = '', base = '', at, won, part] = ref.slice(DISPUTED.length).split('@');
  return {
    key,
    chargedBackAt: at === undefined ? Number(base) + CHARGED_BACK_AFTER : Number(at),
    wonAt: won === undefined || won === '' ? null : Number(won),
    part: part === undefined ? null : decimal(part),
  };
}
