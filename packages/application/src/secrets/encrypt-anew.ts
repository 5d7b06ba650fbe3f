import type { User } from '@slipstream/domain';
import type { ReadStores, Stores } from '@slipstream/ports';
import { detailsContext } from '../billing/payment-views.js';
import type { Core } from '../core.js';
import { targetContext } from '../endpoints/targets.js';
import { mailContext } from '../messages/outgoing-mail.js';
import { credentialsContext } from '../mirroring/bot-deps.js';
import { openedIfReadable } from './lost-key.js';
import { secretContext } from '../accounts/second-factor-codes.js';

/** Secrets of one kind. */
interface Kind {
  /** What they are, in the plural. */
  readonly name: string;
  /** Those of the user. */
  of(stores: ReadStores, user: User): Promise<readonly Secret[]>;
}

interface Secret {
  readonly sealed: string;
  readonly context: string;
  /** Puts another sealed text in its place. */
  save(stores: Stores, sealed: string): Promise<void>;
}

const KINDS: readonly Kind[] = [
  {
    name: 'bots',
    of: async ({ bots }, { id }) =>
      (await bots.listOf(id)).map((bot) => ({
        sealed: bot.sealedCredentials,
        context: credentialsContext(bot.id),
        save: (stores, sealedCredentials) => stores.bots.save({ ...bot, sealedCredentials }),
      })),
  },
  {
    name: 'payment sources',
    of: async ({ paymentSources }, { id }) =>
      (await paymentSources.listOf(id)).flatMap(({ sealedDetails: sealed, ...source }) =>
        sealed === null
          ? []
          : {
              sealed,
              context: detailsContext(source.id),
              save: (stores, sealedDetails) =>
                stores.paymentSources.save({ ...source, sealedDetails }),
            },
      ),
  },
  {
    name: 'second factors',
    of: async (_, { secondFactor, ...user }) =>
      secondFactor === null
        ? []
        : [
            {
              sealed: secondFactor.sealedSecret,
              context: secretContext(user),
              save: (stores, sealedSecret) =>
                stores.users.save({ ...user, secondFactor: { ...secondFactor, sealedSecret } }),
            },
          ],
  },
  {
    name: 'endpoints',
    of: async ({ endpoints }, { id }) =>
      (await endpoints.listOf(id)).map((endpoint) => ({
        sealed: endpoint.sealedTarget,
        context: targetContext(endpoint.id),
        save: (stores, sealedTarget) => stores.endpoints.save({ ...endpoint, sealedTarget }),
      })),
  },
  {
    name: 'mails',
    of: async ({ mails }, { id }) =>
      (await mails.listOf(id)).map((mail) => ({
        sealed: mail.sealedText,
        context: mailContext(mail.id),
        save: (stores, sealedText) => stores.mails.save({ ...mail, sealedText }),
      })),
  },
];

/** How many secrets of a kind are encrypted anew, and how many no key opens: theirs was lost before. */
export interface EncryptedAnew {
  /** What they are, in the plural. */
  readonly kind: string;
  readonly count: number;
  readonly unreadable: number;
}

/** How many users are in one transaction. */
const USERS_AT_ONCE = 100;

interface Outcome {
  readonly kind: string;
  readonly isReadable: boolean;
}

/** Encrypts what that user has anew, and says what came of each. */
async function ofUser(
  secretBox: Core['secretBox'],
  stores: Stores,
  user: User,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const { name: kind, of } of KINDS)
    for (const { sealed, context, save } of await of(stores, user)) {
      const plain = openedIfReadable(secretBox, sealed, context);
      if (plain !== undefined) await save(stores, secretBox.seal(plain, context));
      outcomes.push({ kind, isReadable: plain !== undefined });
    }
  return outcomes;
}

/**
 * Encrypts everything anew that lasts, so that the first master key opens it: after that no older one is needed for it. Left out are
 * answers kept for a day, prepared plans, and events on their way to endpoints, which are tried for two. `progressed` hears how many
 * users are done of how many. An interrupted run loses nothing, and is repeated. Nothing else may write meanwhile.
 */
export const encryptAnew =
  ({ unitOfWork, secretBox }: Pick<Core, 'unitOfWork' | 'secretBox'>) =>
  async (
    progressed: (done: number, of: number) => void = () => undefined,
  ): Promise<EncryptedAnew[]> => {
    const { users: all } = await unitOfWork.read(({ counts }) => counts.all());
    const outcomes: Outcome[] = [];
    let done = 0;
    for (let cursor: string | undefined, isMore = true; isMore;) {
      const page = { limit: USERS_AT_ONCE, cursor };
      const { users, found } = await unitOfWork.run(async (stores) => {
        const some = await stores.users.page(page);
        const each: Outcome[] = [];
        for (const user of some) each.push(...(await ofUser(secretBox, stores, user)));
        return { users: some, found: each };
      });
      outcomes.push(...found);
      done += users.length;
      progressed(done, all);
      cursor = users.at(-1)?.id;
      isMore = users.length === USERS_AT_ONCE;
    }
    return KINDS.map(({ name }) => {
      const ofKind = outcomes.filter(({ kind }) => kind === name);
      const count = ofKind.filter(({ isReadable }) => isReadable).length;
      return { kind: name, count, unreadable: ofKind.length - count };
    });
  };
