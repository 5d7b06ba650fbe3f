import { describe, expect, it } from '@jest/globals';
import { type Settings, consequencesOf, endOf, settingsOf } from '../src/figures/settings.js';
import type { Strategy } from '../src/service/records.js';

const strategy = (followers: string, part: Partial<Strategy> = {}) =>
  ({
    ...{ name: 'Momentum', description: '', categories: ['trend'], price: 15, private: false },
    ...{ subscriber_count: followers, ...part },
  }) as Strategy;
const changed = (of: Strategy, part: Partial<Settings>) =>
  consequencesOf(of, { ...settingsOf(of), ...part });

describe('the consequences of a change, said before it is made', () => {
  it.each([
    ['1', 'Your one follower keeps the price of when they began.'],
    ['12', 'Your 12 followers keep the price of when they began.'],
  ])('are for %s followers first', (followers, sentence) => {
    expect(changed(strategy(followers), { price: 0 })).toEqual([
      sentence,
      'Who follows from now on pays nothing.',
    ]);
  });

  it('name who no longer sees it, and who sees it from now on', () => {
    expect(changed(strategy('0'), { private: true })).toEqual([
      expect.stringMatching(/^Others no longer find or open it/),
    ]);
    expect(changed(strategy('0', { private: true }), { private: false })).toEqual([
      'Everybody can find it, see its record and follow it.',
    ]);
  });

  it('are none where nothing differs', () =>
    expect(changed(strategy('3'), {})).toEqual(['Nothing differs from what it is.']));

  it('of the end speak of refunds where followers pay', () => {
    expect(endOf(strategy('2')).join(' ')).toContain('are refunded from your earnings');
    // Its price may have been another one when they began, which they keep.
    expect(endOf(strategy('2', { price: 0 })).join(' ')).toContain('Who pays a price of before');
    expect(endOf(strategy('0', { price: 0 })).join(' ')).not.toContain('from your earnings');
    expect(endOf(strategy('0'))[0]).toBe('Nobody follows it.');
  });
});
