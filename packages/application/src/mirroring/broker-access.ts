import { type Bot, Refusal } from '@slipstream/domain';
import {
  AccountUnsettled,
  type Broker,
  type BrokerAccess,
  type BrokerLink,
  type BrokerLinked,
  BrokerRateLimited,
  BrokerRefused,
  type LinkedAccount,
  type SecretBox,
  SecretUnreadable,
} from '@slipstream/ports';
import { type BotDeps, credentialsContext } from './bot-deps.js';

/** The broker of that name. */
export function requireBroker({ brokers }: Pick<BotDeps, 'brokers'>, name: string): Broker {
  const broker = brokers.get(name);
  if (broker) return broker;
  const known = [...brokers.keys()].join(', ');
  throw new Refusal('invalid_field', `broker must be one of: ${known}`);
}

/** Opens the bot's credentials. Throws `SecretUnreadable` with advice for the owner. */
export function accessOf(
  { secretBox, unitOfWork }: Pick<BotDeps, 'secretBox' | 'unitOfWork'>,
  bot: Bot,
): BrokerAccess {
  let credentials = JSON.parse(
    openSealed(secretBox, bot.sealedCredentials, credentialsContext(bot.id)),
  ) as LinkedAccount['credentials'];
  let sealed = bot.sealedCredentials;
  return {
    accountId: bot.accountId,
    type: bot.type,
    get credentials() {
      return credentials;
    },
    async renew(renewed) {
      const next = secretBox.seal(JSON.stringify(renewed), credentialsContext(bot.id));
      const isKept = await unitOfWork.run(async ({ bots }) => {
        const current = await bots.find(bot.id);
        if (current?.sealedCredentials !== sealed) return false;
        await bots.save({ ...current, sealedCredentials: next });
        return true;
      });
      if (isKept) [credentials, sealed] = [renewed, next];
    },
  };
}

/** Lets the brokers release what they hold for deleted bots. Their accounts stay as they are. */
export async function unlinkAll(
  deps: Pick<BotDeps, 'brokers' | 'secretBox' | 'unitOfWork' | 'log'>,
  deleted: readonly Bot[],
): Promise<void> {
  for (const bot of deleted) {
    try {
      await deps.brokers.get(bot.broker)?.unlink?.(accessOf(deps, bot));
    } catch (error) {
      const fields = { botId: bot.id, error: String(error) };
      deps.log.warn(fields, 'the broker did not unlink an account');
    }
  }
}

/** The same for the checks of one bot in one run, which mostly open the same credentials. */
export function openedOnce(secretBox: SecretBox): SecretBox {
  let last: readonly [sealed: string, context: string, opened: string] | undefined;
  return {
    seal: (...given) => secretBox.seal(...given),
    open(sealed, context) {
      if (last?.[0] !== sealed || last[1] !== context)
        last = [sealed, context, secretBox.open(sealed, context)];
      return last[2];
    },
    mac: (...given) => secretBox.mac(...given),
    verify: (...given) => secretBox.verify(...given),
  };
}

/** Opens what was sealed for a bot or a connection. Throws `SecretUnreadable` with advice for the owner. */
export function openSealed(secretBox: SecretBox, sealed: string, context: string): string {
  try {
    return secretBox.open(sealed, context);
  } catch (error) {
    if (!(error instanceof SecretUnreadable)) throw error;
    throw new SecretUnreadable(
      'The credentials cannot be read any more, because the master key of the server is another one: give them again (updateBot).',
      { cause: error },
    );
  }
}

/** Links an account for a caller. Play money and real money never stand for each other. */
export async function linkAccount(
  deps: Pick<BotDeps, 'log'>,
  broker: Broker,
  request: BrokerLink,
): Promise<BrokerLinked> {
  const linked = await askBroker(deps, broker, () => broker.link(request));
  if (linked.live === broker.live) return linked;
  const money = linked.live ? 'real money' : 'no real money';
  throw new Refusal('broker_access', `the account holds ${money}, unlike ${broker.name} accounts`);
}

/** Calls the broker for a caller: its errors become refusals with advice for the caller. */
export async function askBroker<T>(
  { log }: Pick<BotDeps, 'log'>,
  broker: Broker,
  ask: () => Promise<T>,
): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof BrokerRefused) {
      throw new Refusal('broker_access', `the broker refused access: ${error.message}`);
    }
    if (error instanceof BrokerRateLimited) {
      throw new Refusal('broker_access', `${error.message}, try again later`);
    }
    if (error instanceof SecretUnreadable) throw new Refusal('broker_access', error.message);
    if (error instanceof AccountUnsettled)
      throw new Refusal('broker_access', `${error.message}, try again later`);
    log.warn({ broker: broker.name, error: String(error) }, 'the broker did not answer');
    throw new Refusal('broker_access', 'the broker cannot be reached, try again later');
  }
}
