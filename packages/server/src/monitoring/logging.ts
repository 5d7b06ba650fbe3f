import type { Log } from '@slipstream/ports';
import { pino, type Logger } from 'pino';
import { logDestination } from './log-destination.js';

/** Fields that must never be logged, wherever a mistake may put them. */
const SECRETS = [
  'token',
  'api_token',
  'password',
  'new_password',
  'reset_code',
  'authorization',
  'credentials',
  'sealedCredentials',
  'digest',
  'passwordHash',
];

const isSecret: ReadonlySet<string> = new Set(SECRETS);

/** Deeper levels are omitted: they could contain a cycle. */
const DEEPEST = 5;

/** A copy without the secrets; the same object if it has none. */
function withoutSecrets(fields: Record<string, unknown>, depth = 0): Record<string, unknown> {
  let cut = fields;
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    const kept = isSecret.has(name) ? '[secret]' : cleaned(value, depth + 1);
    if (kept === value) continue;
    if (cut === fields) cut = { ...fields };
    cut[name] = kept;
  }
  return cut;
}

/** Errors have their own serializer. */
function cleaned(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Error) return value;
  if (depth > DEEPEST) return '[deep]';
  if (Array.isArray(value)) return value.map((item) => cleaned(item, depth + 1));
  return withoutSecrets(value as Record<string, unknown>, depth);
}

/** Writes one line of JSON for each event to standard output; secrets are removed by field name. */
export const jsonLogger = (level: string, destination?: { write(line: string): void }): Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }), log: withoutSecrets },
      serializers: {
        error: (error: Error) =>
          withoutSecrets(pino.stdSerializers.err(error) as unknown as Record<string, unknown>),
      },
    },
    destination ?? logDestination(),
  );

/** If the fields of a line cannot be read, the line is written without them, so that logging never throws. */
const line =
  (logger: Logger, level: 'info' | 'warn' | 'error'): Log['info'] =>
  (fields, message) => {
    try {
      logger[level](fields, message);
    } catch {
      logger[level]({ unreadable: Object.keys(fields) }, message);
    }
  };

/** The log of the core over a logger of pino. */
export const logFrom = (logger: Logger): Log => ({
  info: line(logger, 'info'),
  warn: line(logger, 'warn'),
  error: line(logger, 'error'),
});
