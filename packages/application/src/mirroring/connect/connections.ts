import {
  type AskedBroker,
  type AskedConnectionView,
  type BrokerConnection,
  CONNECTION_LIFETIMES,
  type GrantedAccountView,
  MINUTE,
  Refusal,
  type UserId,
} from '@slipstream/domain';
import type { Broker, BrokerConsent, ReadStores } from '@slipstream/ports';
import { countCall } from '../../accounts/guesses.js';
import { ownUser } from '../../accounts/users.js';
import type { Caller } from '../../caller.js';
import type { Core } from '../../core.js';
import { servicePage } from '../../settings.js';
import { requireUser } from '../../strategies/access.js';
import { askBroker, linkAccount, openSealed, requireBroker } from '../broker-access.js';
import { connectionContext } from './granted-access.js';

/** The page of this service that brokers send browsers back to. */
const RETURN_PATH = '/connect';

/** Of each of both operations by a user: every finish asks the broker, and none may be guessed. */
const ALLOWED = { limit: 10, window: MINUTE };

function requireConsent(broker: Broker): BrokerConsent {
  if (broker.consent) return broker.consent;
  throw new Refusal(
    'invalid_field',
    `the broker ${broker.name} is not connected by a page of its own on this server: give credentials instead (newBot)`,
  );
}

/** Begins to connect an account: the user gives access on the broker's page, which sends the browser back here. */
export const newConnection =
  (core: Core) =>
  async (caller: Caller, command: { readonly broker: string }): Promise<AskedConnectionView> => {
    const { userId } = requireUser(caller);
    const broker = requireBroker(core, command.broker);
    const consent = requireConsent(broker);
    await countCall(core, 'newConnection', userId, ALLOWED);
    const state = core.accessTokens.issue('code');
    const verifier = core.accessTokens.issue('code').text;
    const connectionId = core.ids.next<'connection'>();
    const now = core.clock.now();
    const asked: BrokerConnection = {
      id: connectionId,
      userId,
      broker: broker.name,
      progress: {
        kind: 'asked',
        stateDigest: state.digest,
        sealed: core.secretBox.seal(verifier, connectionContext(connectionId)),
      },
      createdAt: now,
      expiresAt: now + CONNECTION_LIFETIMES.asked,
    };
    const returnTo = servicePage(core, RETURN_PATH);
    const answer = {
      url: consent.page({ state: state.text, verifier, returnTo }),
      expiresAt: asked.expiresAt,
    };
    await core.unitOfWork.run(async (stores) => {
      await ownUser(stores, userId);
      await stores.connections.save(asked);
      stores.answerWith(answer);
    });
    return answer;
  };

/** The connection that this user began with that state. The state of anybody else is refused as one that does not exist. */
async function requireAsked(
  { accessTokens, clock }: Core,
  { connections }: Pick<ReadStores, 'connections'>,
  userId: UserId,
  state: string,
): Promise<BrokerConnection & { readonly progress: AskedBroker }> {
  const digest = accessTokens.digest(state);
  const found = digest === undefined ? undefined : await connections.findByState(digest);
  const isGood = found?.userId === userId && found.expiresAt > clock.now();
  if (!isGood || found.progress.kind !== 'asked')
    throw new Refusal(
      'invalid_field',
      'the state is wrong, used or too old; connect again (newConnection)',
    );
  return { ...found, progress: found.progress };
}

/**
 * Exchanges the code that the broker gave the browser, and reads which account it opens. The state is used up before the broker is
 * asked: of two calls at once only one goes on, and a repeat needs a new connection.
 */
export const finishConnection =
  (core: Core) =>
  async (
    caller: Caller,
    command: { readonly code: string; readonly state: string },
  ): Promise<GrantedAccountView> => {
    const { userId } = requireUser(caller);
    await countCall(core, 'finishConnection', userId, ALLOWED);
    const { asked, broker, consent } = await core.unitOfWork.run(async (stores) => {
      const found = await requireAsked(core, stores, userId, command.state);
      const named = requireBroker(core, found.broker);
      const given = { asked: found, broker: named, consent: requireConsent(named) };
      await stores.connections.remove(found.id);
      return given;
    });
    const { id } = asked;
    const credentials = await askBroker(core, broker, async () =>
      consent.redeem(command.code, {
        state: command.state,
        verifier: openSealed(core.secretBox, asked.progress.sealed, connectionContext(id)),
        returnTo: servicePage(core, RETURN_PATH),
      }),
    );
    const { accountId, label, live, warnings } = await linkAccount(core, broker, {
      userId,
      type: 'stock',
      accountId: undefined,
      credentials,
      isTrial: true,
    });
    const now = core.clock.now();
    const expiresAt = now + CONNECTION_LIFETIMES.granted;
    const sealed = core.secretBox.seal(JSON.stringify(credentials), connectionContext(id));
    const answer = { id, broker: broker.name, expiresAt, accountId, label, live, warnings };
    await core.unitOfWork.run(async (stores) => {
      await ownUser(stores, userId);
      const progress = { kind: 'granted', accountId, label, sealed } as const;
      await stores.connections.save({ ...asked, progress, createdAt: now, expiresAt });
      stores.answerWith(answer);
    });
    return answer;
  };
