import { describe, expect, it } from '@jest/globals';
import type { Outbox } from '@slipstream/adapter-memory/testing';
import { DAY, HOUR, type SendAnswer, decimal } from '@slipstream/domain';
import { type Mail, MailRefused } from '@slipstream/ports';
import type { Caller } from '../../src/index.js';
import type { App } from '../app.js';
import { outcomesOf } from '../crashes.js';
import { fixture } from '../fixture.js';
import { DELIVERED, FAILED, GONE, world } from './receiver.js';

/** How often each of them was sent, in the order of the first times. */
const timesOf = (sent: readonly { readonly id: string }[]): number[] =>
  [...new Set(sent.map(({ id }) => id))].map((id) => sent.filter((one) => one.id === id).length);

const told = async (app: App, caller: Caller): Promise<string[]> =>
  (await app.getNotifications(caller, {})).map(({ text }) => text.replace(/id-\d+/, '…'));

type Heard = Awaited<ReturnType<typeof world>> & { readonly endpointId: string };

/** Every one of them was sent, and at most the one on its way at the crash a second time. */
const once = (count: number): readonly number[] => Array<number>(count).fill(1);
const twiceAt = (count: number, place: number): readonly number[] => once(count).with(place, 2);

describe('a crash at any moment of the courier', () => {
  /** Three messages are due; the receiver answers so to the first attempt of each, and takes the second. */
  const deliveries = (first: SendAnswer, flow: (app: App, made: Heard) => Promise<unknown>) =>
    outcomesOf<Heard>({
      async begin() {
        const made = await world();
        const { endpoint } = await made.endpoint();
        await made.fills(3);
        const answered = new Set<string>();
        made.receiver.answer = ({ id }) => {
          if (answered.has(id)) return DELIVERED;
          answered.add(id);
          return first;
        };
        return { ...made, endpointId: endpoint.id };
      },
      flow,
      async outcome(app, { ports, receiver: { sent }, ada, endpointId }) {
        for (let hours = 0; hours < 4; hours += 1) {
          await app.sendEvents();
          ports.clock.advance(HOUR);
        }
        const kept = (await app.getDeliveries(ada, { endpointId })).toReversed();
        const [shown] = await app.getEndpoints(ada);
        const places = [...new Set(sent.map(({ id }) => kept.findIndex((one) => one.id === id)))];
        return {
          states: kept.map(({ status }) => status).join(' '),
          times: timesOf(sent),
          isInOrder: places.every((place, index) => place === index),
          endpoint: shown?.endpoint.status,
          told: await told(app, ada),
        };
      },
    });

  const sends = (app: App): Promise<void> => app.sendEvents();
  const taken = (count: number) => ({
    states: Array(count).fill('delivered').join(' '),
    isInOrder: true,
    endpoint: 'active',
    told: [],
  });

  it('sends every message, in order, and none twice but the one that was on its way', async () => {
    expect(await deliveries(DELIVERED, sends)).toEqual(
      [once(3), twiceAt(3, 0), twiceAt(3, 1), twiceAt(3, 2)].map((times) => ({
        ...taken(3),
        times,
      })),
    );
  });

  it('sends again what failed, as often as without it', async () => {
    expect(await deliveries(FAILED, sends)).toEqual([{ ...taken(3), times: [2, 2, 2] }]);
  });

  it('tells once that an endpoint is gone, which gets no more', async () => {
    const outcomes = await deliveries(GONE, sends);
    const text = 'Your webhook endpoint (…) was disabled: it answered 410.';
    expect(outcomes).toMatchObject([
      { states: 'failed pending pending', times: [1], endpoint: 'disabled', told: [text] },
      // The receiver took the first one when it was sent again.
      { states: 'delivered failed pending', times: [2, 1], endpoint: 'disabled', told: [text] },
    ]);
  });

  it('tells of each fill that there is, and of no other', async () => {
    const fillsAndSends = async (app: App, { ada, strategyId }: Heard): Promise<void> => {
      const [stock, price] = ['AAPL:NASDAQ', decimal('100')];
      const quotes = [{ stock, bid: price, ask: price, last: price }];
      await app.newQuotes({ kind: 'operator' }, { quotes });
      await app.newOrderWebhook(ada, { strategyId, stock, action: 'sell' });
      await app.sendEvents();
    };
    const outcomes = await deliveries(DELIVERED, fillsAndSends);
    const ways = new Set(outcomes.map((one) => (one as { states: string }).states));
    expect([...ways]).toEqual([taken(3).states, taken(4).states]);
  });
});

describe('a crash at any moment at which mails are sent', () => {
  const mails = (isTaken: boolean) =>
    outcomesOf({
      async begin() {
        const sent: Mail[] = [];
        const mailer: Outbox = {
          sent,
          send: async (mail) => {
            sent.push(mail);
            if (!isTaken) throw new MailRefused('550 no such user');
          },
        };
        const made = await fixture({ mailer });
        return { ...made, sent, users: [await made.user('ada'), await made.user('bob')] };
      },
      flow: (app) => app.sendMails(),
      async outcome(app, { ports: { unitOfWork, clock }, sent, users }) {
        for (let hours = 0; hours < 4; hours += 1) {
          await app.sendMails();
          clock.advance(HOUR);
        }
        const left = await unitOfWork.read((stores) => stores.mails.due(clock.now() + DAY, 9));
        const notices = await Promise.all(users.map((user) => told(app, user)));
        return {
          times: timesOf(sent),
          left: left.length,
          told: notices.map(({ length }) => length),
        };
      },
    });

  it.each([
    ['sends each', true, 0],
    ['gives each up, which its user is told once', false, 1],
  ])('%s, and none twice but those that were on their way', async (_, isTaken, notices) => {
    expect(await mails(isTaken)).toEqual(
      [
        [1, 1],
        [2, 2],
        [1, 2],
      ].map((times) => ({ times, left: 0, told: [notices, notices] })),
    );
  });
});
