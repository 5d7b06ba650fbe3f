import { SIMULATED_CREDENTIALS } from '@slipstream/adapter-broker-simulated';
import { Refusal } from '@slipstream/domain';
import { type DocumentedBroker, credentialsInWords } from '@slipstream/wire';
import { Option } from 'commander';
import { askCredentials } from '../password.js';
import type { Environment } from '../remote.js';

/** The brokers of a server whose BROKERS is not set. */
const BROKERS: readonly DocumentedBroker[] = [
  { name: 'simulated', asksFor: SIMULATED_CREDENTIALS },
];

/** Lists the fields. */
export const CREDENTIALS_HELP = `
Credentials, by broker:
${BROKERS.map((broker) => `  ${credentialsInWords(broker)}`).join('\n')}
  Other brokers of a server are listed on its /docs, at newBot.
  Arguments are seen by other programs, and kept by shells. With "--credentials -" the command asks for the
  fields, or reads them from SLIPSTREAM_CREDENTIALS or from standard input.`;

/** The option that both a new bot and a changed one have. */
export const credentialsOption = (): Option =>
  new Option(
    '--credentials <json>',
    'the fields that the broker needs (listed below), for example {"starting_balance":"10000"}; - asks for them',
  );

/** The fields of the option; `-` asks for them. */
export async function credentialsFrom(
  given: string,
  environment: Environment,
): Promise<Record<string, string>> {
  const text = given === '-' ? await askCredentials(environment) : given;
  try {
    return JSON.parse(text) as Record<string, string>;
  } catch {
    throw new Refusal('invalid_json', '--credentials takes JSON');
  }
}
