import { CHARGED_BACK_AFTER } from './test-cards.js';

const CHARGE = 'simulated-charge:';
const DISPUTED = 'simulated-disputed-charge:';

/** What a charge says in its own name: the key, and of a disputed one when the bank takes it back, and gives it back. */
export interface SimulatedCharge {
  readonly key: string;
  readonly chargedBackAt: number | null;
  readonly wonAt: number | null;
}

export const writeCharge = ({ key, chargedBackAt, wonAt }: SimulatedCharge): string =>
  chargedBackAt === null ? `${CHARGE}${key}` : `${DISPUTED}${key}@@${chargedBackAt}@${wonAt ?? ''}`;

/** A name that says no more than when it was charged is of a release that knew one kind of dispute. */
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
