import { Refusal } from '@slipstream/domain';
import type { Broker, BrokerLink } from '@slipstream/ports';

const LONGEST = 4_096;

const shown = (name: string): string => JSON.stringify(name.slice(0, 50));

/** Refuses by name a credential that is missing, unknown or not text. The broker checks its content. */
export function requireCredentials(
  { name: broker, asksFor }: Pick<Broker, 'name' | 'asksFor'>,
  given: unknown = {},
): BrokerLink['credentials'] {
  const refuse = (text: string): never => {
    throw new Refusal('invalid_field', text);
  };
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return refuse('credentials must be a JSON object');
  const fields = new Map(Object.entries(given as Record<string, unknown>));
  const known = asksFor.map(({ name }) => name);
  for (const name of fields.keys()) {
    if (known.includes(name)) continue;
    const taken = known.length > 0 ? `takes ${known.join(', ')}` : 'takes none';
    return refuse(`credentials has no field ${shown(name)}: the broker ${broker} ${taken}`);
  }
  const text = asksFor.flatMap(({ name, required, description }): [string, string][] => {
    const value = fields.get(name);
    if (value === undefined && !required) return [];
    if (value === undefined || value === '')
      return refuse(`credentials.${name} is missing: ${description}`);
    // A decimal may be a JSON number, as everywhere.
    const written = typeof value === 'number' ? String(value) : value;
    if (typeof written !== 'string' || written.length > LONGEST)
      return refuse(`credentials.${name} must be text of at most ${LONGEST} characters`);
    return [[name, written]];
  });
  return Object.fromEntries(text);
}
