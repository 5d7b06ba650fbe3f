import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { tidiedAlert } from './tidied-alert.js';

describe('the alert_id of an alert', () => {
  it.each([
    ['{{strategy.order.id}}', false],
    ['order-{{ticker}}-7', false],
    ['{{a\nb}}', false],
    ['{{}}', false],
    ['{{{}}}', false],
    ['}}{{}}', false],
    ['{{}', true],
    ['}}{{', true],
    ['{a}', true],
    ['order-7', true],
  ])('%j counts: %s', (id, counts) => {
    expect(tidiedAlert({ alert_id: id })).toEqual(counts ? { alert_id: id } : {});
  });

  it('counts unless a placeholder opens in it and closes after that', () => {
    const text = fc.string({ unit: fc.constantFrom('{', '}', 'a', '\n'), maxLength: 12 });
    fc.assert(
      fc.property(text, (inner) => {
        const id = `x${inner}x`;
        expect('alert_id' in tidiedAlert({ alert_id: id })).toBe(!/\{\{.*\}\}/s.test(id));
      }),
    );
  });
});
