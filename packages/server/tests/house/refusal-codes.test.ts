import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { REFUSAL_CODES } from '@slipstream/domain';
import { PACKAGES } from '../helpers/repository.js';

/** Contract 2, 17, "Codes". */
const OF_THE_CONTRACT = [
  ...['cap_reached', 'trading_halted', 'limit_breached', 'price_changed', 'live_not_confirmed'],
  ...['not_confirmed', 'token_limit', 'plan_expired', 'plan_outdated', 'strategy_ended'],
  'replaced_account',
];

const sourcesOf = (name: string): string => {
  const folder = join(PACKAGES, name, 'src');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.test)\.ts$/.test(file) && file !== 'refusal.ts')
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n');
};
const sources = ['domain', 'application', 'adapter-http'].map(sourcesOf).join('\n');

describe('the code of a refusal', () => {
  it.each(REFUSAL_CODES)('is given by some source: %s', (code) => {
    expect(sources.includes(`'${code}'`)).toBe(true);
  });

  it.each(OF_THE_CONTRACT)('is there for what the contract names: %s', (code) => {
    expect(REFUSAL_CODES).toContain(code);
  });
});
