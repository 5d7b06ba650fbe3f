import { ONE, decimal } from '@slipstream/domain';
import { BrokerRefused } from '@slipstream/ports';
import { expect, it } from '../../testing.js';
import { type LinkedBroker, accessTo } from './linked-broker.js';

const TEXT = /\S/;

/** What `link` takes and answers, and the account that it opens. */
export function linkingCases(now: () => LinkedBroker): void {
  it('BC-01 links an account that can be read', async () => {
    const { access, account } = now();
    const found = await account();
    expect(access.accountId).toMatch(TEXT);
    expect(found.positions).toEqual([]);
    expect(found.cash.gte(decimal('5000'))).toBe(true);
    expect(found.equity.eq(found.cash)).toBe(true);
    expect(found.maxGross.gte(ONE)).toBe(true);
    expect(found.buyingPower.gte(decimal('5000'))).toBe(true);
    expect([found.allows, found.because]).toEqual(['all', null]);
  });

  it('BC-02 refuses a wrong link', async () => {
    const { broker, fixture } = now();
    await expect(broker.link(fixture.wrongLink)).rejects.toBeInstanceOf(BrokerRefused);
  });

  it('BC-03 refuses access to an account that does not exist', async () => {
    const { broker, fixture, access, request } = now();
    const wrong = accessTo(fixture.link, 'nobody', access.credentials);
    await expect(broker.account(wrong, fixture.instruments)).rejects.toBeInstanceOf(BrokerRefused);
    await expect(broker.place(wrong, request())).rejects.toBeInstanceOf(BrokerRefused);
  });

  it('BC-28 names the credentials that it needs, and returns plain JSON to store', async () => {
    const { broker, fixture, access } = now();
    const names = broker.asksFor.map((field) => field.name);
    expect(names.filter((field) => !/^[a-z][a-z0-9_]{0,49}$/.test(field))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
    for (const { description, example } of broker.asksFor) {
      expect(description).toMatch(TEXT);
      expect(example).toMatch(TEXT);
    }
    const given = Object.keys(fixture.link.credentials);
    expect(given.filter((field) => !names.includes(field))).toEqual([]);
    for (const { name: field, required } of broker.asksFor)
      if (required) expect(given).toContain(field);
    expect(JSON.parse(JSON.stringify(access.credentials))).toEqual(access.credentials);
  });

  it('BC-29 describes the account at the link, and reports it as empty', async () => {
    const { broker, answer } = now();
    expect(answer.label).toMatch(TEXT);
    expect(answer.live).toBe(broker.live);
    expect(answer.holdings).toEqual([]);
    for (const warning of answer.warnings) expect(warning).toMatch(TEXT);
  });

  it('BC-30 links an account again, and reports its existing holdings', async () => {
    const { broker, fixture, access, held } = now();
    await fixture.tradeByHand(access, 'buy', decimal('3'));
    const again = await broker.link({ ...fixture.link, accountId: access.accountId });
    expect(again.accountId).toBe(access.accountId);
    expect(again.holdings.map(({ amount }) => amount.toFixed())).toEqual([
      (await held()).toFixed(),
    ]);
    for (const { instrument } of again.holdings) expect(instrument).toMatch(TEXT);
  });

  it('BC-63 keeps two accounts apart, whichever was linked last', async () => {
    const { broker, fixture, access, request, trade, held, expectHeld } = now();
    const other = await broker.link(fixture.otherLink);
    expect(other.accountId).not.toBe(access.accountId);
    const others = accessTo(fixture.otherLink, other.accountId, other.credentials);
    const otherHolds = async () => (await broker.account(others, fixture.instruments)).positions;
    const order = request();
    await trade(order);
    await expectHeld('10');
    expect(await otherHolds()).toEqual([]);
    expect((await broker.find(others, [order.clientOrderId])).size).toBe(0);
    const before = await held();
    await broker.place(others, request({ amount: decimal('3') }));
    await fixture.settle();
    await broker.find(others, []);
    expect(await otherHolds()).toHaveLength(1);
    expect((await held()).eq(before)).toBe(true);
  });

  it('BC-64 releases a deleted bot, and other bots go on in its account', async () => {
    const { broker, fixture, access, request, trade, expectHeld } = now();
    if (!broker.unlink) return;
    const again = await broker.link({ ...fixture.link, accountId: access.accountId });
    await broker.unlink(accessTo(fixture.link, again.accountId, again.credentials));
    expect((await trade(request())).status).toBe('filled');
    await expectHeld('10');
  });
}
