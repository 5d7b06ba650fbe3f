import { describe, expect, it } from '@jest/globals';
import { percent, rounded, signedPercent, signedUsd } from './format.js';

describe('a figure for people', () => {
  it('has no sign where it is shown as zero, as on the pages', () => {
    for (const text of ['0', '0.00004', '-0.00004'])
      expect([signedPercent(text), percent(text)]).toEqual(['0.00\u00a0%', '0.00\u00a0%']);
    expect([rounded('-0.4', 0), signedUsd('-0.004')]).toEqual(['0', '0.00\u00a0USD']);
  });

  it('is rounded half up, away from zero, and has its sign', () => {
    expect(['0.00005', '-0.00005'].map(signedPercent)).toEqual([
      '+0.01\u00a0%',
      '\u22120.01\u00a0%',
    ]);
    expect(['0.005', '-1234.5'].map(signedUsd)).toEqual([
      '+0.01\u00a0USD',
      '\u22121\u202f234.50\u00a0USD',
    ]);
  });
});
