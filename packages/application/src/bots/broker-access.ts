import { type Bot, Refusal } from '@slipstream/domain';
import {
  type Broker,
  type BrokerAccess,
  BrokerRateLimited,
  BrokerRefused,
} from '@slipstream/ports';
import { type BotDeps, credentialsContext } from './bot-deps.js';

/** The broker of that name. */
export function requireBroker({ brokers }: Pick<BotDeps, 'brokers'>, name: string): Broker {
  const broker = brokers.get(name);
  if (broker) return broker;
  const known = [...brokers.keys()].join(', ');
  throw new Refusal('invalid_field', `broker must be one of: ${known}`);
}

/** Opens what the bot's credentials were sealed to. */
export function accessOf({ secretBox }: Pick<BotDeps, 'secretBox'>, bot: Bot): BrokerAccess {
  const plain = secretBox.open(bot.sealedCredentials, credentialsContext(bot.id));
  const credentials = JSON.parse(plain) as Readonly<Record<string, unknown>>;
  return { accountId: bot.accountId, credentials };
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
    log.warn({ broker: broker.name, error: String(error) }, 'a broker did not answer');
    throw new Refusal('broker_access', 'the broker cannot be reached, try again later');
  }
}
