import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { simulatedGateway } from '@slipstream/adapter-payment-simulated';
import { fixedClock } from '@slipstream/adapter-memory/testing';
import { NoticeRefused, type PaymentGateway } from '@slipstream/ports';
import fc from 'fast-check';
import { type ComposedServer, composedServer } from '../helpers/composed-server.js';
import { QUERIES, long, nested } from './odd-values.js';
import { sendAsIs } from '../helpers/sent-request.js';

const SEED = Number(process.env['TEST_SEED'] ?? 20260304);
const MORE = Number(process.env['TEST_RUNS'] ?? 1);
const PATIENCE = 10_000;
/** With more the headers are above Node's limit, and no page is opened. */
const LONGEST_URL = 16_000;
const runs = (numRuns: number) => ({ seed: SEED, numRuns: numRuns * MORE });

/** Knows its own notices by their signature, and says of each that a charge nobody made was changed. */
const gateway: PaymentGateway = {
  ...simulatedGateway({ clock: fixedClock(0) }),
  name: 'stripe',
  readNotice: async (body, headers) => {
    if (headers['stripe-signature'] !== 'good') throw new NoticeRefused('it does not fit');
    return { kind: 'charge_changed', chargeRef: body };
  },
};

describe(`what is posted and opened beside the operations (TEST_SEED=${SEED})`, () => {
  let server: ComposedServer;
  beforeAll(async () => {
    server = await composedServer({ storage: 'sqlite', adapters: { paymentGateway: gateway } });
  });
  afterAll(() => server.close());

  const bodies = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.json(),
    fc.constantFrom('', '{}', 'null', nested(100), long(70_000), long(300_000), '\ufeff{}'),
  );
  const headers = fc.record(
    {
      'stripe-signature': fc.constantFrom('good', 'bad', '', 't=1,v1=00', long(5000)),
      'content-type': fc.constantFrom('application/json', 'text/plain', '', 'multipart/form-data'),
      'content-encoding': fc.constantFrom('gzip', 'identity'),
    },
    { requiredKeys: [] },
  );

  // It takes seconds to make, in which a server would close an idle connection.
  const queries = fc.oneof(
    fc.constantFrom(...QUERIES),
    fc.webQueryParameters(),
    fc.string().map((code) => `code=${encodeURIComponent(code)}`),
    fc.constantFrom(
      'code=<script>canary</script>',
      `code=canary${long(9000)}`,
      'code=%',
      'code=a&code=b',
    ),
  );

  it('a webhook of the payment gateway is accepted, or refused with the envelope', async () => {
    await fc.assert(
      fc.asyncProperty(bodies, headers, async (body, given) => {
        const sent = { method: 'POST', path: '/stripe', headers: given, body };
        const { status, text } = await sendAsIs(server.url, sent, PATIENCE);
        expect([200, 400, 413]).toContain(status);
        if (status === 200) expect([given['stripe-signature'], text]).toEqual(['good', 'ok\n']);
        else
          expect(JSON.parse(text)).toEqual({
            success: false,
            response: expect.stringMatching(/^Request failed\. .*\S\.$/),
          });
      }),
      runs(60),
    );
  });

  it('the page that takes the code of a broker is the same for every request', async () => {
    const { text: page } = await sendAsIs(
      server.url,
      { method: 'GET', path: '/connect', query: '', headers: {} },
      PATIENCE,
    );
    await fc.assert(
      fc.asyncProperty(queries, async (query) => {
        const sent = { method: 'GET', path: '/connect', query: encodeURI(query), headers: {} };
        const { text } = await sendAsIs(server.url, sent, PATIENCE);
        if (sent.query.length > LONGEST_URL)
          expect(JSON.parse(text)).toMatchObject({ success: false });
        else expect(text).toBe(page);
      }),
      runs(60),
    );
  });
});
