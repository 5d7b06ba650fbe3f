import { DEFAULT_CONNECTION_LIMITS, DEFAULT_RATE_LIMITS } from '@slipstream/adapter-http';
import { DEFAULT_STREAM_LIMITS } from '@slipstream/adapter-ws';
import { DEFAULT_CAPS, DEFAULT_GUESS_LIMITS, type GuessLimits } from '@slipstream/application';
import {
  DEFAULT_MAX_SPREAD,
  type Decimal,
  SECURITIES,
  type Security,
  ZERO,
  decimal,
} from '@slipstream/domain';
import { z } from 'zod';

/** Reads `name=number,…`; omitted names keep their defaults. */
const numbers = <Names extends Readonly<Record<keyof Names, number>>>(defaults: Names) => {
  const names = Object.keys(defaults);
  const form = new RegExp(`^(${names.join('|')})=([1-9]\\d{0,8})$`);
  const example = Object.entries(defaults).map(([name, value]) => `${name}=${String(value)}`);
  return z.string().transform((text, context): Names => {
    const given: Record<string, number> = {};
    for (const part of text.split(',').filter((one) => one.trim() !== '')) {
      const [, name, value] = form.exec(part.trim()) ?? [];
      if (name === undefined) {
        context.addIssue({ code: 'custom', message: `must be like ${example.join(',')}` });
        return z.NEVER;
      }
      if (name in given) {
        context.addIssue({ code: 'custom', message: `must name ${name} once` });
        return z.NEVER;
      }
      given[name] = Number(value);
    }
    return { ...defaults, ...given };
  });
};

/** Calls per minute (contract 1, "Rate limits"). */
export const rateLimits = numbers(DEFAULT_RATE_LIMITS).default(DEFAULT_RATE_LIMITS);

/** The limit of an account is higher than that of an address, so that one address does not lock the account for others. */
export const guessLimits = ({ failures }: { readonly failures: number }): GuessLimits => ({
  ...DEFAULT_GUESS_LIMITS,
  address: failures,
  account: 2 * failures,
  signups: failures,
});

/** The limits of a user's stored things (contract 16). */
export const caps = numbers(DEFAULT_CAPS).default(DEFAULT_CAPS);

const FRACTION = /^(stock|cryptocurrency)=(0\.\d{1,18})$/;

/** The widest spreads at which bots trade (contract 10): `stock=…,cryptocurrency=…`; omitted names keep their defaults. */
export const maxSpread = z
  .string()
  .transform((text, context) => {
    const given: Partial<Record<Security, Decimal>> = {};
    for (const part of text.split(',').filter((one) => one.trim() !== '')) {
      const [, name, figure] = FRACTION.exec(part.trim()) ?? [];
      const value = decimal(figure ?? '0');
      const security = SECURITIES.find((one) => one === name);
      if (!security || security in given || !value.gt(ZERO) || value.gt(decimal('0.5'))) {
        const message =
          'must be like stock=0.02,cryptocurrency=0.03, each once, above 0 and at most 0.5';
        context.addIssue({ code: 'custom', message });
        return z.NEVER;
      }
      given[security] = value;
    }
    return { ...DEFAULT_MAX_SPREAD, ...given };
  })
  .default(DEFAULT_MAX_SPREAD);

const DEFAULT_CONNECTIONS = {
  ...DEFAULT_CONNECTION_LIMITS,
  streams: DEFAULT_STREAM_LIMITS.total,
  user: DEFAULT_STREAM_LIMITS.user,
  anonymous: DEFAULT_STREAM_LIMITS.anonymous,
};

/** Connections open at once: all, and of one address; live streams: all, of one user, and of one address without a token. */
export const connectionLimits = numbers(DEFAULT_CONNECTIONS).default(DEFAULT_CONNECTIONS);
