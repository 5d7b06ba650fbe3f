import { type PaymentDirection, DAY } from '@slipstream/domain';

/** The behaviour of a payment source of this gateway. */
export interface TestSource {
  readonly direction: PaymentDirection;
  readonly type: string;
  readonly description: string;
  /** The result of a charge, by the number of earlier charges of its invoice; a payout is always `paid`. */
  readonly answer: (triesBefore: number) => 'paid' | 'declined';
  /** The delay after a charge until its chargeback, and until the dispute is won; null if that never happens. */
  readonly chargedBackAfter: number | null;
  readonly wonAfter: number | null;
  /** Whether only half of the amount is charged back. */
  readonly chargesHalfBack: boolean;
  /** The owner must confirm the card; this happens a minute later. */
  readonly toConfirm: boolean;
}

/** The delay of the chargebacks of test_card_chargeback, counted from the charge. */
export const CHARGED_BACK_AFTER = 10 * DAY;
/** The delay of a confirmation. */
export const CONFIRMED_AFTER = 60_000;

const card = (last4: string, rest: Partial<TestSource> = {}): TestSource => ({
  direction: 'in',
  type: 'card',
  description: `Test card ending in ${last4}`,
  answer: () => 'paid',
  chargedBackAfter: null,
  wonAfter: null,
  chargesHalfBack: false,
  toConfirm: false,
  ...rest,
});

/** Every token that newPaymentSource accepts while payments are simulated. */
export const TEST_SOURCES = {
  test_card_paid: card('4242'),
  test_card_declined: card('0002', { answer: () => 'declined' }),
  test_card_retried: card('0341', { answer: (before) => (before === 0 ? 'declined' : 'paid') }),
  test_card_chargeback: card('0259', { chargedBackAfter: CHARGED_BACK_AFTER }),
  test_card_chargeback_late: card('0260', { chargedBackAfter: 60 * DAY }),
  test_card_dispute_won: card('0261', {
    chargedBackAfter: CHARGED_BACK_AFTER,
    wonAfter: 30 * DAY,
  }),
  test_card_chargeback_half: card('0262', {
    chargedBackAfter: CHARGED_BACK_AFTER,
    chargesHalfBack: true,
  }),
  test_card_confirm: card('3184', { toConfirm: true }),
  test_bank: {
    ...card(''),
    direction: 'out',
    type: 'bank_account',
    description: 'Test bank account ending in 6789',
  },
} as const satisfies Record<string, TestSource>;
export type TestToken = keyof typeof TEST_SOURCES;

const PREFIX = 'simulated:';

/** The stored reference of a source: its token, and the time of linking where that matters. */
export const refOf = (token: TestToken, linkedAt?: number): string =>
  `${PREFIX}${token}${linkedAt === undefined ? '' : `@${linkedAt}`}`;

export const isToken = (text: string): text is TestToken => Object.hasOwn(TEST_SOURCES, text);

/** The token of a ref, or the token itself; undefined if it is unknown. */
export function tokenOf(text: string): TestToken | undefined {
  const plain = text.startsWith(PREFIX) ? text.slice(PREFIX.length) : text;
  const token = plain.split('@')[0] ?? '';
  return isToken(token) ? token : undefined;
}

/** The source of a ref or of a token; undefined if it is unknown. */
export function testSource(text: string): TestSource | undefined {
  const token = tokenOf(text);
  return token && TEST_SOURCES[token];
}

/** The time at which a source that needs confirmation was linked. */
export const linkedAtOf = (ref: string): number => Number(ref.split('@')[1] ?? 0);
