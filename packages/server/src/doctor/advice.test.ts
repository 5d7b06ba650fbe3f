import { describe, expect, it } from '@jest/globals';
import { advice } from './advice.js';
import { findingsAbout } from './finding.js';

const feed = findingsAbout('feed');
const disk = findingsAbout('disk');

describe('the advice of the doctor', () => {
  it('begins with what does not work, and says once what mends several findings', () => {
    const quotes = ['coinbase', 'kraken', 'alpaca'].map((name) =>
      feed.doubtful(`quotes of ${name}: not healthy`, 'Read the log.'),
    );
    expect(advice([...quotes, disk.bad('the disk is full', 'Make room.')])).toBe(
      'To mend, in this order:\n  1. disk: Make room.\n  2. feed: Read the log.',
    );
  });

  it('is short when nothing is to be mended', () => {
    expect(advice([disk.good('the disk has room')])).toBe('All is well.');
  });
});
