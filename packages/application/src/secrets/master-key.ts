import type { Ports, ReadStores } from '@slipstream/ports';
import { credentialsContext } from '../mirroring/bot-deps.js';
import { mailContext } from '../messages/outgoing-mail.js';
import { openedIfReadable } from './lost-key.js';

type Needs = Pick<Ports, 'unitOfWork' | 'secretBox'>;

const CONTEXT = 'key_proof';
const TEXT = 'slipstream';

/** A time later than any mail is due. */
const END_OF_TIME = 8_640_000_000_000_000;

interface Sealed {
  readonly text: string;
  readonly context: string;
}

/** The proof; in an older storage without one, any of its secrets. */
async function anySealed(stores: ReadStores): Promise<Sealed | undefined> {
  const proof = await stores.keyProof.find();
  if (proof !== undefined) return { text: proof, context: CONTEXT };
  const [mail] = await stores.mails.due(END_OF_TIME, 1);
  if (mail) return { text: mail.sealedText, context: mailContext(mail.id) };
  const bot = await stores.bots.any();
  return bot && { text: bot.sealedCredentials, context: credentialsContext(bot.id) };
}

/** Whether the storage was used before, so that its secrets already have a master key. */
export const isUsed = ({ unitOfWork }: Pick<Needs, 'unitOfWork'>): Promise<boolean> =>
  unitOfWork.read(
    async ({ keyProof, audit, stocks }) =>
      (await keyProof.find()) !== undefined ||
      (await audit.last()) !== undefined ||
      (await stocks.all()).length > 0,
  );

/** Stores the proof that this is the master key of the storage's secrets. */
export const acceptMasterKey = ({ unitOfWork, secretBox }: Needs): Promise<void> =>
  unitOfWork.run(({ keyProof }) => keyProof.save(secretBox.seal(TEXT, CONTEXT)));

/**
 * Whether the master key decrypts the storage's secrets. The proof of a storage that has none is stored; `acceptMasterKey`
 * encrypts it again, after a rotation with the new first key.
 */
export async function proveMasterKey(needs: Needs): Promise<boolean> {
  const [sealed, hasProof] = await needs.unitOfWork.read(async (stores) => [
    await anySealed(stores),
    (await stores.keyProof.find()) !== undefined,
  ]);
  if (sealed && openedIfReadable(needs.secretBox, sealed.text, sealed.context) === undefined)
    return false;
  if (!hasProof) await acceptMasterKey(needs);
  return true;
}
