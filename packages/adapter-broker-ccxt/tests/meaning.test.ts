import { describe, expect, it } from '@jest/globals';
import { BrokerRateLimited, BrokerRefused, BrokerUnreachable } from '@slipstream/ports';
import { Declined, MEANINGS, type Meaning, meaningOf } from '../src/meaning.js';
import { CcxtMissing, loadCcxt } from '../src/index.js';
import { EXCHANGES, ccxt } from './fixture.js';

type ErrorClass = new (message: string) => Error;
const classes = ccxt as unknown as Readonly<Record<string, ErrorClass>>;
const isErrorClass = (one: unknown): boolean =>
  typeof one === 'function' && (one as ErrorClass).prototype instanceof Error;

/** Every class of errors that ccxt has. */
const ALL = Object.entries(classes)
  .filter(([name]) => /^[A-Z]/.test(name))
  .filter(([, one]) => isErrorClass(one))
  .map(([name]) => name);

const ERRORS: Readonly<Record<Meaning, abstract new (...given: never[]) => Error>> = {
  refused: BrokerRefused,
  limited: BrokerRateLimited,
  declined: Declined,
  unknown: BrokerUnreachable,
};

/** As ccxt writes it: with the address and the whole answer. */
const message = (body: string): string =>
  `kraken POST https://api.kraken.com/0/private/AddOrder?key=canary 400 Bad Request ${body}`;

describe('an error of ccxt', () => {
  it.each(Object.entries(MEANINGS))('of the class %s is: %s', (name, meaning) => {
    const Class = classes[name];
    if (!Class) throw new Error(`ccxt has no ${name}`);
    const found = meaningOf(EXCHANGES.kraken, new Class(message('{"secret":"canary"}')));
    expect(found).toBeInstanceOf(ERRORS[meaning]);
    expect(`${found.message} ${String(found.cause)}`).not.toMatch(/canary|http|AddOrder/);
  });

  it('of any other class means what its ancestor does, and is never taken for a success', () => {
    expect(ALL.length).toBeGreaterThan(35);
    const open = ALL.filter((name) => {
      const Class = classes[name];
      const found = Class && meaningOf(EXCHANGES.coinbase, new Class(message('')));
      return !Object.values(ERRORS).some((one) => found instanceof one);
    });
    expect(open).toEqual([]);
  });

  it.each([
    ['kraken', '{"error":["EAPI:Invalid signature"]}', 'refused', 'EAPI:Invalid signature'],
    ['kraken', '{"error":["EService:Unavailable"]}', 'unknown', 'EService:Unavailable'],
    ['kraken', '{"error":["EService:Throttled: 1695828271"]}', 'limited', 'slow down'],
    ['kraken', '{"error":["EGeneral:Internal error"]}', 'unknown', 'EGeneral:Internal error'],
    ['kraken', '{"error":["EService:Market in cancel_only mode"]}', 'declined', 'cancel_only'],
    ['kraken', '{"error":["EService:Deadline elapsed"]}', 'declined', 'Deadline elapsed'],
    ['kraken', '{"error":["EOrder:Insufficient funds"]}', 'declined', 'Insufficient funds'],
    ['kraken', '{"error":["EService: Throttled: 1695828271"]}', 'limited', 'slow down'],
    ['kraken', '{"error":["EOrder:Domain rate limit exceeded"]}', 'limited', 'slow down'],
    ['kraken', '{"error":["EAuth:Too many requests"]}', 'limited', 'slow down'],
    ['kraken', '{"error":["WOrder:Filled late"],"result":{}}', 'unknown', 'WOrder:Filled late'],
    ['kraken', '{"error":["Something new"]}', 'declined', 'Kraken refused'],
    [
      'coinbase',
      '{"error_response":{"error":"INSUFFICIENT_FUND","message":"canary"}}',
      'declined',
      'Coinbase: insufficient fund',
    ],
    [
      'coinbase',
      '{"error":"UNKNOWN_FAILURE_REASON","preview_failure_reason":"PREVIEW_INVALID_SIZE"}',
      'declined',
      'Coinbase: preview invalid size',
    ],
    ['coinbase', '{"error":"UNKNOWN_FAILURE_REASON"}', 'declined', 'Coinbase refused the order'],
  ] as const)('of %s that says %s is: %s', (name, body, meaning, words) => {
    const found = meaningOf(
      EXCHANGES[name],
      new (classes['ExchangeError'] ?? Error)(message(body)),
    );
    expect(found).toBeInstanceOf(ERRORS[meaning]);
    expect(found.message).toContain(words);
    expect(found.message).not.toContain('canary');
  });

  it.each([
    ['no error of ccxt', new TypeError('canary')],
    ['no error at all', 'canary'],
  ])('that is %s leaves everything open', (_, thrown) => {
    const found = meaningOf(EXCHANGES.kraken, thrown);
    expect(found).toBeInstanceOf(BrokerUnreachable);
    expect(found.message).not.toContain('canary');
  });
});

describe('ccxt', () => {
  const failing = (code: string) => () =>
    Promise.reject(Object.assign(new Error('not found'), { code }));

  it('is asked for by name when it is missing, with the command that installs it', async () => {
    const missing = loadCcxt(failing('ERR_MODULE_NOT_FOUND'));
    await expect(missing).rejects.toThrow(/npm install ccxt@4\.5\.84$/);
    await expect(missing).rejects.toBeInstanceOf(CcxtMissing);
  });

  it.each([[{}], [undefined], [{ kraken: 1, coinbase: 2 }]])(
    'is not what it is meant to be: %j',
    async (found) => {
      await expect(loadCcxt(async () => found)).rejects.toBeInstanceOf(CcxtMissing);
    },
  );

  it('keeps other failures of its loading as they are', async () => {
    await expect(loadCcxt(failing('ERR_DLOPEN_FAILED'))).rejects.toThrow('not found');
  });
});
