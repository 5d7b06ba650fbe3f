import { describe, expect, it } from '@jest/globals';
import { beginAttempt, recordAttempt, retryNow, stopTrying } from './billing.js';
import {
  type Invoice,
  INVOICE_STATES,
  ImpossibleEvent,
  type InvoiceState,
  type InvoiceStateKind,
  dueAtOf,
  isInvoiceIn,
  isRetryable,
  refundedOf,
  remainderOf,
  requireInvoiceIn,
  statusOf,
  taskOf,
} from './invoice.js';
import { ASK_AGAIN_AFTER } from './payment.js';
import {
  beginRefund,
  beginRefundBeside,
  oweRefund,
  owedBeside,
  recordRefund,
  refundUnused,
} from './refund.js';
import { beginCheck, chargeBack, recordStanding, refundedElsewhere, winBack } from './standing.js';
import { ZERO, decimal } from '../numbers/decimal.js';
import { id } from '../ids.js';
import type { Subscription } from '../strategies/strategy.js';
import { DAY } from '../time.js';

const START = Date.UTC(2026, 0, 31, 12);
const NOW = START + DAY;
const card = id<'payment_source'>('card');
const running = { id: 'subscription', status: 'active' } as Subscription;
const over = { ...running, status: 'cancelled' } as Subscription;

const charged = { chargeRef: 'charge', refunded: decimal('2') };

const owed = { total: decimal('9'), inFlight: true };

/** All that was not given back. */
const taken = { disputed: decimal('13') };

const states: { readonly [Kind in InvoiceStateKind]: InvoiceState & { readonly kind: Kind } } = {
  due: { kind: 'due', dueAt: START },
  charging: { kind: 'charging', reason: 'expired_card', dueAt: START },
  retrying: { kind: 'retrying', reason: 'expired_card', dueAt: START },
  failed: { kind: 'failed', reason: 'expired_card' },
  paid: { kind: 'paid', ...charged, checkAt: START },
  refunding: { kind: 'refunding', ...charged, owed, dueAt: START },
  charged_back: { kind: 'charged_back', ...charged, ...taken, owed: null, checkAt: START },
};
/** One more state: as `charged_back`, and a refund is owed if the dispute is won. */
const owing = { kind: 'charged_back', ...charged, ...taken, owed, checkAt: START } as const;
const OWING = 'charged_back, owing';
type From = InvoiceStateKind | typeof OWING;
const FROM: readonly From[] = [...INVOICE_STATES, OWING];

/** An invoice of the first month; if it is paid, since a day ago. */
const anInvoice = (state: InvoiceState, attempts = 1): Invoice => ({
  id: id('invoice'),
  userId: id('user'),
  subscriptionId: id('subscription'),
  strategyId: id('strategy'),
  description: 'Momentum, month 1',
  amount: decimal('15'),
  sourceId: card,
  month: 1,
  anchorAt: 'chargeRef' in state ? START : null,
  attempts,
  firstAttemptAt: START,
  state,
  createdAt: START,
  updatedAt: START,
});

const paid = { kind: 'paid', ref: 'charge', checkAgainAt: null } as const;
const declined = { kind: 'declined', reason: 'insufficient_funds' } as const;
const standing = { kind: 'paid', refunded: ZERO, checkAgainAt: NOW + DAY } as const;
const billed = (invoice: Invoice, subscription = running) => ({ invoice, subscription });

const EVENTS = {
  'a charge is begun': (invoice) => beginAttempt(invoice, card, NOW),
  'the charge is paid': (invoice) => recordAttempt(billed(invoice), paid, NOW).invoice,
  'the charge is paid after the end': (invoice) =>
    recordAttempt(billed(invoice, over), paid, NOW).invoice,
  'the charge is declined': (invoice) => recordAttempt(billed(invoice), declined, NOW).invoice,
  'the charge is declined after the end': (invoice) =>
    recordAttempt(billed(invoice, over), declined, NOW).invoice,
  'the last charge is declined': (invoice) =>
    recordAttempt(billed({ ...invoice, attempts: 3 }), declined, NOW).invoice,
  'the source of the charge is replaced': (invoice) =>
    recordAttempt(billed(invoice), { kind: 'replaced' }, NOW).invoice,
  'the source of the charge is replaced after the end': (invoice) =>
    recordAttempt(billed(invoice, over), { kind: 'replaced' }, NOW).invoice,
  retryInvoice: (invoice) => retryNow(invoice, NOW),
  'the subscription ends': (invoice) => stopTrying(invoice, NOW),
  'unused days are owed': (invoice) => refundUnused(invoice, NOW),
  'everything is owed': (invoice) =>
    oweRefund(requireInvoiceIn(invoice, 'a refund', 'paid', 'refunding'), invoice.amount, NOW),
  'a refund is begun': (invoice) => beginRefund(invoice, NOW),
  'the refund is done': (invoice) => recordRefund(invoice, owed.total, NOW),
  'the refund is refused': (invoice) => recordRefund(invoice, null, NOW),
  'a check is begun': (invoice) => beginCheck(invoice, NOW),
  'the check finds nothing new': (invoice) =>
    recordStanding(billed(invoice), standing, NOW).invoice,
  'the check finds a chargeback': (invoice) =>
    recordStanding(billed(invoice), { ...standing, kind: 'charged_back' }, NOW).invoice,
  'the check finds a refund': (invoice) =>
    recordStanding(billed(invoice), { ...standing, refunded: decimal('5') }, NOW).invoice,
  'the check finds a refund that failed': (invoice) =>
    recordStanding(billed(invoice), { ...standing, hasFailedRefund: true }, NOW).invoice,
  'the check finds that a refund that failed was made again': (invoice) =>
    recordStanding(
      billed(invoice),
      { ...standing, refunded: decimal('2'), hasFailedRefund: true },
      NOW,
    ).invoice,
  'the check finds a chargeback of a part': (invoice) =>
    recordStanding(
      billed(invoice),
      { ...standing, kind: 'charged_back', disputed: decimal('4') },
      NOW,
    ).invoice,
  'a chargeback': (invoice) => chargeBack(billed(invoice), NOW).invoice,
  'a dispute that was won': (invoice) => winBack(invoice, NOW),
  'a refund elsewhere': (invoice) => refundedElsewhere(billed(invoice), decimal('5'), NOW).invoice,
  'a refund elsewhere of all that is owed': (invoice) =>
    refundedElsewhere(billed(invoice), decimal('9'), NOW).invoice,
} as const satisfies Record<string, (invoice: Invoice) => Invoice>;

type Event = keyof typeof EVENTS;

const TIMES: Readonly<Record<number, string>> = {
  [START]: 'as before',
  [NOW]: 'now',
  [NOW + ASK_AGAIN_AFTER]: 'in a minute',
  [NOW + DAY]: 'in a day',
  [START + 3 * DAY]: 'on the third day',
};

/** The whole state: what was given back and taken, what is owed, and when the gateway is asked next. */
function inWords(invoice: Invoice): string {
  const { state } = invoice;
  const dueAt = dueAtOf(invoice);
  const owes = 'owed' in state ? state.owed : null;
  return [
    state.kind,
    'reason' in state ? `after ${state.reason ?? 'nothing'}` : [],
    'refunded' in state ? `gave ${state.refunded.toFixed()}` : [],
    'disputed' in state ? `lost ${state.disputed.toFixed()}` : [],
    owes ? `owes ${owes.total.toFixed()}${owes.inFlight ? ', asked' : ''}` : [],
    dueAt === null ? 'done' : (TIMES[dueAt] ?? 'at another time'),
  ]
    .flat()
    .join('; ');
}

/** The next state in words; `same` is the identical invoice. Every pair that is not named is impossible. */
const TABLE: Readonly<Record<Event, Partial<Record<From, string>>>> = {
  'a charge is begun': {
    due: 'charging; after nothing; in a minute',
    charging: 'charging; after expired_card; in a minute',
    retrying: 'charging; after expired_card; in a minute',
  },
  'the charge is paid': {
    charging: 'paid; gave 0; done',
  },
  'the charge is paid after the end': {
    charging: 'refunding; gave 0; owes 15; now',
  },
  'the charge is declined': {
    charging: 'retrying; after insufficient_funds; on the third day',
  },
  'the charge is declined after the end': {
    charging: 'failed; after insufficient_funds; done',
  },
  'the last charge is declined': {
    charging: 'failed; after insufficient_funds; done',
  },
  'the source of the charge is replaced': {
    charging: 'retrying; after expired_card; now',
  },
  'the source of the charge is replaced after the end': {
    charging: 'failed; after expired_card; done',
  },
  retryInvoice: {
    retrying: 'retrying; after expired_card; now',
  },
  'the subscription ends': {
    due: 'failed; after nothing; done',
    charging: 'same',
    retrying: 'failed; after expired_card; done',
    failed: 'same',
    paid: 'same',
    refunding: 'same',
    charged_back: 'same',
    [OWING]: 'same',
  },
  'unused days are owed': {
    due: 'same',
    charging: 'same',
    retrying: 'same',
    failed: 'same',
    paid: 'refunding; gave 2; owes 14.47; now',
    refunding: 'refunding; gave 2; owes 14.47, asked; now',
    charged_back: 'same',
    [OWING]: 'same',
  },
  'everything is owed': {
    paid: 'refunding; gave 2; owes 15; now',
    refunding: 'refunding; gave 2; owes 15, asked; now',
  },
  'a refund is begun': {
    refunding: 'refunding; gave 2; owes 9, asked; in a minute',
  },
  'the refund is done': {
    refunding: 'paid; gave 9; now',
    charged_back: 'same',
    [OWING]: 'charged_back; gave 9; lost 13; as before',
  },
  'the refund is refused': {
    refunding: 'refunding; gave 2; owes 9; in a day',
    charged_back: 'same',
    [OWING]: 'charged_back; gave 2; lost 13; owes 9; in a day',
  },
  'a check is begun': {
    paid: 'paid; gave 2; in a minute',
    refunding: 'same',
    charged_back: 'charged_back; gave 2; lost 13; in a minute',
    [OWING]: 'charged_back; gave 2; lost 13; owes 9, asked; in a minute',
  },
  'the check finds nothing new': {
    paid: 'paid; gave 2; in a day',
    refunding: 'same',
    charged_back: 'paid; gave 2; in a day',
    [OWING]: 'refunding; gave 2; owes 9, asked; now',
  },
  'the check finds a chargeback': {
    paid: 'charged_back; gave 2; lost 13; in a day',
    refunding: 'charged_back; gave 2; lost 13; owes 9, asked; in a day',
    charged_back: 'charged_back; gave 2; lost 13; in a day',
    [OWING]: 'charged_back; gave 2; lost 13; owes 9, asked; in a day',
  },
  'the check finds a refund': {
    paid: 'paid; gave 5; in a day',
    refunding: 'refunding; gave 5; owes 9, asked; as before',
    charged_back: 'paid; gave 5; in a day',
    [OWING]: 'refunding; gave 5; owes 9, asked; now',
  },
  'the check finds a refund that failed': {
    paid: 'refunding; gave 0; owes 2; in a day',
    refunding: 'refunding; gave 0; owes 9, asked; as before',
    charged_back: 'refunding; gave 0; owes 2; now',
    [OWING]: 'refunding; gave 0; owes 9, asked; now',
  },
  'the check finds that a refund that failed was made again': {
    paid: 'paid; gave 2; in a day',
    refunding: 'same',
    charged_back: 'paid; gave 2; in a day',
    [OWING]: 'refunding; gave 2; owes 9, asked; now',
  },
  'the check finds a chargeback of a part': {
    paid: 'charged_back; gave 2; lost 4; in a day',
    refunding: 'charged_back; gave 2; lost 4; owes 9, asked; in a day',
    charged_back: 'charged_back; gave 2; lost 4; in a day',
    [OWING]: 'charged_back; gave 2; lost 4; owes 9, asked; in a day',
  },
  'a chargeback': {
    paid: 'charged_back; gave 2; lost 13; done',
    refunding: 'charged_back; gave 2; lost 13; owes 9, asked; done',
    charged_back: 'same',
    [OWING]: 'same',
  },
  'a dispute that was won': {
    paid: 'same',
    refunding: 'same',
    charged_back: 'paid; gave 2; as before',
    [OWING]: 'refunding; gave 2; owes 9, asked; now',
  },
  'a refund elsewhere': {
    paid: 'paid; gave 5; as before',
    refunding: 'refunding; gave 5; owes 9, asked; as before',
    charged_back: 'charged_back; gave 5; lost 13; as before',
    [OWING]: 'charged_back; gave 5; lost 13; owes 9, asked; as before',
  },
  'a refund elsewhere of all that is owed': {
    paid: 'paid; gave 9; as before',
    refunding: 'paid; gave 9; as before',
    charged_back: 'charged_back; gave 9; lost 13; as before',
    [OWING]: 'charged_back; gave 9; lost 13; as before',
  },
};

const rows = (Object.keys(EVENTS) as Event[]).flatMap((event) =>
  FROM.map((from) => ({ event, from, to: TABLE[event][from] ?? 'impossible' })),
);

describe('an invoice', () => {
  it.each(rows)('that is $from, on "$event": $to', ({ event, from, to }) => {
    const invoice = anInvoice(from === OWING ? owing : states[from]);
    const happen = () => EVENTS[event](invoice);
    if (to === 'impossible') {
      expect(happen).toThrow(ImpossibleEvent);
      expect(happen).toThrow(`invoice invoice is ${invoice.state.kind}: `);
    } else if (to === 'same') expect(happen()).toBe(invoice);
    else {
      const after = happen();
      expect(inWords(after)).toBe(to);
      expect(after).not.toBe(invoice);
    }
  });

  it.each([
    ['due', 'pending', 'charge', false, '0'],
    ['charging', 'pending', 'charge', false, '0'],
    ['retrying', 'failed', 'charge', true, '0'],
    ['failed', 'failed', null, false, '0'],
    ['paid', 'paid', 'check', false, '13'],
    ['refunding', 'paid', 'refund', false, '6'],
    ['charged_back', 'chargeback', 'check', false, '0'],
  ] as const)(
    'that is %s is %s for its payer; its task: %s; it can be retried: %s; %s of 15 is left',
    (kind, status, task, retryable, left) => {
      const invoice = anInvoice(states[kind]);
      expect([statusOf(invoice), taskOf(invoice), isRetryable(invoice)]).toEqual([
        ...[status, task, retryable],
      ]);
      expect(remainderOf(invoice).toFixed()).toBe(left);
      expect(dueAtOf(invoice)).toBe(task === null ? null : START);
    },
  );

  it('that is declined keeps the reason during retries and after its subscription ended', () => {
    const retrying = anInvoice(states.retrying);
    expect(beginAttempt(retrying, card, NOW).state).toMatchObject({ reason: 'expired_card' });
    expect(stopTrying(retrying, NOW).state).toEqual({ kind: 'failed', reason: 'expired_card' });
  });

  it('that is retried is due at once, and only its state changes', () => {
    const retrying = anInvoice(states.retrying);
    const state = { kind: 'retrying', reason: 'expired_card', dueAt: NOW };
    expect(retryNow(retrying, NOW)).toEqual({ ...retrying, state });
  });

  it('is repeated until the gateway answers, a refused refund a day later', () => {
    const { paid: one, refunding } = states;
    const soon = NOW + ASK_AGAIN_AFTER;
    expect(dueAtOf(beginCheck(anInvoice(one), NOW))).toBe(soon);
    expect(dueAtOf(beginCheck(anInvoice({ ...one, checkAt: null }), NOW))).toBe(soon);
    const unasked = { ...refunding, owed: { ...owed, inFlight: false } } as InvoiceState;
    expect(refundUnused(anInvoice(unasked), NOW).state).toMatchObject({
      owed: { inFlight: false },
    });
    const begun = beginRefund(anInvoice(unasked), NOW);
    expect(begun.state).toMatchObject({ owed: { inFlight: true }, dueAt: soon });
    const refused = recordRefund(begun, null, NOW);
    expect(refused.state).toMatchObject({ owed: { inFlight: false }, dueAt: NOW + DAY });
  });

  it('is checked after a refund, in part or in full', () => {
    const part = recordRefund(anInvoice(states.refunding), owed.total, NOW);
    expect(part.state).toEqual({ kind: 'paid', ...charged, refunded: owed.total, checkAt: NOW });
    const all = oweRefund(part as Parameters<typeof oweRefund>[0], part.amount, NOW);
    expect(taskOf(recordRefund(all, part.amount, NOW))).toBe('check');
  });

  it.each([
    ['as before', standing, null],
    ['charged back', { ...standing, kind: 'charged_back' }, 'chargeback'],
    ['given back in part', { ...standing, refunded: decimal('5') }, 'refund'],
  ] as const)(
    'whose charge stands %s is checked again when the gateway says',
    (_, found, change) => {
      const followed = recordStanding(billed(anInvoice(states.paid)), found, NOW);
      expect(followed.change).toBe(change);
      expect(dueAtOf(followed.invoice)).toBe(NOW + DAY);
    },
  );

  it.each([
    ['paid', { hasFailedRefund: true }, 'refund_failed'],
    ['paid', { refunded: decimal('2'), hasFailedRefund: true }, null],
    ['refunding', { refunded: decimal('9') }, 'refund'],
    ['charged_back', { kind: 'charged_back', refunded: decimal('5') }, 'refund'],
    ['charged_back', { kind: 'charged_back', disputed: decimal('4') }, 'dispute_won'],
    ['charged_back', { refunded: decimal('5') }, 'dispute_won'],
  ] as const)('that is %s, whose charge stands as %j, has the change %s', (kind, found, change) => {
    const before = billed(anInvoice(states[kind]));
    expect(recordStanding(before, { ...standing, ...found }, NOW).change).toBe(change);
  });

  it('shows a chargeback and a won dispute', () => {
    const followed = recordStanding(billed(anInvoice(states.charged_back)), standing, NOW);
    expect([followed.change, statusOf(followed.invoice)]).toEqual(['dispute_won', 'paid']);
    expect(refundedOf(followed.invoice).toFixed()).toBe('2');
    expect(isInvoiceIn(followed.invoice, 'paid')).toBe(true);
  });
});

describe('a dispute of a part of the payment', () => {
  const found = (invoice: Invoice, part: string) =>
    recordStanding(
      billed(invoice),
      { ...standing, ...charged, kind: 'charged_back', disputed: decimal(part) },
      NOW,
    );
  const left = ({ invoice, change }: ReturnType<typeof found>) => [
    change,
    statusOf(invoice),
    remainderOf(invoice).toFixed(),
  ];

  it('takes that part alone, and ends the subscription', () => {
    const part = found(anInvoice(states.paid), '4');
    expect(left(part)).toEqual(['chargeback', 'chargeback', '9']);
    expect(part.subscription.status).toBe('cancelled');
  });

  it('takes more or less when a second one is opened or won', () => {
    const { invoice } = found(anInvoice(states.paid), '4');
    expect(left(found(invoice, '4'))).toEqual([null, 'chargeback', '9']);
    expect(left(found(invoice, '10'))).toEqual(['chargeback', 'chargeback', '3']);
    expect(left(found(invoice, '1'))).toEqual(['dispute_won', 'chargeback', '12']);
  });

  it('never takes more than was left', () => {
    expect(left(found(anInvoice(states.paid), '15'))).toEqual(['chargeback', 'chargeback', '0']);
    expect(left(found(anInvoice(states.paid), '99'))).toEqual(['chargeback', 'chargeback', '0']);
  });

  it('leaves no more than an owed refund leaves', () => {
    expect(left(found(anInvoice(states.refunding), '4'))).toEqual([
      'chargeback',
      'chargeback',
      '6',
    ]);
    const all = found(anInvoice(states.refunding), '15');
    expect(left(all)).toEqual(['chargeback', 'chargeback', '0']);
  });
});

describe('a dispute that is opened while a refund is owed', () => {
  const disputed = chargeBack(billed(anInvoice(states.refunding)), NOW).invoice;
  const figures = (invoice: Invoice) => [invoice.state.kind, refundedOf(invoice).toFixed()];

  it('counts the refunds that were made, and no others', () => {
    expect(figures(disputed)).toEqual(['charged_back', '2']);
    expect(taskOf({ ...disputed, state: { ...owing, checkAt: null } })).toBeNull();
  });

  it('leaves the refund owed when it is won, and it is requested at once', () => {
    const won = winBack(disputed, NOW);
    expect(figures(won)).toEqual(['refunding', '9']);
    expect([taskOf(won), dueAtOf(won)]).toEqual(['refund', NOW]);
    expect(figures(recordRefund(beginRefund(won, NOW), owed.total, NOW))).toEqual(['paid', '9']);
  });

  it('learns that the refund was made before, and no longer requests it', () => {
    const made = recordRefund(disputed, owed.total, NOW);
    expect(figures(made)).toEqual(['charged_back', '9']);
    expect(figures(winBack(made, NOW))).toEqual(['paid', '9']);
  });

  it('leaves what is owed beside a lost part, and the rest if it is won after all', () => {
    const lost = chargeBack(billed(anInvoice(states.refunding)), NOW, decimal('4')).invoice;
    const beside = requireInvoiceIn(lost, 'a refund', 'charged_back');
    expect(owedBeside(beside)?.toFixed()).toBe('5');
    const begun = beginRefundBeside(beside, NOW);
    expect(begun.state).toMatchObject({
      owed: { inFlight: true },
      checkAt: NOW + ASK_AGAIN_AFTER,
    });
    const refused = recordRefund(begun, null, NOW);
    expect(refused.state).toMatchObject({ owed: { inFlight: false }, checkAt: NOW + DAY });
    const made = requireInvoiceIn(recordRefund(begun, decimal('5'), NOW), '', 'charged_back');
    expect([owedBeside(made), ...figures(made)]).toEqual([null, 'charged_back', '5']);
    expect(remainderOf(made).toFixed()).toBe(remainderOf(lost).toFixed());
    expect(figures(winBack(made, NOW))).toEqual(['refunding', '9']);
    // Its answer comes after the dispute was won: the rest is owed at once.
    const late = recordRefund(winBack(begun, NOW), decimal('5'), NOW);
    expect(late.state).toMatchObject({ kind: 'refunding', owed: { inFlight: false }, dueAt: NOW });
    expect('refunded' in late.state && late.state.refunded.toFixed()).toBe('5');
  });

  it('leaves nothing beside a lost dispute that took as much as is owed', () => {
    for (const part of [undefined, decimal('7'), decimal('8')]) {
      const { invoice } = chargeBack(billed(anInvoice(states.refunding)), NOW, part);
      expect(owedBeside(requireInvoiceIn(invoice, 'a refund', 'charged_back'))).toBeNull();
    }
  });

  it('learns that the refund was refused, and requests it anew once it is won', () => {
    const refused = recordRefund(disputed, null, NOW);
    expect(refused.state).toEqual({
      ...disputed.state,
      owed: { ...owed, inFlight: false },
      checkAt: NOW + DAY,
    });
    expect(winBack(refused, NOW).state).toMatchObject({ owed: { inFlight: false } });
  });

  it('is possible although everything is owed: nothing was refunded yet', () => {
    const all = { total: decimal('15'), inFlight: false };
    const owesAll = anInvoice({ ...states.refunding, owed: all });
    expect(figures(chargeBack(billed(owesAll), NOW).invoice)).toEqual(['charged_back', '2']);
  });
});
