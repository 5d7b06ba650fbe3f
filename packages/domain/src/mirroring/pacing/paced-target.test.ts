import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type StockId, id } from '../../ids.js';
import { type Decimal, ONE, ZERO, decimal, decimalText, sum } from '../../numbers/decimal.js';
import { stockOf } from '../../../tests/rebalance-builders.js';
import { finish } from '../../steps.js';
import type { Action } from '../../trading/order.js';
import type { Weights } from '../rebalance/weights.js';
import { planRebalance } from '../rebalance/rebalance.js';
import type { BrokerAccount } from '../bot-account.js';
import { FOLLOWS_NOTHING } from '../followed-trades.js';
import { UNBOUND } from '../limits/envelope.js';
import { FIRST_PACE, type Pace } from './pace.js';
import { pacedTarget } from './paced-target.js';
import { type RebalanceRule, rebalanceRule } from './rebalance-rule.js';

const ACME: StockId = id('acme');

const STOCK = stockOf('ACME', { priceStep: null }, '1');

/** An account of 1,000 USD with these values; each stock costs 1. */
const accountOf = (held: Readonly<Record<string, Decimal>>): BrokerAccount => ({
  equity: decimal('1000'),
  cash: decimal('1000').minus(sum(Object.values(held))),
  buyingPower: decimal('5000'),
  maxGross: decimal('4'),
  positions: Object.entries(held)
    .filter(([, value]) => !value.eq(ZERO))
    .map(([stockId, value]) => ({
      stockId: id<'stock'>(stockId),
      amount: value,
      price: ONE,
      value,
    })),
  allows: 'all',
  because: null,
});

interface Case {
  readonly rule: RebalanceRule;
  readonly isOpen?: boolean;
  readonly traded?: readonly Action[];
  readonly pace?: Partial<Pace>;
}

const followingOf = (traded: readonly Action[]) => ({
  ...FOLLOWS_NOTHING,
  open: new Map(
    traded.length === 0
      ? []
      : [[ACME, { tradeIds: [], amount: ONE, gross: ONE, actions: traded, at: 0 }]],
  ),
});

const paced = (
  account: BrokerAccount,
  target: Weights,
  { rule, isOpen = false, traded = [], pace = {} }: Case,
) => {
  const stocks = new Map(
    [...target.keys(), ...account.positions.map(({ stockId }) => stockId)].map((stockId) => [
      stockId,
      STOCK,
    ]),
  );
  const following = followingOf(traded);
  const now = { ...FIRST_PACE, reducesAtOnce: false, ...pace };
  const found = finish(
    pacedTarget(target, { account, stocks, rule, pace: now, isOpen, following }),
  );
  return { found, stocks };
};

const COOLING = rebalanceRule({ cooldownHours: 2 });
const BAND = rebalanceRule({ band: decimal('0.1') });

describe('a paced target (contract 10, rebalance)', () => {
  it.each<[string, string, string, Case, string, 'waits' | 'goes' | 'at once' | 'in band']>([
    ['an opening', '0', '0.3', { rule: COOLING }, '0', 'waits'],
    ['an opening once it may', '0', '0.3', { rule: COOLING, isOpen: true }, '0.3', 'goes'],
    ['an increase', '100', '0.3', { rule: COOLING, traded: ['buy'] }, '0.1', 'waits'],
    ['drift', '400', '0.3', { rule: COOLING }, '0.4', 'waits'],
    ['drift after a purchase', '400', '0.3', { rule: COOLING, traded: ['buy'] }, '0.4', 'waits'],
    ['a reduction', '400', '0.3', { rule: COOLING, traded: ['sell'] }, '0.3', 'at once'],
    ['the cover of a short', '-400', '-0.3', { rule: COOLING, traded: ['buy'] }, '-0.3', 'at once'],
    [
      'an increase of a short',
      '-100',
      '-0.3',
      { rule: COOLING, traded: ['sell'] },
      '-0.1',
      'waits',
    ],
    ['an exit', '400', '0', { rule: COOLING }, '0', 'at once'],
    ['a reversal', '400', '-0.3', { rule: COOLING }, '-0.3', 'at once'],
    [
      'its second order',
      '0',
      '-0.3',
      { rule: COOLING, pace: { turning: [ACME] } },
      '-0.3',
      'at once',
    ],
    [
      'what its owner reduces',
      '400',
      '0.3',
      { rule: COOLING, pace: { reducesAtOnce: true } },
      '0.3',
      'at once',
    ],
    [
      'what its owner increases',
      '100',
      '0.3',
      { rule: COOLING, pace: { reducesAtOnce: true } },
      '0.1',
      'waits',
    ],
    ['a distance within the band', '250', '0.3', { rule: BAND, isOpen: true }, '0.25', 'in band'],
    ['a distance of the band', '200', '0.3', { rule: BAND, isOpen: true }, '0.2', 'in band'],
    ['a distance beyond it, whole', '199', '0.3', { rule: BAND, isOpen: true }, '0.3', 'goes'],
    ['a small opening', '0', '0.05', { rule: BAND, isOpen: true }, '0', 'in band'],
    ['a small reduction', '320', '0.3', { rule: BAND, traded: ['sell'] }, '0.3', 'at once'],
    ['a small exit', '20', '0', { rule: BAND }, '0', 'at once'],
    ['every trade', '100', '0.3', { rule: 'every_trade' }, '0.3', 'at once'],
  ])('%s of %s toward %s', (_, held, weight, given, expected, how) => {
    const target = new Map(decimal(weight).eq(ZERO) ? [] : [[ACME, decimal(weight)]]);
    const { found } = paced(accountOf({ acme: decimal(held) }), target, given);
    expect(decimalText(found.weights.get(ACME) ?? ZERO)).toBe(expected);
    expect(found.heldBack).toEqual(how === 'waits' ? [ACME] : []);
    expect([...found.governed]).toEqual(how === 'goes' ? [ACME] : []);
  });

  it('remembers a stock that turns until it is in line', () => {
    const turning = (held: string, weight: string, pace: Partial<Pace> = {}) =>
      paced(accountOf({ acme: decimal(held) }), new Map([[ACME, decimal(weight)]]), {
        rule: COOLING,
        pace,
      }).found.turning;
    expect(turning('400', '-0.3')).toEqual([ACME]);
    expect(turning('0', '-0.3', { turning: [ACME] })).toEqual([ACME]);
    expect(turning('-300', '-0.3', { turning: [ACME] })).toEqual([]);
    expect(turning('0', '-0.3')).toEqual([]);
  });

  it('whatever the rule: the next plan follows each reduction, and increases nothing that waits', () => {
    const hundredths = (count: number) => decimal(String(count)).div(decimal('100'));
    const names = ['acme', 'bolt', 'cask'] as const;
    const holdings = fc.record(
      Object.fromEntries(names.map((name) => [name, fc.integer({ min: -50, max: 50 })])),
    );
    const rules = fc.record({
      band: fc.option(fc.integer({ min: 1, max: 50 }), { nil: null }),
      cooldownHours: fc.option(fc.constant(2), { nil: null }),
    });
    fc.assert(
      fc.property(holdings, holdings, rules, fc.boolean(), (held, wanted, given, isOpen) => {
        const account = accountOf(
          Object.fromEntries(
            Object.entries(held).map(([name, cents]) => [name, decimal(String(cents * 10))]),
          ),
        );
        const target = new Map(
          Object.entries(wanted)
            .filter(([, weight]) => weight !== 0)
            .map(([name, weight]) => [id<'stock'>(name), hundredths(weight)]),
        );
        const rule = rebalanceRule({
          ...given,
          band: given.band === null ? null : hundredths(given.band),
          at: '15:30',
        });
        // The strategy sold or bought ACME, which reduces it if less is wanted than is held.
        const { found, stocks } = paced(account, target, {
          rule,
          isOpen,
          traded: ['buy', 'sell'],
        });
        const plan = finish(planRebalance(account, found.weights, stocks, ZERO, String, UNBOUND));
        const orderOf = (name: string) => plan.orders.find(({ stockId }) => stockId === name);
        for (const name of names) {
          const [has, wants] = [held[name] ?? 0, wanted[name] ?? 0];
          const isLess = Math.abs(wants) < Math.abs(has) && wants * has >= 0;
          // Less than half a hundredth of equity, and less than a tenth of the target, is no order.
          const isFollowed = isLess && (wants === 0 || name === 'acme');
          if (isFollowed && Math.abs(has - wants) > 1)
            expect([name, orderOf(name)?.kind]).toEqual([name, wants === 0 ? 'close' : 'reduce']);
          if (found.heldBack.includes(id(name))) expect(orderOf(name)).toBeUndefined();
          if (!isOpen) expect(found.governed.size).toBe(0);
        }
      }),
      { numRuns: 300 },
    );
  });
});
