import { CHARGED_BACK_AFTER } from './test-cards.js';

const CHARGE = 'simulated-charge:';
const DISPUTED = 'simulated-disputed-charge:';

/** The data in a charge's reference: its key, and for a disputed charge the times of the chargeback and of the won dispute. */
export interface SimulatedCharge {
  readonly key: string;
  readonly chargedBackAt: number | null;
  readonly wonAt: number | null;
}

export const writeCharge = ({ key, chargedBackAt, wonAt }: SimulatedCharge): string =>
  chargedBackAt === null ? `${CHARGE}${key}` : `${DISPUTED}${key}@@${chargedBackAt}@${wonAt ?? ''}`;

/** A reference with only the time of the charge is from a release with one kind of dispute. */
export function readCharge(ref: string): SimulatedCharge {
  if (!ref.startsWith(DISPUTED)) {
    return { key: ref.slice(CHARGE.length), chargedBackAt: null, wonAt: null };
  }
  const [key = '', base = '', at, won] = ref.slice(DISPUTED.length).split('@');
  return {
    key,
    chargedBackAt: at === undefined ? Number(base) + CHARGED_BACK_AFTER : Number(at),
    wonAt: won === undefined || won === '' ? null : Number(won),
  };
}
