import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ONE, ZERO, decimal, decimalText, divide, sum } from '../../numbers/decimal.js';
import { id } from '../../ids.js';
import type { BrokerAccount } from '../bot-account.js';
import type { HeldParts } from './held-part.js';
import {
  type DividedAccount,
  type SeenAccount,
  attributeHoldings,
  cashTakenByHand,
  isSamePrice,
  withFill,
} from './kept.js';
import { besideKept, managedAccount } from './managed-account.js';

const KO = id<'stock'>('NYSE:KO');
const XYZ = id<'stock'>('alpaca:XYZ');

const account = (cash: string, held: Readonly<Record<string, string>>): BrokerAccount => {
  const positions = Object.entries(held)
    .filter(([, amount]) => !decimal(amount).eq(ZERO))
    .map(([stockId, amount]) => ({
      stockId: id<'stock'>(stockId),
      amount: decimal(amount),
      price: decimal('10'),
      value: decimal(amount).times(decimal('10')),
    }));
  const equity = decimal(cash).plus(sum(positions.map(({ value }) => value)));
  return {
    equity,
    cash: decimal(cash),
    buyingPower: decimal(cash),
    maxGross: ONE,
    positions,
    allows: 'all',
    because: null,
  };
};

const parts = (kept: string, own: string): HeldParts =>
  new Map([[KO, { kept: decimal(kept), own: decimal(own), seenAt: 0 }]]);

const quoted = (price: string) => () => ({ bid: decimal(price), ask: decimal(price) });

const seen = (before: HeldParts, held: string, rest: Partial<SeenAccount> = {}) =>
  attributeHoldings(before, {
    account: account('0', { [KO]: held }),
    now: 1,
    splits: new Map(),
    quoteOf: () => undefined,
    ...rest,
  });

const textOf = (of: HeldParts) => {
  const part = of.get(KO);
  return [decimalText(part?.kept ?? ZERO), decimalText(part?.own ?? ZERO)];
};

describe("what is the owner's and what is the bot's (contract 10)", () => {
  it.each([
    // before: kept, own; held; after: kept, own; what the owner did
    ['all that a bot never traded is kept', '0', '0', '50', ['50', '0'], 'added 50'],
    ['nothing happened', '50', '10', '60', ['50', '10'], ''],
    ['an increase that no order explains is kept', '50', '10', '65', ['55', '10'], 'added 5'],
    ["a sale by hand leaves the bot's part first", '50', '10', '52', ['50', '2'], 'taken 8'],
    ['a sale by hand to the last of the bot', '50', '10', '50', ['50', '0'], 'taken 10'],
    ['below it what is kept shrinks', '50', '10', '30', ['30', '0'], 'taken 30'],
    ['all was sold by hand', '50', '10', '0', ['0', '0'], 'taken 60'],
    ['the owner went short by hand', '50', '10', '-5', ['-5', '0'], 'taken 65'],
    ['a short of the bot stays its own', '0', '-20', '-20', ['0', '-20'], ''],
    ['the owner adds to a short', '0', '-20', '-26', ['-6', '-20'], 'added 6'],
    ['the owner buys back a part of a short', '0', '-20', '-15', ['0', '-15'], 'taken 5'],
    ['a short that is kept', '-8', '-2', '-10', ['-8', '-2'], ''],
    ['a part of what was taken over was sold', '50', '-20', '30', ['30', '0'], ''],
    ['what was taken over was sold, and more', '50', '-70', '-20', ['0', '-20'], ''],
    [
      'a coin bought less its fee',
      '0',
      '0.0002',
      '0.000199499',
      ['0', '0.000199499'],
      'taken 0.000000501',
    ],
  ] as const)('%s', (_, kept, own, held, after, did) => {
    const now = seen(parts(kept, own), held);
    expect(textOf(now.parts)).toEqual(after);
    expect(now.changes.map(({ kind, amount }) => `${kind} ${decimalText(amount)}`).join()).toBe(
      did,
    );
  });

  it.each([
    // what the bot's open order may still trade, signed; held; what is there now: kept, own
    ['nothing was traded', '3', '60', ['50', '10']],
    ['as much of an increase is the fill of a purchase', '3', '62', ['50', '12']],
    ['what is beyond it was added by the owner', '3', '65', ['52', '13']],
    ['a decrease is no fill of a purchase', '3', '57', ['50', '7']],
    ['as much of a decrease is the fill of a sale', '-3', '58', ['50', '8']],
    ["a sale of the bot and one by hand leave the bot's part first", '-3', '52', ['50', '2']],
    ['an increase is no fill of a sale', '-3', '64', ['54', '10']],
    ['the fill of a short beyond the own part is netted', '-15', '45', ['45', '0']],
  ] as const)('while an order is open, %s', (_, open, held, present) => {
    const before = parts('50', '10');
    const now = seen(before, held, { heldUp: new Map([[KO, decimal(open)]]) });
    expect(textOf(now.present)).toEqual(present);
    expect([now.parts, now.changes, now.inDoubt]).toEqual([before, [], []]);
  });

  it.each([
    ['the first purchase', '3', '2', ['0', '2']],
    ['the first short', '-3', '-2', ['0', '-2']],
    ['a holding beside the first purchase', '3', '7', ['4', '3']],
  ] as const)(
    'while an order is open in what was not held, %s is told',
    (_, open, held, present) => {
      const now = seen(new Map(), held, { heldUp: new Map([[KO, decimal(open)]]) });
      expect([textOf(now.present), now.parts.size]).toEqual([present, 0]);
    },
  );

  const ratio = { newShares: decimal('3'), oldShares: decimal('2') };
  const split = { splits: new Map([[KO, [{ ratio, at: 1 }]]]), now: 2 };

  it('scales with a split, once', () => {
    const once = seen(parts('50', '10'), '90', split);
    expect([...textOf(once.parts), once.changes.length]).toEqual(['75', '15', 0]);
    const twice = seen(once.parts, '90', { ...split, now: 3 });
    expect([...textOf(twice.parts), twice.changes.length]).toEqual(['75', '15', 0]);
  });

  it.each([
    // kept, own; held after one for seven; kept, own
    ['to the nine places up', ['0', '22'], '3.142857143', ['0', '3.142857143']],
    ['to the nine places down', ['0', '20'], '2.857142857', ['0', '2.857142857']],
    ['beside what is kept', ['1.4', '22'], '3.342857143', ['0.2', '3.142857143']],
    ['where all is kept', ['22', '0'], '3.142857143', ['3.142857143', '0']],
    ['of a short', ['0', '-22'], '-3.142857143', ['0', '-3.142857143']],
  ] as const)(
    'a split is rounded by its broker %s: nobody traded',
    (_, [kept, own], held, after) => {
      const sevenths = { newShares: ONE, oldShares: decimal('7') };
      const made = { splits: new Map([[KO, [{ ratio: sevenths, at: 1 }]]]), now: 2 };
      const found = seen(parts(kept, own), held, made);
      expect([...textOf(found.parts), found.changes]).toEqual([...after, []]);
    },
  );

  it.each([
    // when the parts were seen, the split, now; held; after: kept, own
    ['counts though it looks older, as after a clock set back', [9, 5, 8], '90', ['75', '15']],
    ['counts once though it looks younger', [4, 5, 6], '60', ['50', '10']],
    ['counts no more after minutes: it was seen', [9, 5, 301_000], '90', ['80', '10']],
    ['counts not for an amount that it does not make', [9, 5, 8], '75', ['65', '10']],
  ] as const)('a split %s', (_, [seenAt, at, now], held, after) => {
    const before = new Map([[KO, { kept: decimal('50'), own: decimal('10'), seenAt }]]);
    const made = { splits: new Map([[KO, [{ ratio, at }]]]), now };
    const once = seen(before, held, made);
    expect(textOf(once.parts)).toEqual(after);
    expect(textOf(seen(once.parts, held, { ...made, now: now + 1 }).parts)).toEqual(after);
  });

  it('a split that was seen explains no trade by hand of the minutes after it, whatever its ratio', () => {
    const shares = fc.integer({ min: 1, max: 60 });
    const hundredths = fc.integer({ min: -1000, max: 1000 });
    fc.assert(
      fc.property(shares, shares, shares, shares, hundredths, (kept, own, newer, older, traded) => {
        const made = decimal(`${((kept + own) * newer) / older}`);
        // A part of a share, so that it is never what the split would make once more.
        const held = decimal(`${kept + own}`).plus(decimal(`${traded / 100 + 0.003}`));
        const isSmall = newer * 10 >= older * 9 && newer * 10 <= older * 11;
        const off = decimal(isSmall ? '0.01' : '1');
        fc.pre(held.gt(ZERO) && held.minus(made).abs().gt(off));
        const ratio = { newShares: decimal(`${newer}`), oldShares: decimal(`${older}`) };
        const at = (seenAt: number): HeldParts =>
          new Map([[KO, { kept: decimal(`${kept}`), own: decimal(`${own}`), seenAt }]]);
        const splits = new Map([[KO, [{ ratio, at: 5 }]]]);
        const after = seen(at(9), decimalText(held), { splits, now: 10 });
        expect(textOf(after.parts)).toEqual(textOf(seen(at(9), decimalText(held)).parts));
      }),
    );
  });

  it.each(['21', '105', '19'])(
    'a split of %s for 20 or 100 that its broker had first, or a moment later, is one however the broker rounds',
    (newShares) => {
      const ratio = {
        newShares: decimal(newShares),
        oldShares: decimal(newShares === '105' ? '100' : '20'),
      };
      const made = { splits: new Map([[KO, [{ ratio, at: 5 }]]]) };
      const places = fc.constantFrom(2, 3, 4, 6, 18);
      const roundings = fc.constantFrom('down' as const, 'up' as const);
      const amounts = fc.integer({ min: 5000, max: 900_000 });
      fc.assert(
        fc.property(
          amounts,
          amounts,
          places,
          roundings,
          fc.boolean(),
          (one, other, to, rounding, isEarly) => {
            const [kept, own] = [one, other].map((amount) =>
              divide(decimal(`${amount}`), decimal('10000')),
            );
            const before: HeldParts = new Map([
              [KO, { kept: kept!, own: own!, seenAt: isEarly ? 0 : 6 }],
            ]);
            const total = divide(kept!.plus(own!).times(ratio.newShares), ratio.oldShares);
            const held = decimalText(divide(total, ONE, rounding, to));
            const first = isEarly ? seen(before, held, { now: 1 }).parts : before;
            const after = seen(first, held, { ...made, now: 8 });
            const mine = divide(own!.times(ratio.newShares), ratio.oldShares);
            const off = (after.parts.get(KO)?.own ?? ZERO).minus(mine).abs();
            expect(off.lt(decimal('0.01'))).toBe(true);
          },
        ),
      );
    },
  );

  it('a split that its broker had first explains one change alone, also of a holding that is all kept', () => {
    const twentieth = { newShares: decimal('21'), oldShares: decimal('20') };
    const made = { splits: new Map([[KO, [{ ratio: twentieth, at: 2 }]]]) };
    const early = seen(parts('20', '0'), '21', { now: 1 });
    const booked = seen(early.parts, '21', { ...made, now: 3 });
    expect([...textOf(booked.parts), booked.changes.length]).toEqual(['21', '0', 0]);
    const bought = seen(booked.parts, '22.05', { ...made, now: 400_000 });
    expect(bought.changes.map(({ amount }) => decimalText(amount))).toEqual(['1.05']);
  });

  it('a small split that its broker has hours later scales both parts, also after a trade by hand of the days before', () => {
    const twentieth = { newShares: decimal('21'), oldShares: decimal('20') };
    const made = { splits: new Map([[KO, [{ ratio: twentieth, at: 3 }]]]) };
    const shares = fc.integer({ min: 1, max: 60 });
    fc.assert(
      fc.property(shares, shares, shares, (kept, own, bought) => {
        // Else it may have been the split.
        fc.pre(Math.abs(bought - (kept + own) / 20) >= 1);
        const total = kept + own + bought;
        const byHand = seen(parts(`${kept}`, `${own}`), `${total}`, { now: 2 });
        const booked = seen(byHand.parts, `${total}`, { ...made, now: 4 });
        const came = seen(booked.parts, `${(total * 21) / 20}`, { ...made, now: 3_600_004 });
        const scaled = [kept + bought, own].map((part) => `${(part * 21) / 20}`);
        expect([...textOf(came.parts), came.changes.length]).toEqual([...scaled, 0]);
      }),
    );
  });

  it.each([
    // before: kept, own; held, at 10; our quote then; kept and own meanwhile
    ['a split', ['50', '10'], '90', '15', ['75', '15']],
    ['a split of what is all its own', ['0', '10'], '100', '100', ['0', '100']],
    ['a reverse split', ['0', '100'], '10', '1', ['0', '10']],
    ['a purchase by hand, and no split', ['50', '10'], '90', '30', ['80', '10']],
  ] as const)(
    'knows by its price what its broker had before that: %s',
    (_, [kept, own], held, ours, meanwhile) => {
      const shares = seen(parts(kept, own), held, { quoteOf: quoted('10') });
      const price = seen(shares.parts, held, { quoteOf: quoted(ours), now: 2 });
      expect(textOf(price.present)).toEqual(meanwhile);
      expect(price.parts).toEqual(shares.parts);
    },
  );

  it('waits while a split has reached the broker alone', () => {
    const waiting = seen(parts('50', '10'), '90', { quoteOf: quoted('15') });
    expect([...textOf(waiting.parts), waiting.changes.length]).toEqual(['50', '10', 0]);
    expect(textOf(waiting.present)).toEqual(['75', '15']);
    const after = seen(waiting.parts, '90', split);
    expect(textOf(after.parts)).toEqual(['75', '15']);
  });

  it.each([
    // before: kept, own; held, at 10; our quote; kept and own meanwhile
    ['a holding that was never seen is kept', '0', '0', '50', '20', ['50', '0']],
    ['a short that was never seen is kept', '0', '0', '-50', '20', ['-50', '0']],
    ['fills of the bot stay its own', '0', '20', '50', '20', ['30', '20']],
    ['a price that ran away changes no part', '50', '10', '60', '20', ['50', '10']],
    ['a split that we alone know changes no part', '50', '10', '60', '1', ['50', '10']],
    ['a split of a kept holding is kept', '100', '0', '1000', '100', ['1000', '0']],
    ["a split of the bot's holding is its own", '0', '100', '1000', '100', ['0', '1000']],
    ['a split scales both', '50', '10', '600', '100', ['500', '100']],
    ['a reverse split scales both', '50', '10', '6', '1', ['5', '1']],
    ['a split of a short scales both', '-50', '-10', '-600', '100', ['-500', '-100']],
    ['more than the split explains is kept', '50', '10', '900', '100', ['890', '10']],
    ['less than it explains is less of its own', '50', '10', '55', '100', ['50', '5']],
    ['the other side is kept', '50', '10', '-5', '20', ['-5', '0']],
  ])('while prices are of different shares: %s', (_, kept, own, held, ours, meanwhile) => {
    const before = parts(kept, own);
    const { present, parts: stored, changes } = seen(before, held, { quoteOf: quoted(ours) });
    expect(textOf(present)).toEqual(meanwhile);
    expect([textOf(stored), changes.length]).toEqual([[kept, own], 0]);
  });

  it('knows a purchase by hand while prices are of different shares, and stores it once they are not', () => {
    const keptMore = (list: DividedAccount['changes']) =>
      list.map((change) => decimalText(change.keptMore));
    const waiting = seen(parts('50', '10'), '65', { quoteOf: quoted('15') });
    expect([keptMore(waiting.changes), keptMore(waiting.inDoubt)]).toEqual([[], ['5']]);
    const clear = seen(waiting.parts, '65', { quoteOf: quoted('10') });
    expect([keptMore(clear.changes), keptMore(clear.inDoubt)]).toEqual([['5'], []]);
    const split = seen(parts('50', '10'), '90', { quoteOf: quoted('15') });
    expect(split.inDoubt).toEqual([]);
  });

  it('while prices are of different shares, nothing raises what the bot owns, and no part turns', () => {
    const amount = fc.integer({ min: 0, max: 60 });
    const price = fc.integer({ min: 1, max: 200 });
    fc.assert(
      fc.property(amount, amount, amount, price, (kept, own, held, ours) => {
        fc.pre(ours < 9 || ours > 11);
        const { present } = seen(parts(`${kept}`, `${own}`), `${held}`, {
          quoteOf: quoted(`${ours}`),
        });
        const [theirs, its] = textOf(present).map(Number);
        expect((theirs ?? NaN) + (its ?? NaN)).toBeCloseTo(held, 9);
        expect(Math.min(theirs ?? NaN, its ?? NaN)).toBeGreaterThanOrEqual(0);
        // Scaled by a split, its worth stays within the tenth by which prices may differ.
        expect(10 * (its ?? NaN)).toBeLessThanOrEqual(Math.max(10, ours * 1.1) * own + 1e-9);
      }),
    );
  });

  it.each([
    // before: kept, own; held; cash that it took at 10
    ['a purchase', '50', '10', '65', '-50'],
    ['a first purchase', '0', '0', '30', '-300'],
    ["a sale of the bot's part", '50', '10', '52', '0'],
    ['a sale of what is kept brings cash in, which is no gain', '50', '10', '30', '0'],
    ['a short that is kept reserves its cash', '0', '0', '-30', '0'],
    ['a short that turned into a kept holding', '-8', '-2', '5', '-50'],
  ])('%s by hand, in cash', (_, kept, own, held, cash) => {
    const { changes } = seen(parts(kept, own), held);
    expect(decimalText(cashTakenByHand(changes, () => decimal('10')))).toBe(cash);
  });

  it('a sale of what is kept pays for a purchase', () => {
    const change = (keptMore: string) => ({
      stockId: KO,
      kind: 'added' as const,
      amount: ONE,
      keptMore: decimal(keptMore),
      ownLess: ZERO,
    });
    const taken = cashTakenByHand([change('-30'), change('50')], () => decimal('10'));
    expect(decimalText(taken)).toBe('-200');
  });

  it.each([
    ['110', '100', true],
    ['110.01', '100', false],
    ['90', '100', true],
    ['10', '100', false],
  ])('a broker at %s and a quote of %s: the same shares %s', (broker, ours, isSame) => {
    expect(isSamePrice(decimal(broker), { bid: decimal(ours), ask: decimal(ours) })).toBe(isSame);
  });

  it('whatever both do by hand and by orders, the bot never counts more than its fills, and what is kept moves by hand alone', () => {
    const trade = fc.record({ byBot: fc.boolean(), amount: fc.integer({ min: -30, max: 30 }) });
    fc.assert(
      fc.property(fc.nat(40), fc.array(trade, { maxLength: 30 }), (start, trades) => {
        let held = start;
        let filled = 0;
        let { parts: now } = seen(new Map(), `${held}`);
        for (const { byBot, amount } of trades) {
          const own = Number(decimalText(now.get(KO)?.own ?? ZERO));
          const kept = Number(decimalText(now.get(KO)?.kept ?? ZERO));
          // A bot sells at most its own, and nobody sells more than there is.
          const done = Math.max(amount, byBot ? -own : -held);
          held += done;
          if (byBot) {
            filled += Math.max(done, 0);
            now = withFill(now, KO, { filled: decimal(`${done}`), at: 0 });
          }
          now = seen(now, `${held}`).parts;
          const after = now.get(KO) ?? { kept: ZERO, own: ZERO };
          expect(after.kept.plus(after.own).eq(decimal(`${held}`))).toBe(true);
          expect(after.own.gte(ZERO) && after.own.lte(decimal(`${filled}`))).toBe(true);
          if (byBot) expect(after.kept.eq(decimal(`${kept}`))).toBe(true);
        }
      }),
    );
  });
});

describe('the account that a bot may see (contract 10)', () => {
  const listed = (stockId: string) => stockId !== XYZ;

  it('has neither the amounts nor the value of what is kept', () => {
    const seen = managedAccount(account('100', { [KO]: '60' }), parts('50', '10'), listed);
    expect(decimalText(seen.equity)).toBe('200');
    expect(
      seen.positions.map(({ amount, value }) => [decimalText(amount), decimalText(value)]),
    ).toEqual([['10', '100']]);
  });

  it('has no instrument that the service does not list, whoever bought it', () => {
    const seen = managedAccount(account('100', { [XYZ]: '100' }), new Map(), listed);
    expect([decimalText(seen.equity), seen.positions.length]).toEqual(['100', 0]);
  });

  it('reserves the cash that buys a kept short back', () => {
    const seen = managedAccount(account('300', { [KO]: '-10' }), parts('-10', '0'), listed);
    expect([decimalText(seen.equity), decimalText(seen.cash)]).toEqual(['200', '200']);
  });

  it('is worth its cash and positions together, whatever is kept', () => {
    const amount = fc.integer({ min: -50, max: 50 });
    fc.assert(
      fc.property(amount, amount, amount, (ko, kept, xyz) => {
        const whole = account('500', { [KO]: `${ko}`, [XYZ]: `${xyz}` });
        const { equity, cash, positions } = managedAccount(whole, parts(`${kept}`, '0'), listed);
        expect(equity.eq(cash.plus(sum(positions.map(({ value }) => value))))).toBe(true);
      }),
    );
  });

  it.each([
    ['50', '0.3', []],
    ['50', '-0.3', [KO]],
    ['-50', '0.3', [KO]],
    ['0', '-0.3', []],
  ])('kept %s: a target of %s leaves out %j', (kept, weight, leftOut) => {
    const beside = besideKept(new Map([[KO, decimal(weight)]]), parts(kept, '0'));
    expect(beside.leftOut).toEqual(leftOut);
    expect(beside.weights.size).toBe(1 - leftOut.length);
  });
});
