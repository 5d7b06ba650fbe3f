import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { gatewayFaults, simulatedGateway } from '@slipstream/adapter-payment-simulated';
import { fixedClock } from '@slipstream/adapter-memory/testing';
import {
  type ComposedServer,
  IN_SESSION,
  OPERATOR_TOKEN,
  composedServer,
} from '../helpers/composed-server.js';
import { itOne } from '../helpers/three-nodes.js';

const CARD = {
  ...{ token: 'test_card_paid', name: 'Ada Lovelace', city: 'London', country: 'GB' },
  ...{ line_one: '12 St James Square', postal: 'SW1Y 4JH' },
};
const DAY = 86_400_000;

const it = itOne('the figures are those of the server that serves');

describe('the metrics, while nobody answers outside', () => {
  let server: ComposedServer;
  const clock = fixedClock(IN_SESSION);
  const faults = gatewayFaults();
  /** The requests to a party, by what came of them. */
  const counted = async (party: string): Promise<readonly string[]> => {
    const { text } = await server.call('GET', '/metrics');
    const lines = text.matchAll(
      /^slipstream_outside_request_seconds_count\{party="(.+)",request="(.+)",result="(.+)"\} (\d+)$/gm,
    );
    return [...lines]
      .filter(([, of]) => of === party)
      .map(([, , request, result, count]) => `${request} ${result} ${count}`);
  };

  beforeAll(async () => {
    server = await composedServer({
      clock,
      // Where nobody listens.
      environment: {
        ...{ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'a@example.com' },
        ...{ MARKET: 'live', FEEDS: 'alpaca', ALPACA_DATA_URL: 'http://127.0.0.1:1' },
        ...{ ALPACA_DATA_KEY_ID: 'PKDATA', ALPACA_DATA_SECRET: 'secret of data' },
        TIMESTAMP_URL: 'http://127.0.0.1:1',
      },
      adapters: { paymentGateway: simulatedGateway({ clock, faults }) },
    });
  });
  afterAll(() => server.close());

  it('count the mails that the mail server did not take', async () => {
    await server.user('ada');
    await server.ask('newPasswordReset', { email: 'ada@example.com' });
    for (let time = 1; time <= 2; time += 1) {
      await server.application.background.sendMails();
      clock.advance(DAY / 24);
    }
    expect(await counted('mail')).toEqual(['send unreachable 2']);
  });

  it('count the requests to the payment gateway by what came of them', async () => {
    const [owner, payer] = [await server.user('bea'), await server.user('cy')];
    const priced = { type: 'stock', name: 'A', price: 15 };
    const { strategy_id } = await server.ask('newStrategy', priced, owner);
    const refused = { ...CARD, token: 'test_card_of_nobody' };
    expect((await server.attempt('newPaymentSource', refused, payer)).status).toBe(400);
    await server.ask('newPaymentSource', CARD, payer);
    faults.on('charge', 'lost_request', 'lost_answer');
    await server.ask('newStrategySubscription', { strategy_id, price: 15 }, payer);
    for (let time = 1; time <= 2; time += 1) {
      clock.advance(DAY / 24);
      await server.application.background.runBilling();
    }
    const [invoice] = await server.ask('getInvoices', {}, payer);
    expect(invoice?.status).toBe('paid');
    expect(await counted('payments')).toEqual([
      'link refused 1',
      'link answered 1',
      'charge unreachable 2',
      'charge answered 1',
    ]);
  });

  it('count what is asked for corporate actions, the calendar and time stamps', async () => {
    clock.advance(DAY);
    await expect(server.application.background.followMarket()).rejects.toThrow();
    await server.ask('newAnchor', {}, OPERATOR_TOKEN);
    expect(await counted('corporate_actions')).toEqual(['between unreachable 1']);
    expect(await counted('calendar')).toEqual(['between unreachable 1']);
    expect(await counted('time_stamps')).toEqual(['stamp unreachable 1']);
  });
});
