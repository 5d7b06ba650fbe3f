import { describe, expect, it } from '@jest/globals';
import { id } from '../ids.js';
import { MAX_MAIL_ATTEMPTS, type OutgoingMail, afterFailure } from './mail.js';

const mail = (attempts: number): OutgoingMail => ({
  id: id('mail-1'),
  userId: id('user-1'),
  to: 'ada@example.com',
  subject: 'A subject',
  sealedText: 'sealed',
  urgency: 1,
  failure: null,
  attempts,
  dueAt: 0,
  createdAt: 0,
});

describe('a mail that could not be sent', () => {
  it.each([
    [0, 30_000],
    [1, 60_000],
    [2, 120_000],
    [9, 15_360_000],
    [10, 21_600_000],
    [15, 21_600_000],
  ])('waits after %i earlier failures for %i ms', (attempts, wait) => {
    expect(afterFailure(mail(attempts), 1000)).toMatchObject({
      attempts: attempts + 1,
      dueAt: 1000 + wait,
    });
  });

  it('is given up in the end', () => {
    expect(afterFailure(mail(MAX_MAIL_ATTEMPTS - 1), 0)).toBeUndefined();
  });
});
