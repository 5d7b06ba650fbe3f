import type { StripeWebhook } from '@slipstream/adapter-payment-stripe';
import { stripeApi } from '../composition/payments.js';
import type { ServerSettings } from '../settings/settings.js';
import { type Finding, findingsAbout } from './finding.js';

const { good, doubtful, bad } = findingsAbout('payments');
const PAGE = 'packages/adapter-payment-stripe/README.md';

/** Whether Stripe takes the key, can pay out, and posts what changes to this server. Nothing is charged. */
export async function paymentFindings(settings: ServerSettings): Promise<Finding[]> {
  const { STRIPE_SECRET_KEY: secretKey, PUBLIC_URL: publicUrl } = settings;
  if (secretKey === undefined) return publicUrl === undefined ? [] : [SIMULATED];
  const { NOTICED_EVENTS, askWebhooks, keepsDollars } =
    await import('@slipstream/adapter-payment-stripe');
  const api = stripeApi(settings);
  const host = api ? `${api.host}:${api.port}` : 'api.stripe.com';
  const answer = await askWebhooks({ secretKey, api });
  if (answer.kind === 'key_refused')
    return [
      bad(`${host} refuses the key`, "Correct STRIPE_SECRET_KEY: Stripe's dashboard, API keys."),
    ];
  if (answer.kind === 'unreachable')
    return [
      bad(
        `${host} cannot be reached, or is in trouble (${answer.reason})`,
        'Let this machine call it on port 443: check its network, its firewall and its name service.',
      ),
    ];
  const found = [good(`${host} takes the key`)];
  if ((await keepsDollars({ secretKey, api })) === false) found.push(NO_DOLLARS);
  if (publicUrl === undefined) return found;
  if (/^.k_test_/.test(secretKey)) found.push(FOR_TESTS);
  const here = `${publicUrl}/stripe`;
  if (answer.kind === 'told')
    return [...found, webhookFinding(answer.webhooks, here, NOTICED_EVENTS)];
  return [
    ...found,
    doubtful(
      'the key may not list webhooks, so it is not known whether Stripe posts what changes',
      `See in Stripe's dashboard that a webhook leads to ${here}, or let the key read webhooks.`,
    ),
  ];
}

const SIMULATED = doubtful(
  'payments are simulated: nobody is charged, and nothing is paid out',
  'Set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET, or leave every price at 0.',
);
const NO_DOLLARS = doubtful(
  'the account at Stripe keeps no balance in USD: what owners earn is charged, and is not paid out',
  "Let it keep USD: Stripe's dashboard, settings of balances and bank accounts.",
);
const FOR_TESTS = doubtful(
  'the key is for tests: nobody is charged',
  'Set the key of live mode, sk_live_….',
);

function webhookFinding(
  webhooks: readonly StripeWebhook[],
  here: string,
  events: readonly string[],
): Finding {
  const leading = webhooks.filter(({ url }) => url === here);
  if (leading.length === 0)
    return doubtful(
      `no webhook of Stripe leads to ${here}: disputes, refunds and confirmed cards are known late`,
      `Add one (${PAGE}), with its secret as STRIPE_WEBHOOK_SECRET.`,
    );
  const told = new Set(leading.flatMap((webhook) => webhook.events));
  const missing = told.has('*') ? [] : events.filter((event) => !told.has(event));
  return missing.length === 0
    ? good(`Stripe posts what changes to ${here}`)
    : doubtful(`the webhook to ${here} lacks ${missing.join(', ')}`, `Add them (${PAGE}).`);
}
