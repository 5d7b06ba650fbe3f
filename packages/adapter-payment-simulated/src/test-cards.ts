import { type PaymentDirection, DAY } from '@slipstream/domain';

/** How a payment source of this gateway behaves. */
export interface TestSource {
  readonly direction: PaymentDirection;
  readonly type: string;
  readonly description: string;
  /** What becomes of a charge, by how many there were of the invoice before; of what goes out always `paid`. */
  readonly answer: (triesBefore: number) => 'paid' | 'declined';
  /** How long after a charge the bank takes it back, and gives it back again when the dispute is won; null when never. */
  readonly chargedBackAfter: number | null;
  readonly wonAfter: number | null;
  /** Its owner confirms it first: a minute later they have. */
  readonly toConfirm: boolean;
}

/** When the charges of test_card_chargeback are charged back, counted from the charge. */
export const CHARGED_BACK_AFTER = 10 * DAY;
/** When a card that is to be confirmed has been. */
export const CONFIRMED_AFTER = 60_000;

const card = (last4: string, rest: Partial<TestSource> = {}): TestSource => ({
  direction: 'in',
  type: 'card',
  description: `Test card ending in ${last4}`,
  answer: () => 'paid',
  chargedBackAfter: null,
  wonAfter: null,
  toConfirm: false,
  ...rest,
});

/** Every token that newPaymentSource takes while payments are simulated. */
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

/** What the core keeps of a source: the token says everything, and when it was linked where that matters. */
export const refOf = (token: TestToken, linkedAt?: number): string =>
  `${PREFIX}${token}${linkedAt === undefined ? '' : `@${linkedAt}`}`;

export const isToken = (text: string): text is TestToken => Object.hasOwn(TEST_SOURCES, text);

/** The token of a ref, or the token itself; undefined when there is none such. */
export function tokenOf(text: string): TestToken | undefined {
  const plain = text.startsWith(PREFIX) ? text.slice(PREFIX.length) : text;
  const token = plain.split('@')[0] ?? '';
  return isToken(token) ? token : undefined;
}

/** The source of a ref, or of a token; undefined when there is none. */
export function testSource(text: string): TestSource | undefined {
  const token = tokenOf(text);
  return token && TEST_SOURCES[token];
}

/** When a source that is to be confirmed was linked. */
export const linkedAtOf = (ref: string): number => Number(ref.split('@')[1] ?? 0);
