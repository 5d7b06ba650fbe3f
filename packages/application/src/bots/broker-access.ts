import { type Bot, Refusal } from '@slipstream/domain';
import {
  type Broker,
  type BrokerAccess,
  BrokerRateLimited,
  BrokerRefused,
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

/** Opens the bot's credentials. Throws `SecretUnreadable` with what its owner can do. */
export function accessOf({ secretBox }: Pick<BotDeps, 'secretBox'>, bot: Bot): BrokerAccess {
  const credentials = JSON.parse(openCredentials(secretBox, bot)) as BrokerAccess['credentials'];
  return { accountId: bot.accountId, credentials };
}

function openCredentials(secretBox: SecretBox, bot: Bot): string {
  try {
    return secretBox.open(bot.sealedCredentials, credentialsContext(bot.id));
  } catch (error) {
    if (!(error instanceof SecretUnreadable)) throw error;
    throw new SecretUnreadable(
      'The credentials cannot be read any more, because the master key of the server is another one: give them again by updateBot.',
      { cause: error },
    );
  }
}

/** Asks the broker on a caller's behalf: its errors are refusals with what the caller can do. */
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
      throw new Refusal('broker_access', 'the broker asks to slow down, try again later');
    }
    if (error instanceof SecretUnreadable) throw new Refusal('broker_access', error.message);
    log.warn({ broker: broker.name, error: String(error) }, 'a broker did not answer');
    throw new Refusal('broker_access', 'the broker cannot be reached, try again later');
  }
}
