import { describe, expect, it } from '@jest/globals';
import { id } from '../../ids.js';
import { decimal } from '../../numbers/decimal.js';
import type { BrokerAccount } from '../bot-account.js';
import type { HeldParts } from './held-part.js';
import { underKnownNames, withToldNames } from './renamed-holding.js';

const NOW = Date.UTC(2026, 2, 4, 15);
const [ACME, BOLT] = [id<'stock'>('acme'), id<'stock'>('bolt')];

type Shares = Readonly<Record<string, string>>;

const position = (name: string, amount: string, price: string) => ({
  stockId: id<'stock'>(name),
  amount: decimal(amount),
  price: decimal(price),
  value: decimal(amount).times(price),
});

const accountOf = (shares: Shares, price: string): BrokerAccount => ({
  equity: decimal('1000'),
  cash: decimal('0'),
  buyingPower: decimal('0'),
  maxGross: decimal('2'),
  positions: Object.entries(shares).map(([name, amount]) => position(name, amount, price)),
  allows: 'all',
  because: null,
});

const partsOf = (shares: Shares): HeldParts =>
  new Map(
    Object.entries(shares).map(([name, amount]) => [
      id<'stock'>(name),
      { kept: decimal('0'), own: decimal(amount), seenAt: NOW - 60_000 },
    ]),
  );

const split = (newShares: string, oldShares = '1') =>
  new Map([
    [
      ACME,
      [
        {
          ratio: { newShares: decimal(newShares), oldShares: decimal(oldShares) },
          at: NOW - 30_000,
        },
      ],
    ],
  ]);

describe('the names in an account', () => {
  it.each<[string, Shares, Shares, string, string[]]>([
    ['as they are known', { acme: '3' }, { acme: '3' }, '100', ['acme']],
    ['a new one of the shares that are missing', { acme: '3' }, { new: '3' }, '100', ['acme']],
    ['of a short', { acme: '-3' }, { new: '-3' }, '100', ['acme']],
    ['at a price that moved far', { acme: '3' }, { new: '3' }, '76', ['acme']],
    ['at a price of other shares', { acme: '3' }, { new: '3' }, '74', ['new']],
    ['at another such price', { acme: '3' }, { new: '3' }, '128', ['new']],
    ['of other shares', { acme: '3' }, { new: '3.1' }, '100', ['new']],
    ['of the other side', { acme: '3' }, { new: '-3' }, '100', ['new']],
    ['beside the known one', { acme: '3' }, { acme: '3', new: '3' }, '100', ['acme', 'new']],
    ['known as it is', { acme: '3', new: '3' }, { new: '3' }, '100', ['new']],
    ['listed here', { acme: '3' }, { bolt: '3' }, '100', ['bolt']],
    ['one for two', { acme: '3', bolt: '3' }, { new: '3' }, '100', ['new']],
    ['two for one', { acme: '3' }, { new: '3', newer: '3' }, '100', ['new', 'newer']],
    ['two for two', { acme: '3', bolt: '4' }, { b: '4', a: '3' }, '100', ['bolt', 'acme']],
    ['of nothing', { acme: '0' }, { new: '0' }, '100', ['new']],
  ])('%s', (_, known, told, price, names) => {
    const seen = underKnownNames(accountOf(told, price), partsOf(known), {
      now: NOW,
      splits: new Map(),
      quoteOf: () => ({ bid: decimal('100'), ask: decimal('100') }),
      isListed: (stockId) => [ACME, BOLT].includes(stockId),
    });
    expect(seen.positions.map(({ stockId }) => stockId)).toEqual(names);
    expect(seen.positions.map(({ amount }) => amount.toFixed())).toEqual(Object.values(told));
  });

  it.each([
    ['of new shares', '2', '6', 'acme'],
    ['of old shares, long after the split', '2', '3', 'new'],
  ])('after a split, %s', (_, ratio, amount, name) => {
    const seen = underKnownNames(accountOf({ new: amount }, '50'), partsOf({ acme: '3' }), {
      now: NOW + 3_600_000,
      splits: split(ratio),
      quoteOf: () => ({ bid: decimal('50'), ask: decimal('50') }),
      isListed: (stockId) => stockId === ACME,
    });
    expect(seen.positions.map(({ stockId }) => stockId)).toEqual([name]);
  });

  it.each([
    ['counted to nine places', '3.142857143', 'acme'],
    ['in whole shares, with cash for the rest', '3', 'acme'],
    ['in whole shares, with a whole one for the rest', '4', 'acme'],
    ['of others', '3.2', 'new'],
  ])('after a reverse split, of the new shares as brokers book them, %s', (_, amount, name) => {
    const seen = underKnownNames(accountOf({ new: amount }, '700'), partsOf({ acme: '22' }), {
      now: NOW + 3_600_000,
      splits: split('1', '7'),
      quoteOf: () => ({ bid: decimal('700'), ask: decimal('700') }),
      isListed: (stockId) => stockId === ACME,
    });
    expect(seen.positions.map(({ stockId }) => stockId)).toEqual([name]);
  });

  const read = (known: HeldParts, told: Shares, price: string, lastPrice?: string) => {
    const reported = accountOf(told, price);
    const named = underKnownNames(reported, known, {
      now: NOW,
      splits: new Map(),
      quoteOf: () => ({ bid: decimal('100'), ask: decimal('100') }),
      lastPriceOf: () => (lastPrice === undefined ? undefined : decimal(lastPrice)),
      isListed: (stockId) => [ACME, BOLT].includes(stockId),
    });
    return {
      names: named.positions.map(({ stockId }) => stockId),
      parts: withToldNames(known, named, reported),
    };
  };

  it.each([
    ['at the price at which it was last seen in the account', '70', '68', ['acme']],
    ['at neither price', '70', '50', ['new']],
  ])('a new one of the shares that are missing, %s', (_, price, lastPrice, names) => {
    expect(read(partsOf({ acme: '3' }), { new: '3' }, price, lastPrice).names).toEqual(names);
  });

  it('once known stay known: the owner may trade it and its price may run away until both sides have the new one', () => {
    const { parts } = read(partsOf({ acme: '3' }), { new: '3' }, '100');
    expect(read(parts, { new: '8' }, '300').names).toEqual(['acme']);
    expect(read(parts, { newer: '8' }, '300').names).toEqual(['newer']);
    expect(read(parts, { newer: '3' }, '100').names).toEqual(['acme']);
    expect(read(parts, { acme: '3', new: '8' }, '300').names).toEqual(['acme', 'new']);
    const back = read(parts, { acme: '8' }, '300');
    expect([...back.parts.values()].map(({ toldAs }) => toldAs)).toEqual([undefined]);
    expect(read(back.parts, { new: '8' }, '300').names).toEqual(['new']);
  });

  it('once known stay known beside others of as many shares, missing ones and new ones', () => {
    const first = read(partsOf({ acme: '3', bolt: '3' }), { new: '3', bolt: '3' }, '100');
    expect(first.names).toEqual(['acme', 'bolt']);
    expect(read(first.parts, { new: '3' }, '100').names).toEqual(['acme']);
    expect(read(first.parts, { new: '3', bought: '3', bolt: '3' }, '100').names).toEqual([
      'acme',
      'bought',
      'bolt',
    ]);
    expect(read(first.parts, { new: '3', newer: '3' }, '100').names).toEqual(['acme', 'bolt']);
  });

  it('without a quote are not compared', () => {
    const account = accountOf({ new: '3' }, '100');
    const seen = underKnownNames(account, partsOf({ acme: '3' }), {
      now: NOW,
      splits: new Map(),
      quoteOf: () => undefined,
      isListed: (stockId) => stockId === ACME,
    });
    expect(seen.positions).toEqual(account.positions);
  });
});
