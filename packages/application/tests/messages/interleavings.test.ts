import { describe, expect, it } from '@jest/globals';
import { DAY } from '@slipstream/domain';
import { type Mail, MailRefused } from '@slipstream/ports';
import type { Caller } from '../../src/index.js';
import { PASSWORD, userOf } from '../accounts.js';
import type { App } from '../app.js';
import { type Fixture, fixture } from '../fixture.js';
import { outcomesAmid } from '../interleavings.js';

interface World extends Fixture {
  readonly ada: Caller;
  readonly sent: Mail[];
}

/** A user whose mail of the sign-up waits, at a mail server that answers so. */
async function world(answer: () => void): Promise<World> {
  const sent: Mail[] = [];
  const mailer = {
    sent,
    send: async (mail: Mail) => {
      sent.push(mail);
      answer();
    },
  };
  const made = await fixture({ mailer });
  return { ...made, ada: await made.user('ada'), sent };
}

const ANSWERS: readonly (readonly [name: string, answer: () => void])[] = [
  ['takes', () => undefined],
  [
    'does not take',
    () => {
      throw new Error('not now');
    },
  ],
  [
    'refuses',
    () => {
      throw new MailRefused('550 no such user');
    },
  ],
];

/** The mail failed while the clock was a year ahead. */
async function isPutOff({ ports: { unitOfWork, clock } }: World): Promise<void> {
  const waiting = await unitOfWork.read(({ mails }) => mails.due(clock.now() + DAY, 9));
  await unitOfWork.run(async ({ mails }) => {
    for (const mail of waiting) await mails.save({ ...mail, dueAt: clock.now() + 366 * DAY });
  });
}

describe('at every moment at which mails are sent', () => {
  const pairs = ANSWERS.flatMap(([name, answer]) =>
    [false, true].map((wasAhead) => ({ name, answer, wasAhead })),
  );

  it.each(pairs)(
    'deleteUser leaves no mail and no notification of the account: by a server that $name it, put off by a clock that was ahead: $wasAhead',
    async ({ answer, wasAhead }) => {
      const outcomes = await outcomesAmid({
        async begin() {
          const begun = await world(answer);
          if (wasAhead) await isPutOff(begun);
          return begun;
        },
        flow: (app: App) => app.sendMails(),
        other: (app: App, { ada }) => app.deleteUser(ada, { password: PASSWORD }),
        outcome: (_, { ports: { unitOfWork }, ada }) =>
          unitOfWork.read(async ({ mails, notifications }) => ({
            mails: (await mails.listOf(userOf(ada))).length,
            notifications: (await notifications.list(userOf(ada), { limit: 9 })).length,
          })),
      });
      expect(outcomes.map(({ became }) => became)).toEqual([{ mails: 0, notifications: 0 }]);
    },
  );
});
