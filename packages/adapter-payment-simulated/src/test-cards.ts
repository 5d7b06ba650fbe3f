import type { PaymentDirection } from '@slipstream/domain';

/** How a payment source of this gateway behaves. */
export interface TestSource {
  readonly direction: PaymentDirection;
  readonly type: string;
  readonly description: string;
  /** What becomes of a charge, by how many there were of the invoice before; of what goes out always `paid`. */
  readonly answer: (triesBefore: number) => 'paid' | 'declined';
  readonly chargedBackLater: boolean;
}

const card = (last4: string, rest: Partial<TestSource> = {}): TestSource => ({
  direction: 'in',
  type: 'card',
  description: `Test card ending in ${last4}`,
  answer: () => 'paid',
  chargedBackLater: false,
  ...rest,
});

/** Every token that newPaymentSource takes while payments are simulated. */
export const TEST_SOURCES = {
  test_card_paid: card('4242'),
  test_card_declined: card('0002', { answer: () => 'declined' }),
  test_card_retried: card('0341', { answer: (before) => (before === 0 ? 'declined' : 'paid') }),
  test_card_chargeback: card('0259', { chargedBackLater: true }),
  test_bank: {
    ...card(''),
    direction: 'out',
    type: 'bank_account',
    description: 'Test bank account ending in 6789',
  },
} as const satisfies Record<string, TestSource>;
export type TestToken = keyof typeof TEST_SOURCES;

const PREFIX = 'simulated:';

/** What the core keeps of a source: the token says everything. */
export const refOf = (token: TestToken): string => `${PREFIX}${token}`;

export const isToken = (text: string): text is TestToken => Object.hasOwn(TEST_SOURCES, text);

/** The source of a ref, or of a token; undefined when there is none. */
export function testSource(text: string): TestSource | undefined {
  const token = text.startsWith(PREFIX) ? text.slice(PREFIX.length) : text;
  return isToken(token) ? TEST_SOURCES[token] : undefined;
}
