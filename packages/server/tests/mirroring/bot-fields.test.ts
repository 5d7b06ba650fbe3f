import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { operations } from '@slipstream/wire';
import { fieldsOf } from '../../src/cli/fields.js';
import { type ComposedServer, composedServer } from '../helpers/composed-server.js';

type Fields = Readonly<Record<string, unknown>>;

/** A value that is none of the defaults, and where it is to be read afterwards; of what updateBot refuses by name, `new` alone. */
const FIELDS: Readonly<Record<string, { readonly given: unknown; readonly in: 'both' | 'new' }>> = {
  name: { given: 'Savings', in: 'both' },
  type: { given: 'stock', in: 'new' },
  broker: { given: 'simulated', in: 'both' },
  account_id: { given: 'savings', in: 'new' },
  leverage: { given: '0.5', in: 'both' },
  slippage: { given: '0.01', in: 'both' },
  price_collar: { given: '0.03', in: 'both' },
  max_spread: { given: '0.05', in: 'both' },
  limits: {
    given: {
      max_capital: '5000',
      max_order: '1000',
      max_gross: '1.5',
      max_per_stock: '0.25',
      max_orders_per_day: 20,
      max_turnover_per_day: '3',
      max_daily_loss: '0.05',
      max_drawdown: '0.2',
    },
    in: 'both',
  },
  on_breach: { given: 'close', in: 'both' },
  rebalance_on_start: { given: false, in: 'both' },
  close_on_stop: { given: true, in: 'both' },
  existing_positions: { given: 'keep', in: 'both' },
  notifications: { given: ['error'], in: 'both' },
  mode: { given: 'paused', in: 'both' },
  join: { given: 'new_only', in: 'both' },
  rebalance: { given: { band: '0.02', cooldown_hours: 24, at: '15:30' }, in: 'both' },
  dry_run: { given: true, in: 'both' },
};

/** What a field is compared with in another way than by its own name. */
const APART = ['allow_stocks', 'deny_stocks', 'allocations', 'credentials', 'bot_id'];

const shapeOf = (name: 'newBot' | 'updateBot'): string[] =>
  Object.keys(operations[name].request.shape);

let server: ComposedServer;
let user: string;
let strategy_id: string;

beforeAll(async () => {
  server = await composedServer({ environment: { CAPS: 'bots=100' } });
  user = await server.user('ada');
  ({ strategy_id } = await server.ask('newStrategy', { type: 'stock', name: 'Mine' }, user));
});
afterAll(() => server.close());

const made = (given: Fields = {}) =>
  server.ask('newBot', { type: 'stock', broker: 'simulated', allocations: [], ...given }, user);

describe('the fields of a bot (contract 7b.11)', () => {
  it('are each named here', () => {
    const named = [...Object.keys(FIELDS), ...APART];
    for (const name of ['newBot', 'updateBot'] as const)
      expect(named).toEqual(expect.arrayContaining(shapeOf(name)));
  });

  it('each say what they mean, also in --help', () => {
    const silent = fieldsOf(operations.updateBot).filter(({ description }) => !description);
    expect(silent.map(({ name }) => name)).toEqual(['bot_id']);
  });

  it.each(Object.entries(FIELDS))('%s is accepted by newBot', async (name, { given }) => {
    expect(await made({ [name]: given })).toMatchObject({ [name]: given });
  });

  it.each(Object.entries(FIELDS))('%s is changed by updateBot, or refused', async (name, row) => {
    const bot = await made();
    const answer = await server.attempt(
      'updateBot',
      { bot_id: bot.bot_id, [name]: row.given },
      user,
    );
    const [after] = await server.ask('getBots', { bot_id: [bot.bot_id] }, user);
    if (row.in === 'both') {
      expect(answer.body).toMatchObject({ success: true, response: { [name]: row.given } });
      expect(after).toMatchObject({ [name]: row.given });
      return;
    }
    expect(answer.status).toBe(400);
    expect(answer.body?.response).toContain(`"${name}"`);
    expect(after).toEqual(bot);
  });

  it('a name is used in notifications, and can be taken away', async () => {
    const { bot_id } = await made({
      name: 'Savings',
      allocations: [{ strategy_id, percent: '1' }],
    });
    await server.ask('startBot', { bot_id }, user);
    const [notice] = await server.ask('getNotifications', {}, user);
    expect(notice).toMatchObject({ bot_id, text: expect.stringMatching(/^Bot Savings: /) });
    expect(await server.ask('updateBot', { bot_id, name: null }, user)).toMatchObject({
      name: null,
    });
    await server.ask('stopBot', { bot_id }, user);
    await server.application.background.runBots();
    const texts = (await server.ask('getNotifications', {}, user)).map(({ text }) => text);
    expect(texts).toContainEqual(expect.stringMatching(new RegExp(`^Bot ${bot_id}: `)));
  });

  it('allocations are accepted and changed', async () => {
    const allocations = [{ strategy_id, percent: '0.4' }];
    expect(await made({ allocations })).toMatchObject({ allocations });
    const { bot_id } = await made();
    const changed = await server.ask('updateBot', { bot_id, allocations }, user);
    expect(changed).toMatchObject({ allocations });
  });

  it.each([
    ['is taken for an account that is new', undefined, '777', '777'],
    ['that an account began with may be said again', '777', '777.00', '777'],
  ])('a starting_balance %s', async (_, first, second, cash) => {
    const account_id = `account-${second.length}`;
    if (first !== undefined) await made({ account_id, credentials: { starting_balance: first } });
    const { bot_id } = await made({ account_id, credentials: { starting_balance: second } });
    expect(await server.ask('getBotAccount', { bot_id }, user)).toMatchObject({ cash });
  });

  it.each(['newBot', 'updateBot'] as const)(
    'another starting_balance of an existing account is refused by %s',
    async (name) => {
      const account_id = `of-${name}`;
      const { bot_id } = await made({ account_id });
      const credentials = { starting_balance: '50000' };
      const given =
        name === 'newBot'
          ? { type: 'stock', broker: 'simulated', allocations: [], account_id, credentials }
          : { bot_id, credentials };
      const answer = await server.attempt(name, given, user);
      expect(answer.status).toBe(400);
      expect(answer.body?.response).toContain('starting_balance');
      expect(await server.ask('getBotAccount', { bot_id }, user)).toMatchObject({ cash: '10000' });
      expect(await server.ask('updateBot', { bot_id, credentials: {} }, user)).toBeTruthy();
    },
  );
});
