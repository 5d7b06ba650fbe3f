import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { gatewayFaults, simulatedGateway } from '@slipstream/adapter-payment-simulated';
import { fixedClock } from '@slipstream/adapter-memory/testing';
import { type ComposedServer, IN_SESSION, composedServer } from '../helpers/composed-server.js';
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
  const counted = async (name: string): Promise<readonly string[]> => {
    const { text } = await server.call('GET', '/metrics');
    return text.split('\n').filter((line) => line.startsWith(`slipstream_${name}_count{`));
  };

  beforeAll(async () => {
    server = await composedServer({
      clock,
      // Where nobody listens.
      environment: { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'a@example.com' },
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
    expect(await counted('mail_request_seconds')).toEqual([
      'slipstream_mail_request_seconds_count{request="send",result="unreachable"} 2',
    ]);
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
    const named = (request: string, result: string, count: number) =>
      `slipstream_payment_request_seconds_count{request="${request}",result="${result}"} ${count}`;
    expect(await counted('payment_request_seconds')).toEqual([
      named('link', 'refused', 1),
      named('link', 'answered', 1),
      named('charge', 'unreachable', 2),
      named('charge', 'answered', 1),
    ]);
  });
});
