import { describe, expect, it } from '@jest/globals';
import { MINUTE, decimal } from '@slipstream/domain';
import { anEarning } from '@slipstream/port-contracts';
import type { Caller, UserCaller } from '../../src/index.js';
import { PASSWORD, codeIn } from '../accounts.js';
import type { App } from '../app.js';
import { type BillingWorld, DAY, DETAILS, START, billingWorld } from '../billing/billing-world.js';
import { outcomesAmid } from '../interleavings.js';

const anonymous: Caller = { kind: 'anonymous' };
const EMAIL = 'ada@example.com';
const NEW = 'set by a mailed code';
const OTHER = 'another new one';

interface World extends BillingWorld {
  readonly ada: UserCaller;
  /** The codes that were mailed: for a new password, and to a new address. */
  readonly codes: { readonly reset: string; readonly address: string };
  /** Of a second factor that is not on yet. */
  readonly secret: string;
}
type Ask = (app: App, world: World) => Promise<unknown>;
type Before = (world: World) => Promise<unknown>;

/** A user with two strategies, a bank account, and mails with codes that are not used yet. */
async function world(): Promise<World> {
  const made = await billingWorld();
  const { app, ports } = made;
  const ada = await made.confirmed('ada');
  await made.pay(ada, 'test_bank');
  for (const price of [30, 0]) await made.priced(ada, price);
  ports.clock.advance(4 * DAY);
  const { secret } = await app.newTotp(ada, { password: PASSWORD });
  await app.updateEmail(ada, { email: 'other@example.com', password: PASSWORD });
  await app.newPasswordReset(anonymous, { email: EMAIL });
  for (let rounds = 0; rounds < 3; rounds += 1) await app.sendMails();
  const codeTo = (address: string, subject: string): string =>
    codeIn(ports.mailer.sent.find((mail) => mail.to === address && mail.subject === subject));
  const codes = {
    reset: codeTo(EMAIL, 'A new password for your account'),
    address: codeTo('other@example.com', 'Confirm your new e-mail address'),
  };
  ports.clock.advance(MINUTE);
  return { ...made, ada, secret, codes };
}

const hasEarned: Before = ({ ports: { unitOfWork }, ada: { userId } }) =>
  unitOfWork.run(({ earnings }) =>
    earnings.save(
      anEarning({ userId, money: 'simulated', amount: decimal('24'), settlesAt: START }),
    ),
  );

const codeOfApp = ({ secret, ports }: World): string =>
  `${secret}:${Math.floor(ports.clock.now() / 30_000)}`;

const ASKS = {
  'a reset': (app, { codes }) =>
    app.updatePassword(anonymous, { resetCode: codes.reset, newPassword: NEW }),
  'another reset with its code': (app, { codes }) =>
    app.updatePassword(anonymous, { resetCode: codes.reset, newPassword: OTHER }),
  updatePassword: (app, { ada }) =>
    app.updatePassword(ada, { password: PASSWORD, newPassword: OTHER }),
  newSession: (app) => app.newSession(anonymous, { email: EMAIL, password: PASSWORD }),
  newToken: (app, { ada }) => app.newToken(ada, { name: 'late', scope: ['*'] }),
  newWithdrawal: (app, { ada }) =>
    app.newWithdrawal(ada, { amount: decimal('20'), password: PASSWORD }),
  newPaymentSource: (app, { ada }) =>
    app.newPaymentSource(ada, {
      ...{ token: 'test_bank', direction: 'out', details: DETAILS, password: PASSWORD },
    }),
  updateEmail: (app, { ada }) =>
    app.updateEmail(ada, { email: 'third@example.com', password: PASSWORD }),
  confirmEmail: (app, { codes }) => app.confirmEmail(anonymous, { code: codes.address }),
  newTotp: (app, { ada }) => app.newTotp(ada, { password: PASSWORD }),
  confirmTotp: (app, begun) => app.confirmTotp(begun.ada, { totp: codeOfApp(begun) }),
  deleteUser: (app, { ada }) => app.deleteUser(ada, { password: PASSWORD }),
} as const satisfies Record<string, Ask>;
type Name = keyof typeof ASKS;

const pairOf = (one: Name, other: Name): (readonly [Name, Name])[] =>
  one === other
    ? [[one, other]]
    : [
        [one, other],
        [other, one],
      ];

const isAnswered = (end: string): boolean => end === 'answered';

const outcomesOf = (flow: Ask, other: Ask, before: Before = hasEarned) =>
  outcomesAmid({
    async begin() {
      const begun = await world();
      await before(begun);
      return begun;
    },
    flow,
    other,
    async outcome(app, { ada: { userId }, ports }, ended) {
      const kept = await ports.unitOfWork.read(async (stores) => {
        const user = await stores.users.find(userId);
        return {
          email: user?.email,
          secondFactor: user?.secondFactor?.since ?? null,
          tokens: (await stores.tokens.listOf(userId)).map(({ name }) => name),
          sources: (await stores.paymentSources.listOf(userId)).map(({ status }) => status),
          withdrawals: (await stores.withdrawals.list(userId, { limit: 9 })).length,
          strategies: (await stores.strategies.ownedBy(userId, { limit: 9 })).length,
        };
      });
      const passwords: string[] = [];
      for (const password of [PASSWORD, NEW, OTHER])
        await app.newSession(anonymous, { email: EMAIL, password }).then(
          () => passwords.push(password),
          () => undefined,
        );
      return { flow: isAnswered(ended.flow), other: isAnswered(ended.other), passwords, ...kept };
    },
  });

describe('at every moment of a request about an account', () => {
  const PAIRS: readonly (readonly [Name, Name])[] = [
    ...(Object.keys(ASKS) as Name[]).flatMap((name) => pairOf('a reset', name)),
    ...pairOf('updatePassword', 'newSession'),
    ...pairOf('updatePassword', 'confirmEmail'),
    ...pairOf('updatePassword', 'confirmTotp'),
    ...pairOf('updatePassword', 'updatePassword'),
    ...pairOf('confirmTotp', 'confirmTotp'),
    ...pairOf('confirmTotp', 'newTotp'),
    ...pairOf('confirmTotp', 'newWithdrawal'),
    ...pairOf('newToken', 'newToken'),
  ];

  it.each(PAIRS)(
    'another one comes before or after the whole of it: %s, amid it %s',
    async (flow, other) => {
      const outcomes = await outcomesOf(ASKS[flow], ASKS[other]);
      const last = Math.max(...outcomes.flatMap(({ moments }) => moments));
      const between = outcomes.filter(
        ({ moments }) => !moments.includes(1) && !moments.includes(last),
      );
      expect(between).toEqual([]);
    },
  );
});

describe('a token that is revoked while it sets a new password', () => {
  it('sets none, at every moment of it', async () => {
    const revokes: Ask = (app, { ada }) => app.deleteToken(ada, { tokenId: ada.tokenId });
    const outcomes = await outcomesOf(ASKS.updatePassword, revokes);
    expect(outcomes.map(({ became }) => [became.flow, became.passwords])).toEqual([
      [false, [PASSWORD]],
      [true, [OTHER]],
    ]);
  });
});

describe('a code of the second factor', () => {
  type Show = (app: App, world: World, totp: string) => Promise<unknown>;
  const SHOWN: readonly (readonly [name: string, show: Show])[] = [
    [
      'newSession',
      (app, _, totp) => app.newSession(anonymous, { email: EMAIL, password: PASSWORD, totp }),
    ],
    [
      'newWithdrawal',
      (app, { ada }, totp) =>
        app.newWithdrawal(ada, { amount: decimal('12'), password: PASSWORD, totp }),
    ],
    ['deleteTotp', (app, { ada }, totp) => app.deleteTotp(ada, { password: PASSWORD, totp })],
  ];
  const pairs = SHOWN.flatMap(([flow, shows]) =>
    SHOWN.map(([other, showsToo]) => ({ flow, shows, other, showsToo })),
  );

  it.each(pairs)(
    'lets one request of two on, at every moment: $flow, amid it $other',
    async ({ shows, showsToo }) => {
      for (const isRecovery of [false, true]) {
        const recovery = new Map<World, string>();
        const isOn: Before = async (begun) => {
          await hasEarned(begun);
          const [code = ''] = await ASKS.confirmTotp(begun.app, begun);
          recovery.set(begun, code);
          begun.ports.clock.advance(MINUTE);
        };
        const codeOf = (begun: World): string =>
          (isRecovery ? recovery.get(begun) : undefined) ?? codeOfApp(begun);
        const outcomes = await outcomesOf(
          (app, begun) => shows(app, begun, codeOf(begun)),
          (app, begun) => showsToo(app, begun, codeOf(begun)),
          isOn,
        );
        const answered = outcomes.map(({ became }) => [became.flow, became.other]);
        expect(answered.filter(([flow, other]) => flow === other)).toEqual([]);
      }
    },
  );
});

describe('a reset of the password amid deleteUser by the old one', () => {
  it('keeps the account, and what it has by then, at every moment of it', async () => {
    const strategiesOf = ({ ports: { unitOfWork }, ada: { userId } }: World): Promise<number> =>
      unitOfWork.read(
        async ({ strategies }) => (await strategies.ownedBy(userId, { limit: 9 })).length,
      );
    const strategiesThen = new Map<World, number>();
    const outcomes = await outcomesAmid({
      begin: world,
      flow: ASKS.deleteUser,
      async other(app, begun) {
        await ASKS['a reset'](app, begun);
        strategiesThen.set(begun, await strategiesOf(begun));
      },
      async outcome(_, begun, { flow, other }) {
        const left = await strategiesOf(begun);
        return {
          areBothDone: isAnswered(flow) && isAnswered(other),
          lost: (strategiesThen.get(begun) ?? left) - left,
        };
      },
    });
    expect(outcomes.map(({ became }) => became)).toEqual([{ areBothDone: false, lost: 0 }]);
  });
});
