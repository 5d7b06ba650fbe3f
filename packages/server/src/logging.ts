import type { Log } from '@slipstream/ports';
import { pino, type Logger } from 'pino';

/** Fields that must never be written, wherever a mistake might put them. */
const SECRETS = [
  'token',
  'api_token',
  'password',
  'new_password',
  'authorization',
  'credentials',
  'sealedCredentials',
  'digest',
  'passwordHash',
];

const paths = SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);

/** A line of JSON per event on standard output; secrets are cut out by name. */
export const jsonLogger = (level: string, destination?: { write(line: string): void }): Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths, censor: '[secret]' },
      serializers: { error: pino.stdSerializers.err },
    },
    ...(destination ? [destination] : [pino.destination({ dest: 1, sync: false })]),
  );

export const logFrom = (logger: Logger): Log => ({
  info: (fields, message) => logger.info(fields, message),
  warn: (fields, message) => logger.warn(fields, message),
  error: (fields, message) => logger.error(fields, message),
});
