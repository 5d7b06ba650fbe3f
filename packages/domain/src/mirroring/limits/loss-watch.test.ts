import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ONE, ZERO, decimal, decimalText, divide } from '../../numbers/decimal.js';
import { id } from '../../ids.js';
import { DAY } from '../../time.js';
import { LIVE_LIMITS, NO_LIMITS } from './limits.js';
import type { AccountReading } from './expected-equity.js';
import { breachBy, breachText, estimateLoss, limitsLosses, seeAccount } from './loss-watch.js';
import { type LossWatch, watchedFill } from './watched-account.js';
import type { AccountActivity } from './account-activity.js';

const A = id<'stock'>('A');
const B = id<'stock'>('B');

const reading = (
  cash: string,
  amount: string,
  price: string,
  rest: Partial<AccountReading> = {},
): AccountReading => ({
  at: 10,
  day: 0,
  cash: decimal(cash),
  holdings: new Map(
    amount === '0' ? [] : [[A, { amount: decimal(amount), price: decimal(price) }]],
  ),
  priceOf: () => decimal(price),
  isInTransit: () => false,
  splits: new Map(),
  ownPartOf: () => ONE,
  takenByHand: ZERO,
  cameToKept: new Map(),
  activities: null,
  ...rest,
});

let activities = 0;
const anActivity = (cash: string, rest: Partial<AccountActivity> = {}): AccountActivity => ({
  id: `activity-${(activities += 1)}`,
  at: 9,
  kind: 'transfer',
  name: 'CSD',
  cash: decimal(cash),
  stockId: null,
  amount: ZERO,
  ...rest,
});
const reported = (cash: string, rest: Partial<AccountActivity> = {}) => ({
  activities: [anActivity(cash, rest)],
});

/** 5,000 USD in cash and 50 of A at 100. */
const before = seeAccount(null, reading('5000', '50', '100', { at: 1 })).watch;
const text = (watch: Pick<LossWatch, 'dayStart' | 'peak'>, equity: ReturnType<typeof decimal>) =>
  [equity, watch.dayStart, watch.peak].map((usd) => decimalText(usd.round(6)));
const seen = (now: AccountReading, from: LossWatch = before) => {
  const { watch, equity, dayStart, peak } = seeAccount(from, now);
  return { judged: text({ dayStart, peak }, equity), kept: text(watch, equity) };
};
const ratio = { newShares: decimal('10'), oldShares: ONE };
const splitBefore = (at: number, newShares: string, oldShares: string) => ({
  splits: new Map([
    [A, [{ ratio: { newShares: decimal(newShares), oldShares: decimal(oldShares) }, at }]],
  ]),
});

describe('what counts as a loss (contract 10)', () => {
  it.each<[string, AccountReading, string[]]>([
    // equity without flows, day's start, peak
    ['nothing happened', reading('5000', '50', '100'), ['10000', '10000', '10000']],
    ['a price fell', reading('5000', '50', '80'), ['9000', '10000', '10000']],
    ['a price rose', reading('5000', '50', '120'), ['11000', '10000', '11000']],
    [
      'a fee, or a withdrawal that nobody reports',
      reading('4900', '50', '100'),
      ['9900', '10000', '10000'],
    ],
    ['shares that are missing', reading('5000', '40', '100'), ['9000', '10000', '10000']],
    [
      'a deposit that nobody reports is no gain',
      reading('7000', '50', '100'),
      ['10000', '10000', '10000'],
    ],
    ['nor does it mask a loss', reading('6000', '50', '80'), ['9000', '10000', '10000']],
    [
      'shares that were transferred in are no gain',
      reading('5000', '60', '100'),
      ['10000', '10000', '10000'],
    ],
    [
      'a reported deposit',
      reading('7000', '50', '80', reported('2000')),
      ['9000', '10000', '10000'],
    ],
    [
      'a reported withdrawal is no loss',
      reading('1000', '50', '100', reported('-4000')),
      ['10000', '10000', '10000'],
    ],
    ['a sale by hand', reading('10000', '0', '100'), ['10000', '10000', '10000']],
    [
      'a split',
      reading('5000', '500', '10', { splits: new Map([[A, [{ ratio, at: 5 }]]]) }),
      ['10000', '10000', '10000'],
    ],
    [
      'a split that was read before it was known',
      reading('5000', '500', '10', { isInTransit: () => true }),
      ['10000', '10000', '10000'],
    ],
    [
      'a split of long ago',
      reading('5000', '50', '90', { splits: new Map([[A, [{ ratio, at: -9 }]]]) }),
      ['9500', '10000', '10000'],
    ],
    [
      'as many shares as a split of long ago made, transferred in',
      reading('5000', '100', '100', splitBefore(-400 * DAY, '2', '1')),
      ['10000', '10000', '10000'],
    ],
    [
      'as many shares as a reverse split of long ago left, the others sold by hand',
      reading('7500', '25', '100', splitBefore(-400 * DAY, '1', '2')),
      ['10000', '10000', '10000'],
    ],
    [
      'more than a reverse split of the days before took, sold by hand',
      reading('8000', '20', '100', splitBefore(-2 * DAY, '1', '2')),
      ['10000', '10000', '10000'],
    ],
    [
      'all that a reverse split of the days before left, sold by hand',
      reading('10000', '0', '100', splitBefore(-2 * DAY, '1', '100')),
      ['10000', '10000', '10000'],
    ],
    [
      'about as many as a small reverse split of the days before took, sold by hand',
      reading('5180', '48.2', '100', splitBefore(-2 * DAY, '19', '20')),
      ['10000', '10000', '10000'],
    ],
    [
      'a reverse split that reached the broker a reading after us, without the fraction',
      reading('5000', '7', '700', splitBefore(-2 * DAY, '1', '7')),
      ['9900', '10000', '10000'],
    ],
    [
      'a split that reached the broker a reading after us',
      reading('5000', '500', '10', splitBefore(-2 * DAY, '10', '1')),
      ['10000', '10000', '10000'],
    ],
    [
      'cash that the owner spent by hand is no loss',
      reading('2000', '50', '100', { takenByHand: decimal('-3000') }),
      ['10000', '10000', '10000'],
    ],
    [
      'shares of his own that he moved in took no cash: no gain',
      reading('5000', '50', '90', { takenByHand: decimal('-3000') }),
      ['9500', '10000', '10000'],
    ],
    [
      'a new day begins where the last one was last seen',
      reading('5000', '50', '90', { day: 5 }),
      ['9500', '10000', '10000'],
    ],
  ])('%s', (_, now, judged) => {
    expect(seen(now).judged).toEqual(judged);
  });

  it('is none that a split reached the broker a reading after us, however it rounds what it makes', () => {
    const shares = fc.integer({ min: 1, max: 40 });
    const amounts = fc.integer({ min: 20_000, max: 900_000 });
    const places = fc.constantFrom(0, 2, 3, 4, 6, 18);
    const roundings = fc.constantFrom('down' as const, 'up' as const);
    fc.assert(
      fc.property(
        amounts,
        shares,
        shares,
        places,
        roundings,
        (held, newer, older, to, rounding) => {
          const known = divide(decimal(`${held}`), decimal('10000'));
          const made = divide(known.times(decimal(`${newer}`)), decimal(`${older}`));
          const rounded = divide(made, ONE, rounding, to);
          const isNextWhole = to === 0 && rounding === 'up' && newer * 10 <= older * 11;
          const rest = made.minus(rounded).abs();
          // Else it may as well be what was there before.
          const isClear = rest.plus(rest).lt(made.minus(known));
          fc.pre(newer > older && !isNextWhole && isClear);
          const price = divide(decimal(`${100 * older}`), decimal(`${newer}`));
          const then = seeAccount(
            null,
            reading('5000', decimalText(known), '100', { at: 1 }),
          ).watch;
          const now = reading('5000', decimalText(rounded), decimalText(price), {
            ...splitBefore(-2 * DAY, `${newer}`, `${older}`),
          });
          const { equity, peak } = seeAccount(then, now);
          expect(peak.minus(equity).lte(rest.times(price).plus(decimal('0.01')))).toBe(true);
        },
      ),
    );
  });

  it('grows and shrinks its bases with what comes in and goes out, in proportion', () => {
    expect(seen(reading('15000', '50', '100')).kept.slice(1)).toEqual(['20000', '20000']);
    const withdrawn = reading('0', '50', '80', reported('-5000'));
    // 9,000 before it, 4,000 after: a loss of a tenth stays a tenth.
    expect(seen(withdrawn).kept.slice(1)).toEqual(['4444.444444', '4444.444444']);
  });

  it('begins the day anew that the clock was set back to', () => {
    const ahead = seeAccount(before, reading('5000', '50', '90', { day: 5 })).watch;
    expect(seen(reading('5000', '50', '80'), ahead).judged).toEqual(['9000', '9500', '10000']);
  });

  it("knows its own fills: only the fee is a loss, and the day's start stays", () => {
    const bought = watchedFill(before, A, { filled: decimal('20'), paid: decimal('2000') });
    expect(seen(reading('2995', '70', '100'), bought).judged).toEqual(['9995', '10000', '10000']);
    const sold = watchedFill(before, A, { filled: decimal('-50'), paid: decimal('-5000') });
    expect(sold.holdings.size).toBe(0);
    expect(seen(reading('10000', '0', '100'), sold).judged).toEqual(['10000', '10000', '10000']);
    const opened = watchedFill(before, B, { filled: decimal('-5'), paid: decimal('-500') });
    expect(decimalText(opened.holdings.get(B)?.price ?? ZERO)).toBe('100');
  });

  it('flows neither mask nor make a loss: the part lost is that of the prices, whatever comes and goes', () => {
    const step = fc.record({
      price: fc.integer({ min: 50, max: 150 }),
      deposit: fc.integer({ min: -2000, max: 4000 }),
      isReported: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        let watch = before;
        let cash = 5000;
        let [index, peak] = [10_000, 10_000];
        for (const { price, deposit, isReported } of steps) {
          const flow = isReported || deposit > 0 ? deposit : 0;
          const was = cash + 50 * Number(decimalText(watch.holdings.get(A)?.price ?? ZERO));
          if (cash + flow < 0) continue;
          const now = cash + 50 * price;
          cash += flow;
          index *= now / was;
          peak = Math.max(peak, index);
          const report = isReported ? reported(`${flow}`) : {};
          const found = seeAccount(watch, reading(`${cash}`, '50', `${price}`, report));
          ({ watch } = found);
          const lost = 1 - Number(decimalText(found.equity.div(found.peak)));
          expect(lost).toBeCloseTo(1 - index / peak, 9);
        }
      }),
    );
  });
});

describe('a breach (contract 10)', () => {
  const limits = { maxDailyLoss: decimal('0.1'), maxDrawdown: decimal('0.2') };
  const at = (equity: string, dayStart: string, peak: string) =>
    breachBy(
      limits,
      { equity: decimal(equity), dayStart: decimal(dayStart), peak: decimal(peak) },
      7,
    );

  it.each([
    ['9000.01', '10000', '10000', undefined],
    ['9000', '10000', '10000', 'max_daily_loss'],
    ['8000', '8500', '10000', 'max_drawdown'],
    ['8000.01', '8500', '10000', undefined],
    ['7000', '10000', '10000', 'max_daily_loss'],
    ['-1', '0', '0', undefined],
  ])('%s of %s at the start of the day and %s at the peak: %s', (equity, start, peak, limit) => {
    expect(at(equity, start, peak)?.limit).toBe(limit);
  });

  it('says what was seen', () => {
    const breach = at('8990', '10000', '10000');
    expect(breach && breachText(breach)).toBe(
      "max_daily_loss is breached: equity 8990 USD, 10.1% below the day's start (10000 USD).",
    );
    expect([limitsLosses(LIVE_LIMITS), limitsLosses(NO_LIMITS)]).toEqual([true, false]);
  });
});

describe('the equity between two readings', () => {
  const estimate = (price: string | undefined, rest = {}) => {
    const { equity, isSure, dayStart } = estimateLoss(before, {
      priceOf: () => (price === undefined ? undefined : decimal(price)),
      splits: new Map(),
      day: 0,
      ...rest,
    });
    return [decimalText(equity), isSure, decimalText(dayStart)];
  };

  it.each([
    ['the price of now', '95', {}, ['9750', true, '10000']],
    ['a price that may be another share', '10', {}, ['5500', false, '10000']],
    ['no price that is good enough', undefined, {}, ['10000', true, '10000']],
    [
      'a split since',
      '10',
      { splits: new Map([[A, [{ ratio, at: 5 }]]]) },
      ['10000', true, '10000'],
    ],
    [
      'a split before',
      '95',
      { splits: new Map([[A, [{ ratio, at: 1 }]]]) },
      ['9750', true, '10000'],
    ],
  ])('by %s', (_, price, rest, expected) => {
    expect(estimate(price, rest)).toEqual(expected);
  });
});
