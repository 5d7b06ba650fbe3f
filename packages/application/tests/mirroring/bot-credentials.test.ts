import { beforeEach, describe, expect, it } from '@jest/globals';
import { ONE, decimal } from '@slipstream/domain';
import { type Broker, BrokerRefused } from '@slipstream/ports';
import { previewBot } from '../../src/mirroring/index.js';
import { type BotWorld, STEADY, aBotWorld, follower } from './bot-world.js';

let world: BotWorld;
/** The codes that still open an account; each call wears one out and hands over the next. */
let valid: Set<string>;
let unlinked: string[];

const unused = async (): Promise<never> => {
  throw new Error('not needed');
};

/** A broker whose access codes work once: with the answer comes the next one. */
const rotating: Broker = {
  name: 'rotating',
  live: false,
  asksFor: [
    { name: 'code', description: 'The first code, from its page.', required: true, example: 'c' },
    { name: 'label', description: 'A name for it.', required: false, example: 'mine' },
  ],
  link: async ({ credentials }) => {
    valid.add(credentials['code'] ?? '');
    return {
      accountId: 'account-1',
      credentials,
      label: 'account 1',
      live: false,
      holdings: [],
      warnings: [],
    };
  },
  unlink: async ({ credentials }) => void unlinked.push(String(credentials['code'])),
  account: async ({ credentials, renew }) => {
    const code = String(credentials['code']);
    if (!valid.delete(code)) throw new BrokerRefused(`the code ${code} is worn out`);
    valid.add(`${code}+`);
    await renew({ code: `${code}+` });
    const dollars = decimal('5000');
    return {
      equity: dollars,
      cash: dollars,
      buyingPower: dollars,
      maxGross: decimal('2'),
      positions: [],
      allows: 'all',
      because: null,
    };
  },
  rules: unused,
  place: unused,
  find: unused,
  cancel: unused,
};

const aBot = (credentials: unknown = { code: 'first' }) =>
  world.bots.new(follower, {
    type: 'stock',
    broker: 'rotating',
    allocations: [{ strategyId: STEADY, percent: ONE }],
    credentials,
  });

const named = (text: string) => ({
  code: 'invalid_field',
  message: expect.stringContaining(text),
});

beforeEach(async () => {
  [valid, unlinked] = [new Set(), []];
  world = await aBotWorld({}, {}, [rotating]);
});

describe('the credentials of a bot', () => {
  it.each([
    [{}, 'credentials.code is missing: The first code, from its page.'],
    [{ code: '' }, 'credentials.code is missing'],
    [{ code: 'a', colour: 'red' }, 'no field "colour": the broker rotating takes code, label'],
    [{ code: true }, 'credentials.code must be text'],
    [{ code: 'a', label: null }, 'credentials.label must be text'],
    [{ code: 'x'.repeat(5_000) }, 'credentials.code must be text of at most 4096 characters'],
    ['text', 'credentials must be a JSON object'],
    [[], 'credentials must be a JSON object'],
    [JSON.parse('{"code":"a","__proto__":{}}') as unknown, 'no field "__proto__"'],
  ])('are refused by name: %j', async (credentials, text) => {
    await expect(aBot(credentials)).rejects.toMatchObject(named(text));
    const bot = await aBot();
    const command = { botId: bot.id, credentials };
    await expect(world.bots.update(follower, command)).rejects.toMatchObject(named(text));
    expect([...valid]).toEqual(['first']);
  });

  it('may be JSON numbers, as every decimal', async () => {
    await aBot({ code: 7 });
    expect([...valid]).toEqual(['7']);
  });

  it('open no account of real money at a broker of play money, nor another account', async () => {
    const { link } = rotating;
    const change = { botId: (await aBot()).id, credentials: { code: 'other' } };
    const answers = (found: object) =>
      world.brokers.set('rotating', {
        ...rotating,
        link: async (request) => ({ ...(await link(request)), ...found }),
      });
    answers({ live: true });
    const isLive = { code: 'broker_access', message: expect.stringContaining('real money') };
    await expect(aBot()).rejects.toMatchObject(isLive);
    await expect(world.bots.update(follower, change)).rejects.toMatchObject(isLive);
    answers({ accountId: 'account-2' });
    // A preview of a change that would be refused is refused as the change.
    for (const asked of [world.bots.update, previewBot(world.deps)])
      await expect(asked(follower, change)).rejects.toMatchObject({
        code: 'replaced_account',
        message: expect.stringContaining('another account'),
      });
  });

  it('that a broker renews are kept, over every look and question', async () => {
    const bot = await aBot();
    for (let look = 0; look < 3; look += 1) await world.bots.account(follower, { botId: bot.id });
    await world.bots.start(follower, { botId: bot.id });
    await world.run();
    expect([...valid]).toEqual(['first+++++']);
    expect(await world.find(bot.id)).toMatchObject({ condition: 'active', attempts: 0 });
  });

  it('that replace refused ones leave the bot off, which says so, and how it goes on', async () => {
    const bot = await aBot();
    const { id: botId } = bot;
    await world.bots.start(follower, { botId });
    valid.clear();
    await world.run();
    const renewed = { botId, credentials: { code: 'new' } };
    await expect(world.bots.update(follower, renewed)).rejects.toMatchObject({
      code: 'bot_not_off',
      message: expect.stringContaining('stop it first, and start it again'),
    });
    await world.bots.stop(follower, { botId });
    await world.run();
    const reason = 'Off without an answer.';
    await world.unitOfWork.run(async ({ bots }) => {
      const off = await bots.find(botId);
      if (off?.status === 'off') await bots.save({ ...off, statusReason: reason });
    });
    const said = 'It is off, with new access: start it to let it go on.';
    for (const _again of [1, 2]) {
      const { status, statusReason } = await world.bots.update(follower, renewed);
      expect([status, statusReason]).toEqual(['off', `${reason} ${said}`]);
    }
    expect(await world.bots.start(follower, { botId })).toMatchObject({ statusReason: null });
    const other = await aBot();
    const first = { botId: other.id, credentials: { code: 'other' } };
    expect((await world.bots.update(follower, first)).statusReason).toBe(said);
  });

  it('that the owner gives meanwhile stand, and what was renewed of the old ones goes', async () => {
    const bot = await aBot();
    const account = rotating.account;
    world.brokers.set('rotating', {
      ...rotating,
      account: async (access, instruments) => {
        const command = { botId: bot.id, credentials: { code: 'new' } };
        await world.bots.update(follower, command);
        return account(access, instruments);
      },
    });
    await world.bots.account(follower, { botId: bot.id });
    world.brokers.set('rotating', rotating);
    await world.bots.account(follower, { botId: bot.id });
    expect(valid.has('new+')).toBe(true);
  });

  it('go to the broker once more when the bot is deleted, whether it lets go or not', async () => {
    const [bot, other] = [await aBot(), await aBot()];
    await world.bots.delete(follower, { botId: bot.id });
    expect(unlinked).toEqual(['first']);
    world.brokers.set('rotating', { ...rotating, unlink: unused });
    const warned: object[] = [];
    Object.assign(world.ports.log, { warn: (fields: object) => void warned.push(fields) });
    await world.bots.delete(follower, { botId: other.id });
    expect(await world.bots.list(follower)).toEqual([]);
    expect(warned).toEqual([{ botId: other.id, error: 'Error: not needed' }]);
  });
});
