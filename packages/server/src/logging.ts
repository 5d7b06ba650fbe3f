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

/** A copy with the secrets cut out, however deep; the same object when there is nothing to cut. */
function withoutSecrets(fields: Record<string, unknown>): Record<string, unknown> {
  let cut = fields;
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    const kept = isSecret.has(name) ? '[secret]' : isRecord(value) ? withoutSecrets(value) : value;
    if (kept === value) continue;
    if (cut === fields) cut = { ...fields };
    cut[name] = kept;
  }
  return cut;
}

/** Errors are written by their serializer. */
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !(value instanceof Error);

/** So much may wait to be written, in characters: beyond that lines are lost, never memory or a command. */
const MOST_UNWRITTEN = 8 * 1024 * 1024;

/** Where lines go, without waiting. What cannot be written (a full disk, nobody who reads) is lost. */
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

export const logFrom = (logger: Logger): Log => ({
  info: (fields, message) => logger.info(fields, message),
  warn: (fields, message) => logger.warn(fields, message),
  error: (fields, message) => logger.error(fields, message),
});
