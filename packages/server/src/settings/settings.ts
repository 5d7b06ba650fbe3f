import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { MARKET_KINDS } from '@slipstream/domain';
import { distance } from 'fastest-levenshtein';
import { z } from 'zod';
import { caps, connectionLimits, maxSpread, rateLimits } from './limit-settings.js';
import { mailSettings } from './mail-settings.js';
import { brokerProblem, brokerSettings } from '../composition/brokers.js';
import { feedProblem, feedSettings } from './feed-settings.js';
import { paymentProblem, paymentSettings } from '../composition/payments.js';
import { endpointSettings } from '../composition/endpoints.js';
import { aroundValue, isQuoted } from './around-value.js';
import { hostOf } from '../listening.js';
import { SettingError } from './setting-error.js';
import { isUrl } from './is-url.js';

const MOST_FRONTS = 16;
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const;

const wholeNumber = (from: number, to: number) =>
  z
    .string()
    .regex(/^\d+$/, `must be a whole number from ${from} to ${to}`)
    .transform(Number)
    .refine(
      (value) => value >= from && value <= to,
      `must be a whole number from ${from} to ${to}`,
    );

const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
);

/** Of a text that may be anything: what a file left around it, a line end of Windows or a space, is no part of it. */
const IN_ONE_LINE = /^\S(.*\S)?$/;

const databaseUrl = z
  .string()
  .regex(
    /^(sqlite:(?!:memory:$)\S(.*\S)?|memory:|postgres(ql)?:\/\/.*\S)$/,
    'must be sqlite:<file>, postgres://<user>:<password>@<host>/<database> or memory:',
  )
  .refine(
    (url) => !url.startsWith('postgres') || URL.canParse(url),
    'must be the address of a PostgreSQL database; write other characters than letters and digits in a password as %21 and so on',
  )
  .transform((url) => {
    if (url === 'memory:') return { kind: 'memory' as const };
    return url.startsWith('sqlite:')
      ? { kind: 'sqlite' as const, file: url.slice('sqlite:'.length) }
      : { kind: 'postgres' as const, url };
  });

/** Processes that take the clients' connections; `auto` leaves a core to the rest. */
const frontCount = z
  .string()
  .regex(/^(auto|\d|1[0-6])$/, 'must be auto, or a whole number from 0 to 16')
  .transform((text) =>
    text === 'auto' ? Math.min(availableParallelism() - 1, MOST_FRONTS) : Number(text),
  );

/** A text with fewer different characters is too easy to guess. */
const FEWEST_CHARACTERS = 8;

/** A secret chosen by a person. It is sent in a header, which keeps no other characters and no space at an end. */
const chosenSecret = z
  .string()
  .regex(/^[!-~]([ -~]*[!-~])?$/, {
    error: 'must be of the printable characters of ASCII, without a space at an end',
    abort: true,
  })
  .min(16, { error: 'must have at least 16 characters', abort: true })
  .refine(
    (secret) => new Set(secret).size >= FEWEST_CHARACTERS,
    `must have at least ${FEWEST_CHARACTERS} different characters`,
  );

/** Whether it is an address to which requests can be sent. */
function isWebAddress(text: string): boolean {
  if (!isUrl(text)) return false;
  const { protocol, username, password } = new URL(text);
  return ['http:', 'https:'].includes(protocol) && username === '' && password === '';
}

/** Whether a browser could send it: in small letters, without the port of its protocol, and nothing after it. */
const isOrigin = (text: string): boolean => isWebAddress(text) && new URL(text).origin === text;

/** Where another process reaches this one: its port is of its own, so there is nothing behind it. */
function isNodeAddress(text: string): boolean {
  if (!isWebAddress(text)) return false;
  const { protocol, pathname, search, hash, port } = new URL(text);
  return protocol === 'http:' && pathname === '/' && search + hash === '' && port !== '';
}

const schema = z.object({
  HOST: z
    .string()
    .refine(
      // An address of IPv6 with a zone has no place in a link.
      (host) =>
        isIP(host) === 6
          ? URL.canParse(`http://[${host}]`)
          : /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(host) && URL.canParse(`http://${host}`),
      'must be an IP address without a zone, or a host name; the port is PORT',
    )
    .default('127.0.0.1'),
  PORT: wholeNumber(0, 65_535).default(3000),
  FRONTS: frontCount.default(0),
  DATABASE_URL: databaseUrl.default({ kind: 'sqlite', file: 'data/slipstream.db' }),
  NODE_URL: z
    .string()
    .refine(isNodeAddress, 'must be like http://10.0.0.5:3001, with the port for other nodes')
    .optional(),
  LEASE_SECONDS: wholeNumber(2, 60).default(5),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
  MARKET: z.enum(MARKET_KINDS, 'must be demo, replay, push or live').default('demo'),
  PUSH_TRUSTED: z.enum(['off', 'on'], 'must be off or on').default('off'),
  DISCLOSURE: z
    .string()
    .trim()
    .regex(/^[^\p{Cc}]{1,1000}$/u, 'must be one line of at most 1,000 characters')
    .optional(),
  TIMESTAMP_URL: z
    .string()
    .refine(isWebAddress, 'must be an http or https address without a user or password')
    .optional(),
  DEMO_SEED: z.string().regex(IN_ONE_LINE, 'must be a text in one line').optional(),
  REPLAY_FILES: list.default([]),
  REPLAY_SPEED: z
    .string()
    .regex(/^\d{1,6}(\.\d{1,3})?$/, 'must be a positive number')
    .transform(Number)
    .refine((speed) => speed > 0, 'must be a positive number')
    .default(60),
  TRADING_HOURS: z.enum(['exchange', 'always'], 'must be exchange or always').optional(),
  OPERATOR_TOKEN: chosenSecret.optional(),
  METRICS_TOKEN: chosenSecret.optional(),
  ALLOWED_HOSTS: list
    .refine(
      (hosts) => hosts.every((host) => /^[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(host)),
      'must be names of hosts without ports, separated by commas',
    )
    .default([]),
  SECRET_KEY: list
    .refine(
      (keys) => keys.length > 0 && keys.every((key) => key.length >= 32),
      'must be keys of at least 32 characters, separated by commas',
    )
    .optional(),
  SECRET_KEY_FILE: z.string().regex(IN_ONE_LINE, 'must be the path of a file').optional(),
  SIGNUP: z.enum(['open', 'closed'], 'must be open or closed').default('open'),
  CONFIRM_EMAIL: z.enum(['required', 'off'], 'must be required or off').optional(),
  RATE_LIMITS: rateLimits,
  CONNECTION_LIMITS: connectionLimits,
  CAPS: caps,
  MAX_SPREAD: maxSpread,
  AUDIT_KEPT_DAYS: wholeNumber(1, 36_500).default(365),
  QUOTE_FRESH_SECONDS: wholeNumber(1, 86_400).default(60),
  TRUST_PROXY: wholeNumber(0, 10).default(0),
  CORS_ORIGINS: list
    .refine(
      (origins) => origins.every(isOrigin),
      'must be origins as browsers send them, like https://example.com, separated by commas',
    )
    .default([]),
  ...brokerSettings,
  ...feedSettings,
  ...mailSettings,
  ...paymentSettings,
  ...endpointSettings,
});

/** The names of all settings in the environment. */
export const SETTING_NAMES: readonly string[] = Object.keys(schema.shape);

/** Variables that only the command line reads. */
const OF_CLIENTS = [
  'SLIPSTREAM_URL',
  'SLIPSTREAM_TOKEN',
  'SLIPSTREAM_PASSWORD',
  'SLIPSTREAM_CREDENTIALS',
];
const PREFIX = 'SLIPSTREAM_';
/** Shorter names resemble others by chance: HOME is not a misspelt HOST. */
const LONG_NAME = 6;

/** The setting with the most similar name; undefined if none is similar. */
function nearestSetting(name: string): string | undefined {
  const near = SETTING_NAMES.map((known) => ({ known, by: distance(name, known) }))
    .filter(({ known, by }) => by <= (known.length < LONG_NAME ? 1 : 2))
    .sort((one, other) => one.by - other.by);
  return near[0]?.known;
}

/** A line for each variable of the environment that looks like a misspelt setting. Values are not read. */
export function misspeltSettings(
  environment: Readonly<Record<string, string | undefined>>,
): string[] {
  const known = new Set([...SETTING_NAMES, ...OF_CLIENTS]);
  return Object.keys(environment).flatMap((name) => {
    const capital = name.toUpperCase();
    const isOurs = capital.startsWith(PREFIX);
    if (known.has(name) || (known.has(capital) && isOurs)) return [];
    const nearest = nearestSetting(isOurs ? capital.slice(PREFIX.length) : capital);
    if (nearest !== undefined)
      return [`${name} is not a setting and was ignored. Did you mean ${nearest}?`];
    return isOurs ? [`${name} is not a setting and was ignored. --help lists the settings.`] : [];
  });
}

/** Whether what listens at the one host takes the port from the other one: all of IPv4 leaves those of IPv6 free, and not the other way. */
const isSameHost = (...hosts: readonly [string, string]): boolean =>
  hosts[0] === hosts[1] ||
  hosts.includes('::') ||
  (hosts.includes('0.0.0.0') && hosts.every((host) => isIP(host) !== 6));

function nodeProblem({
  NODE_URL: node,
  PORT: port,
  HOST: host,
  FRONTS: fronts,
  DATABASE_URL: url,
  SECRET_KEY: key,
  SECRET_KEY_FILE: file,
}: z.output<typeof schema>): string | undefined {
  if (node === undefined) return undefined;
  if (url.kind !== 'postgres') return 'NODE_URL needs a DATABASE_URL of PostgreSQL';
  if (fronts > 0) return 'FRONTS must be 0 with NODE_URL: each server is a front of the others';
  const at = new URL(node);
  // A name leads others there: this server listens at its own host.
  if (Number(at.port) === port && port !== 0 && isSameHost(hostOf(at) ?? host, host))
    return 'NODE_URL must have another port than PORT, for the other servers alone';
  return (key ?? file) ? undefined : 'NODE_URL needs SECRET_KEY, the same one at every node';
}

/** The server's settings, from the environment (contract 7). */
export type ServerSettings = ReturnType<typeof readSettings>;

/** Validates the environment. A value is never repeated in the message: it may be a secret. */
export function readSettings(environment: Readonly<Record<string, string | undefined>>) {
  const given = Object.fromEntries(
    SETTING_NAMES.map((name) => [name, environment[name]]).filter(
      ([, value]) => value !== undefined && value !== '',
    ),
  ) as Record<string, string>;
  const parsed = schema.safeParse(given);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(
      ({ path: [name], message }) =>
        `${String(name)} ${message}${aroundValue(given[String(name)] ?? '')}`,
    );
    throw new SettingError([...new Set(problems)].join('\n'));
  }
  const settings = parsed.data;
  if (settings.MARKET === 'replay' && settings.REPLAY_FILES.length === 0) {
    throw new SettingError(
      'REPLAY_FILES must name at least one recorded file when MARKET is replay',
    );
  }
  if (settings.SECRET_KEY && settings.SECRET_KEY_FILE !== undefined) {
    throw new SettingError('SECRET_KEY and SECRET_KEY_FILE must not be given together');
  }
  const problem =
    nodeProblem(settings) ??
    brokerProblem(settings) ??
    feedProblem(settings) ??
    paymentProblem(settings);
  if (problem !== undefined) throw new SettingError(problem);
  return {
    ...settings,
    /** Whether MARKET was named, and is not only the default. */
    isMarketNamed: 'MARKET' in given,
    CONFIRM_EMAIL: settings.CONFIRM_EMAIL ?? (settings.SMTP_URL === undefined ? 'off' : 'required'),
    TRADING_HOURS:
      settings.TRADING_HOURS ??
      (settings.MARKET === 'push' || settings.MARKET === 'live' ? 'exchange' : 'always'),
  };
}

/** A line for each setting whose value is in quotes: a shell takes them off, and some readers of files do not. For after `readSettings`, which refuses most of them. */
export function quotedSettings(
  environment: Readonly<Record<string, string | undefined>>,
): string[] {
  return SETTING_NAMES.filter((name) => isQuoted(environment[name] ?? '')).map(
    (name) => `${name} is in quotes, and they are taken as a part of it.`,
  );
}
