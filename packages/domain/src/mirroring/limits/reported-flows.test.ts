import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { id } from '../../ids.js';
import { type Decimal, ONE, ZERO, decimal, decimalText } from '../../numbers/decimal.js';
import { DAY } from '../../time.js';
import type { AccountActivity } from './account-activity.js';
import type { AccountReading } from './expected-equity.js';
import { type SeenLoss, seeAccount } from './loss-watch.js';
import { needsReport, reportedSince } from './reported-flows.js';
import type { LossWatch } from './watched-account.js';

const A = id<'stock'>('A');

const anActivity = (name: string, change: Partial<AccountActivity>): AccountActivity => ({
  id: name,
  at: 9,
  kind: 'transfer',
  name,
  cash: ZERO,
  stockId: null,
  amount: ZERO,
  ...change,
});
const withdrawal = anActivity('withdrawal', { cash: decimal('-4000') });
const returned = anActivity('returned', { cash: decimal('-3000') });
const deposit = anActivity('deposit', { cash: decimal('3000') });
const dividend = anActivity('dividend', { kind: 'income', cash: decimal('50'), stockId: A });
const ownersDividend = anActivity('large dividend', {
  kind: 'income',
  cash: decimal('3990'),
  stockId: A,
});
/** The broker cancelled it after all: it is reported beside what takes it back. */
const takenBack = (one: AccountActivity): AccountActivity => ({
  ...one,
  id: `${one.id} cancelled`,
  cash: ZERO.minus(one.cash),
  amount: ZERO.minus(one.amount),
});
const bounced = [deposit, takenBack(deposit)];
const sharesIn = anActivity('more shares', { stockId: A, amount: decimal('30') });
const sharesOut = anActivity('shares', { stockId: A, amount: decimal('-20') });

const reading = (
  cash: string,
  amount: string,
  activities: readonly AccountActivity[] | null = [],
  rest: Partial<AccountReading> = {},
): AccountReading => ({
  at: 10,
  day: 0,
  cash: decimal(cash),
  holdings: new Map(
    amount === '0' ? [] : [[A, { amount: decimal(amount), price: decimal('100') }]],
  ),
  priceOf: () => decimal('100'),
  isInTransit: () => false,
  splits: new Map(),
  ownPartOf: () => ONE,
  takenByHand: ZERO,
  cameToKept: new Map(),
  activities,
  ...rest,
});

const B = id<'stock'>('B');
const merged = anActivity('merger', { kind: 'exchange', stockId: B, amount: decimal('40') });
/** What a reading sees of shares of B that came at 125 and are kept. */
const kept = (shares: string): Partial<AccountReading> => {
  const [amount, price] = [decimal(shares), decimal('125')];
  return {
    takenByHand: ZERO.minus(amount.times(price)),
    cameToKept: new Map([[B, { amount, price }]]),
  };
};

/** 5,000 USD in cash and 50 of A at 100. */
const first = seeAccount(null, reading('5000', '50', null, { at: 1 })).watch;
const through = (...readings: readonly AccountReading[]): SeenLoss => {
  let seen: SeenLoss = { ...seeAccount(null, reading('5000', '50', null)), watch: first };
  for (const next of readings) seen = seeAccount(seen.watch, next);
  return seen;
};
/** The part of the peak that is lost, at the last of these readings. */
const lost = (...readings: readonly AccountReading[]): string => {
  const { equity, peak } = through(...readings);
  return decimalText(ONE.minus(equity.div(peak)).round(9));
};

describe('a report of the broker (contract 10)', () => {
  it.each<[string, readonly AccountReading[], string]>([
    ['of a withdrawal', [reading('1000', '50', [withdrawal])], '0'],
    ['of no more than a part of what is missing', [reading('0', '50', [withdrawal])], '0.1'],
    [
      'of a withdrawal and of a deposit at once',
      [reading('4000', '50', [withdrawal, deposit])],
      '0',
    ],
    [
      'that is listed again',
      [reading('1000', '50', [withdrawal]), reading('0', '50', [withdrawal])],
      '0.166666667',
    ],
    [
      'of a withdrawal that the account shows later',
      [reading('5000', '50', [withdrawal]), reading('1000', '50', [withdrawal])],
      '0',
    ],
    [
      'of a withdrawal that the account showed before',
      [reading('1000', '50', []), reading('1000', '50', [withdrawal])],
      '0',
    ],
    [
      'of a withdrawal that the account showed before, beside a deposit',
      [reading('1000', '50', []), reading('4000', '50', [withdrawal, deposit])],
      '0',
    ],
    [
      'of a withdrawal that the account showed before, beside a deposit of as much',
      [reading('2000', '50', []), reading('5000', '50', [returned, deposit])],
      '0',
    ],
    [
      'of as much that came and went before, beside a withdrawal',
      [
        reading('8000', '50', []),
        reading('8100', '50', []),
        reading('5100', '50', []),
        reading('1100', '50', [deposit, returned, withdrawal]),
      ],
      '0',
    ],
    [
      'of what came and went at once masks no loss before',
      [reading('4000', '50', []), reading('0', '50', [deposit, returned, withdrawal])],
      '0.1',
    ],
    [
      'of what comes and goes at once masks no loss, while a deposit of before is not told',
      [
        reading('4000', '50', []),
        reading('9000', '50', []),
        reading('8000', '50', [
          anActivity('in', { cash: decimal('2000') }),
          anActivity('out', { cash: decimal('-3000') }),
        ]),
      ],
      '0.1',
    ],
    [
      'of a deposit that the account shows later',
      [reading('5000', '50', [deposit]), reading('8000', '50', [deposit])],
      '0',
    ],
    [
      'of a deposit that the account showed before is no loss',
      [reading('8000', '50', []), reading('8000', '50', [deposit])],
      '0',
    ],
    [
      'of a withdrawal before the bot was watched',
      [reading('1000', '50', [{ ...withdrawal, at: 0 }])],
      '0.4',
    ],
    ['of shares that went out', [reading('5000', '30', [sharesOut])], '0'],
    ['of fewer shares than are missing', [reading('5000', '20', [sharesOut])], '0.1'],
    [
      "of shares that went out, some days after others came in that are the owner's",
      [reading('5000', '50', [sharesIn]), reading('5000', '30', [sharesIn, sharesOut])],
      '0',
    ],
    ["of shares that were the owner's", [reading('5000', '50', [sharesOut])], '0'],
    [
      "of a withdrawal beside shares that came in and are the owner's",
      [reading('1000', '50', [withdrawal, sharesIn], { takenByHand: decimal('-3000') })],
      '0',
    ],
    [
      'of a withdrawal beside a purchase by hand that is kept',
      [reading('0', '50', [withdrawal], { takenByHand: decimal('-1000') })],
      '0',
    ],
    [
      "of a withdrawal beside a dividend on the owner's shares, of as much",
      [reading('4990', '50', [withdrawal, ownersDividend], { ownPartOf: () => ZERO })],
      '0',
    ],
    ['of a merger into shares that are kept', [reading('5000', '0', [merged], kept('40'))], '0'],
    ['of a merger for less', [reading('5000', '0', [merged], kept('32'))], '0.1'],
    ['of a merger into fewer shares than came', [reading('5000', '10', [merged], kept('60'))], '0'],
    [
      "of a merger of the owner's shares beside the bot's",
      [reading('5000', '0', [{ ...merged, amount: decimal('400') }], kept('400'))],
      '0',
    ],
    ["of a merger of the owner's shares alone", [reading('5000', '50', [merged], kept('40'))], '0'],
    [
      'of a merger, and a loss of cash beside it',
      [reading('4000', '0', [merged], kept('40'))],
      '0.1',
    ],
    ['of a merger into shares that did not come', [reading('5000', '0', [merged])], '0.5'],
    [
      'of a merger that is listed again, when others of its shares come',
      [reading('5000', '0', [merged], kept('40')), reading('4000', '0', [merged], kept('0'))],
      '0.2',
    ],
    [
      'of a deposit that was cancelled after it counted',
      [reading('8000', '50', [deposit]), reading('5000', '50', bounced)],
      '0',
    ],
    [
      'of a deposit that was cancelled, and that no report told before',
      [reading('8000', '50', []), reading('5000', '50', bounced)],
      '0',
    ],
    [
      'of a withdrawal that was cancelled after it counted',
      [
        reading('1000', '50', [withdrawal]),
        reading('5000', '50', [withdrawal, takenBack(withdrawal)]),
      ],
      '0',
    ],
    ['of a deposit that was cancelled before it came', [reading('5000', '50', bounced)], '0'],
    [
      'of a deposit that was cancelled before it came, when as much is missing',
      [reading('5000', '50', bounced), reading('2000', '50', bounced)],
      '0.3',
    ],
    [
      'of a deposit that was cancelled after it counted, when more is missing',
      [reading('8000', '50', [deposit]), reading('4000', '50', bounced)],
      '0.076923077',
    ],
    [
      'of a dividend that was cancelled: its gain is gone',
      [reading('5050', '50', [dividend]), reading('5000', '50', [dividend, takenBack(dividend)])],
      '0.004975124',
    ],
    [
      'of something else than a transfer',
      [reading('1000', '50', [{ ...withdrawal, kind: 'other' }])],
      '0.4',
    ],
    ['of a fee, which is a loss', [reading('4000', '50', [{ ...withdrawal, kind: 'fee' }])], '0.1'],
    [
      'of a withdrawal long ago',
      [
        reading('1000', '50', [], { at: 10 }),
        reading('1000', '50', [withdrawal], { at: 10 + 4 * DAY }),
      ],
      '0.4',
    ],
  ])('%s', (_, readings, expected) => {
    expect(lost(...readings)).toBe(expected);
  });

  it('that all was withdrawn is no loss, and what comes in later is what losses are measured from', () => {
    const all = anActivity('all', { cash: decimal('-10000') });
    const sold = reading('10000', '0', []);
    const empty = reading('0', '0', [all]);
    const bases = (...readings: readonly AccountReading[]): string[] => {
      const { equity, dayStart, peak } = through(...readings);
      return [equity, dayStart, peak].map((usd) => decimalText(usd));
    };
    expect(bases(sold, empty)).toEqual(['10000', '10000', '10000']);
    expect(bases(sold, empty, empty)).toEqual(['0', '0', '0']);
    const again = reading('3000', '0', [all, deposit]);
    expect(bases(sold, empty, again, again)).toEqual(['3000', '3000', '3000']);
    expect(bases(sold, empty, again, reading('2700', '0', [all, deposit]))).toEqual([
      '2700',
      '3000',
      '3000',
    ]);
  });

  it("of a dividend on the bot's shares is a gain, on the owner's a flow", () => {
    const peaks = (ownPart: string): string =>
      decimalText(
        through(reading('5050', '50', [dividend], { ownPartOf: () => decimal(ownPart) })).peak,
      );
    expect([peaks('1'), peaks('0.4'), peaks('0')]).toEqual(['10050', '10020', '10000']);
  });

  it('is needed when cash or amounts differ by a cent, and not for prices and trades by hand', () => {
    const needs = (now: AccountReading): boolean => needsReport(first, now);
    expect(needs(reading('5000.005', '50'))).toBe(false);
    expect(needs(reading('4999.99', '50'))).toBe(true);
    expect(needs(reading('5000', '51'))).toBe(true);
    expect(needs(reading('2000', '50', null, { takenByHand: decimal('-3000') }))).toBe(false);
    expect(needs(reading('4900', '51'))).toBe(false);
  });

  it('covers three days before the last reading, and nothing before the first', () => {
    const watch: LossWatch = { ...first, since: 5 * DAY, readAt: 9 * DAY };
    expect(reportedSince(watch)).toBe(6 * DAY);
    expect(reportedSince({ ...watch, readAt: 6 * DAY })).toBe(5 * DAY);
  });
});

describe('shares in doubt (a split that one side has)', () => {
  const doubted = (cash: string, amount: string, price: string): AccountReading =>
    reading(cash, '0', [], {
      holdings: new Map([[A, { amount: decimal(amount), price: decimal(price) }]]),
      isInTransit: () => true,
    });
  const seen = (now: AccountReading): string[] => {
    const { equity, peak } = through(now);
    return [equity, peak].map((usd: Decimal) => decimalText(usd.round(6)));
  };

  it.each([
    ['ten for one', doubted('5000', '500', '10'), ['10000', '10000']],
    ['ten for one, and a loss', doubted('5000', '500', '9.5'), ['9750', '10000']],
    ['a price that rose', doubted('5000', '50', '120'), ['11000', '11000']],
    ['shares that came in are no gain', doubted('5000', '70', '100'), ['10000', '10000']],
    ['nor do they mask a loss', doubted('5000', '70', '91'), ['9550', '10000']],
    ['shares bought by hand', doubted('3000', '70', '100'), ['10000', '10000']],
    ['shares that are missing', doubted('5000', '30', '100'), ['8000', '10000']],
    ['as many again after a split are no gain', doubted('5000', '1000', '10'), ['10000', '10000']],
  ])('%s', (_, now, expected) => {
    expect(seen(now)).toEqual(expected);
  });
});

const MORE = Number(process.env['TEST_RUNS'] ?? 1);

/** What is moved, how soon it is cancelled, and whether its report comes at once. */
interface Step {
  readonly flow: number;
  readonly cancelledAfter: number | null;
  readonly isTold: boolean;
}

/** In cents of which no two sums are alike: what makes as much as something else may be taken for it. */
const unlike = <One extends { readonly flow: number }>(steps: readonly One[]): One[] =>
  steps.map((step, index) => ({ ...step, flow: (step.flow * 100 + 2 ** index) / 100 }));

describe('flows neither mask nor make a loss (contract 10)', () => {
  it('whatever is moved, and whether its report comes first, at once or last', () => {
    const step = fc.record({
      price: fc.integer({ min: 80, max: 125 }),
      flow: fc.integer({ min: -1500, max: 3000 }),
      reportedBy: fc.constantFrom('before', 'at once', 'after'),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 8 }), (steps) => {
        let watch: LossWatch = first;
        let [cash, price, index, peak] = [5000, 100, 10_000, 10_000];
        const report: AccountActivity[] = [];
        const look = (): number => {
          const holdings = new Map([[A, { amount: decimal('50'), price: decimal(`${price}`) }]]);
          const seen = seeAccount(watch, reading(`${cash}`, '0', [...report], { holdings }));
          ({ watch } = seen);
          return Number(decimalText(seen.equity.div(seen.peak).round(12)));
        };
        for (const [place, { price: next, flow, reportedBy }] of steps.entries()) {
          if (cash + flow < 0) continue;
          const made = anActivity(`${place}`, { cash: decimal(`${flow}`) });
          if (reportedBy === 'before') {
            report.push(made);
            look();
          }
          if (reportedBy === 'at once') report.push(made);
          cash += flow;
          look();
          if (reportedBy === 'after') report.push(made);
          look();
          index *= (cash + 50 * next) / (cash + 50 * price);
          price = next;
          peak = Math.max(peak, index);
          expect(look()).toBeCloseTo(index / peak, 6);
        }
      }),
      { numRuns: 100 * MORE },
    );
  });

  it('also when what was moved is cancelled, before its report or after', () => {
    const step = fc.record({
      flow: fc.integer({ min: -800, max: 3000 }),
      cancelledAfter: fc.option(fc.integer({ min: 0, max: 2 })),
      isTold: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 6 }), (given) => {
        const steps = unlike(given);
        let watch: LossWatch = first;
        let cash = 5000;
        let loss = ONE;
        const isCancelled = (made: number, place: number): boolean => {
          const after = steps[made]?.cancelledAfter ?? null;
          return after !== null && place > made + after;
        };
        for (let place = 0; place < steps.length + 4; place += 1) {
          const moved = steps.map(({ flow }, made) =>
            anActivity(`${made}`, { cash: decimal(`${flow}`) }),
          );
          const report = moved.flatMap((one, made) => {
            // Only deposits that stay are told late: see the next property.
            const { isTold, cancelledAfter } = steps[made] ?? { isTold: true };
            const isLate = one.cash.gt(ZERO) && !isTold && cancelledAfter === null;
            if (made > place || (made === place && isLate)) return [];
            return isCancelled(made, place) ? [one, takenBack(one)] : [one];
          });
          cash = 5000;
          for (const [made, { flow }] of steps.entries())
            if (made <= place && !isCancelled(made, place)) cash += flow;
          const seen = seeAccount(watch, reading(cash.toFixed(2), '50', report));
          ({ watch } = seen);
          loss = ONE.minus(seen.equity.div(seen.peak));
        }
        expect(Number(decimalText(loss.round(9)))).toBe(0);
      }),
      {
        numRuns: 300 * MORE,
        examples: [
          // Each is told when all of them make nothing together, or more than came before.
          ...[
            [3, 2, 1, 0],
            [30, 20, 50, 0],
          ].map(([cancelled = 0, ...others]): [Step[]] => [
            [
              { flow: cancelled, cancelledAfter: 0, isTold: false },
              ...others.map((flow): Step => ({ flow, cancelledAfter: null, isTold: false })),
            ],
          ]),
          // A second loss comes before the first is made good.
          [
            [
              { flow: 300, cancelledAfter: 1, isTold: false },
              { flow: 400, cancelledAfter: 1, isTold: false },
              { flow: 200, cancelledAfter: null, isTold: false },
              { flow: 300, cancelledAfter: null, isTold: false },
            ],
          ],
        ],
      },
    );
  });

  it('however late deposits are reported, beside withdrawals', () => {
    const step = fc.oneof(
      fc.record({ flow: fc.integer({ min: 1, max: 3000 }), later: fc.integer({ min: 0, max: 3 }) }),
      fc.record({ flow: fc.integer({ min: -800, max: -1 }), later: fc.constant(0) }),
    );
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 6 }), (given) => {
        const steps = unlike(given);
        let watch: LossWatch = first;
        let cash = 5000;
        let loss = ONE;
        for (let place = 0; place < steps.length + 3; place += 1) {
          const report = steps.flatMap(({ flow, later }, made) =>
            made + later > place ? [] : [anActivity(`${made}`, { cash: decimal(`${flow}`) })],
          );
          cash += steps[place]?.flow ?? 0;
          const seen = seeAccount(watch, reading(cash.toFixed(2), '50', report));
          ({ watch } = seen);
          loss = ONE.minus(seen.equity.div(seen.peak));
        }
        expect(Number(decimalText(loss.round(9)))).toBe(0);
      }),
      {
        numRuns: 300 * MORE,
        examples: [
          [
            [
              { flow: 2990, later: 1 },
              { flow: -500, later: 0 },
            ],
          ],
          // As much goes as came before, and is told beside another withdrawal.
          [
            [
              { flow: 356, later: 3 },
              { flow: -1, later: 0 },
              { flow: 1, later: 3 },
              { flow: -356, later: 0 },
              { flow: -1, later: 0 },
            ],
          ],
        ],
      },
    );
  });

  it('nor do withdrawals change the loss of falling prices, however late all of them are reported', () => {
    const step = fc.record({
      flow: fc.integer({ min: -800, max: -1 }),
      fall: fc.integer({ min: 0, max: 12 }),
    });
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 0, max: 3 }),
        (steps, later) => {
          let watch: LossWatch = first;
          let [cash, price, index, seenIndex] = [5000, 100, 1, 0];
          for (let place = 0; place < steps.length + 4; place += 1) {
            const report = steps.flatMap(({ flow }, made) =>
              Math.max(made, later) > place
                ? []
                : [anActivity(`${made}`, { cash: decimal(`${flow}`) })],
            );
            const { flow, fall } = steps[place] ?? { flow: 0, fall: 1 };
            index *= (cash + 50 * (price - fall)) / (cash + 50 * price);
            price -= fall;
            cash += flow;
            const holdings = new Map([[A, { amount: decimal('50'), price: decimal(`${price}`) }]]);
            const seen = seeAccount(watch, reading(`${cash}`, '50', report, { holdings }));
            ({ watch } = seen);
            seenIndex = Number(decimalText(seen.equity.div(seen.peak).round(12)));
          }
          expect(seenIndex).toBeCloseTo(index, 9);
        },
      ),
      { numRuns: 300 * MORE },
    );
  });
});
