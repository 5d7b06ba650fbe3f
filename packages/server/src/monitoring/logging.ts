import type { Log } from '@slipstream/ports';
import { pino, type Logger } from 'pino';

/** Fields that must never be written, wherever a mistake might put them. */
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

/** A copy with the secrets cut out; the same object when there is nothing to cut. */
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

/** Errors are written by their serializer. */
function cleaned(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Error) return value;
  if (depth > DEEPEST) return '[deep]';
  if (Array.isArray(value)) return value.map((item) => cleaned(item, depth + 1));
  return withoutSecrets(value as Record<string, unknown>, depth);
}

/** So much may wait to be written, in characters: beyond that lines are lost, never memory or a command. */
const MOST_UNWRITTEN = 8 * 1024 * 1024;

/** Writes lines without waiting. Lines that cannot be written (a full disk, no reader) are lost. */
export function logDestination(fd = 1): ReturnType<typeof pino.destination> {
  const destination = pino.destination({ dest: fd, sync: false, maxLength: MOST_UNWRITTEN });
  destination.on('error', () => undefined);
  return destination;
}

/** A line of JSON per event on standard output; secrets are cut out by name. */
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

/** A line whose fields cannot be read is written without them: nothing that is logged stops the one who logs. */
const line =
  (logger: Logger, level: 'info' | 'warn' | 'error'): Log['info'] =>
  (fields, message) => {
    try {
      logger[level](fields, message);
    } catch {
      logger[level]({ unreadable: Object.keys(fields) }, message);
    }
  };

export const logFrom = (logger: Logger): Log => ({
  info: line(logger, 'info'),
  warn: line(logger, 'warn'),
  error: line(logger, 'error'),
});
