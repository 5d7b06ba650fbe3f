import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type Stripe from 'stripe';
import { type Fields, fieldsOf } from './form.js';

/** What the local server holds, in the shapes of the library's types. */
type Intent = Pick<
  Stripe.PaymentIntent,
  'id' | 'object' | 'amount' | 'currency' | 'customer' | 'status' | 'metadata' | 'description'
> & {
  readonly last_payment_error: Pick<Stripe.PaymentIntent.LastPaymentError, 'decline_code'> | null;
  readonly created: number;
  latest_charge: Pick<Stripe.Charge, 'id' | 'object' | 'amount_refunded'>;
};
type Setup = Pick<Stripe.SetupIntent, 'id' | 'object' | 'client_secret' | 'metadata'> & {
  status: Stripe.SetupIntent.Status;
  next_action: object | null;
  readonly payment_method: { readonly id: string; readonly [field: string]: unknown };
};
type Refund = Pick<Stripe.Refund, 'id' | 'object' | 'amount' | 'payment_intent' | 'metadata'> & {
  status: string;
};
type Dispute = Pick<Stripe.Dispute, 'id' | 'object' | 'amount' | 'payment_intent'> & {
  status: Stripe.Dispute.Status;
  balance_transactions: { readonly amount: number }[];
};
type Transfer = Pick<
  Stripe.Transfer,
  'id' | 'object' | 'amount' | 'currency' | 'destination' | 'transfer_group'
>;
interface Reply {
  readonly status: number;
  readonly body: object;
}
type Loss = 'request' | 'answer';

export const SECRET_KEY = 'sk_test_local';
const KNOWN_METHODS: Readonly<Record<string, string>> = {
  pm_card_visa: '4242',
  pm_card_chargeCustomerFail: '0341',
  pm_card_authenticationRequired: '3184',
};
const ACCOUNTS: Readonly<Record<string, Stripe.Account.Capabilities.Transfers>> = {
  acct_1Ready: 'active',
  acct_1Waiting: 'pending',
};

const ok = (body: object): Reply => ({ status: 200, body });
const refused = (code: string, status = 400): Reply => ({
  status,
  body: { error: { type: 'invalid_request_error', code, message: code } },
});

/** Of the customer, and made no earlier than asked for. */
const isAsked =
  ({ customer, created }: Fields) =>
  (intent: Intent): boolean =>
    intent.customer === customer &&
    (typeof created !== 'object' || intent.created >= Number(created['gte']));

/** A local server that answers the calls of the adapter as Stripe does. */
export async function fakeStripe(now: () => number = () => 0) {
  let made = 0;
  const nextId = (prefix: string) => `${prefix}_${(made += 1)}`;
  const intents: Intent[] = [];
  const setups: Setup[] = [];
  const disputes: Dispute[] = [];
  const refunds: Refund[] = [];
  const transfers: Transfer[] = [];
  const customers = new Set<string>();
  const products = new Map<string, Fields>();
  const methods = new Map<string, { readonly token: string; attached: boolean }>();
  const kept = new Map<string, { readonly sent: string; readonly reply: Reply }>();
  const losses: { readonly path: string; readonly loss: Loss }[] = [];
  const failures: Reply[] = [];
  const sent: string[] = [];
  const meanwhile: { readonly asked: string; readonly work: () => Promise<unknown> }[] = [];
  let balance = Number.MAX_SAFE_INTEGER;

  /** The bank is asked about the card, and one that it takes is attached to the customer. */
  const confirm = (setup: Setup): Reply => {
    if (setup.status !== 'requires_confirmation') return refused('setup_intent_unexpected_state');
    const method = methods.get(setup.payment_method.id);
    const asks = method?.token.endsWith('Required') === true;
    setup.status = asks ? 'requires_action' : 'succeeded';
    setup.next_action = asks
      ? { type: 'redirect_to_url', redirect_to_url: { url: 'https://hooks.stripe.com/3d' } }
      : null;
    // One that its payer confirms is attached later; nothing here asks for that moment.
    if (method) method.attached = true;
    return ok(setup);
  };

  const setUp = (fields: Fields): Reply => {
    const token = String(fields['payment_method']);
    const last4 = KNOWN_METHODS[token];
    if (last4 === undefined) return refused('resource_missing');
    const methodId = nextId('pm');
    methods.set(methodId, { token, attached: false });
    const setup: Setup = {
      id: nextId('seti'),
      object: 'setup_intent',
      client_secret: `${nextId('seti')}_secret`,
      metadata: fields['metadata'] as Record<string, string>,
      status: 'requires_confirmation',
      next_action: null,
      payment_method: {
        id: methodId,
        object: 'payment_method',
        type: 'card',
        card: { brand: 'visa', last4 },
      },
    };
    setups.push(setup);
    return fields['confirm'] === 'true' ? confirm(setup) : ok(setup);
  };

  const pay = (fields: Fields): Reply => {
    const method = methods.get(String(fields['payment_method']));
    if (!method?.attached) return refused('resource_missing');
    const isDeclined = method.token === 'pm_card_chargeCustomerFail';
    const intent: Intent = {
      id: nextId('pi'),
      object: 'payment_intent',
      amount: Number(fields['amount']),
      currency: String(fields['currency']),
      customer: String(fields['customer']),
      description: String(fields['description']),
      metadata: fields['metadata'] as Record<string, string>,
      status: isDeclined ? 'requires_payment_method' : 'succeeded',
      last_payment_error: isDeclined ? { decline_code: 'generic_decline' } : null,
      created: Math.floor(now() / 1000),
      latest_charge: { id: nextId('ch'), object: 'charge', amount_refunded: 0 },
    };
    intents.push(intent);
    if (!isDeclined) return ok(intent);
    const error = { type: 'card_error', code: 'card_declined', decline_code: 'generic_decline' };
    return { status: 402, body: { error: { ...error, message: 'Your card was declined.' } } };
  };

  const giveBack = (fields: Fields): Reply => {
    const intent = intents.find(({ id }) => id === fields['payment_intent']);
    if (!intent) return refused('resource_missing');
    const { latest_charge: made } = intent;
    const total = made.amount_refunded + Number(fields['amount']);
    if (made.amount_refunded === intent.amount) return refused('charge_already_refunded');
    const open = disputes.filter((one) => one.payment_intent === intent.id);
    if (open.some(({ status }) => status === 'under_review' || status === 'needs_response'))
      return refused('charge_disputed');
    const lost = open.filter(({ status }) => status === 'lost');
    const taken = lost.reduce((sum, one) => sum + one.amount, 0);
    if (total + taken > intent.amount) return refused('amount_too_large');
    made.amount_refunded = total;
    const [amount, payment_intent] = [Number(fields['amount']), intent.id];
    const one: Refund = {
      id: nextId('re'),
      object: 'refund',
      amount,
      payment_intent,
      metadata: (fields['metadata'] ?? {}) as Record<string, string>,
      status: 'succeeded',
    };
    refunds.push(one);
    return ok({ ...one });
  };

  const transfer = (fields: Fields): Reply => {
    const amount = Number(fields['amount']);
    if (amount > balance) return refused('balance_insufficient');
    const destination = String(fields['destination']);
    if (!(destination in ACCOUNTS)) return refused('resource_missing');
    const currency = String(fields['currency']);
    const transfer_group = String(fields['transfer_group']);
    const one: Transfer = {
      id: nextId('tr'),
      object: 'transfer',
      amount,
      currency,
      destination,
      transfer_group,
    };
    transfers.push(one);
    return ok(one);
  };

  const makeProduct = (fields: Fields): Reply => {
    const productId = String(fields['id']);
    if (products.has(productId)) return refused('resource_already_exists');
    products.set(productId, fields);
    return ok({ id: productId, object: 'product' });
  };

  const list = (data: readonly object[]): Reply => ok({ object: 'list', data, has_more: false });

  const perform = (method: string, path: string, fields: Fields): Reply => {
    const [, , resource, resourceId] = path.split('/');
    switch (`${method} ${resource}${resourceId === undefined ? '' : '/'}`) {
      case 'POST customers': {
        const customer = nextId('cus');
        customers.add(customer);
        return ok({ id: customer, object: 'customer' });
      }
      case 'POST setup_intents':
        return setUp(fields);
      case 'POST setup_intents/': {
        const setup = setups.find((one) => one.id === resourceId);
        if (setup && path.endsWith('/confirm')) return confirm(setup);
        const isOpen =
          setup?.status === 'requires_action' || setup?.status === 'requires_confirmation';
        if (!isOpen) return refused('setup_intent_unexpected_state');
        setup.status = 'canceled';
        return ok(setup);
      }
      case 'POST payment_methods/': {
        const found = methods.get(resourceId ?? '');
        if (!found?.attached) return refused('resource_missing');
        found.attached = false;
        return ok({ id: resourceId, object: 'payment_method' });
      }
      case 'GET accounts/': {
        const transfersState = ACCOUNTS[resourceId ?? ''];
        if (transfersState === undefined) return refused('account_invalid', 403);
        return ok({
          id: resourceId,
          object: 'account',
          capabilities: { transfers: transfersState },
        });
      }
      case 'POST products':
        return makeProduct(fields);
      case 'POST payment_intents':
        return pay(fields);
      case 'GET payment_intents':
        if (!customers.has(String(fields['customer']))) return refused('resource_missing');
        return list(intents.filter(isAsked(fields)));
      case 'GET payment_intents/': {
        const isFound = (one: Intent) =>
          fields['query'] === `metadata["month"]:"${one.metadata['month']}"`;
        if (resourceId === 'search') return list(intents.filter(isFound));
        const intent = intents.find((one) => one.id === resourceId);
        return intent ? ok(intent) : refused('resource_missing', 404);
      }
      case 'GET setup_intents/': {
        const setup = setups.find((one) => one.id === resourceId);
        return setup ? ok(setup) : refused('resource_missing', 404);
      }
      case 'GET disputes':
        return list(disputes.filter((one) => one.payment_intent === fields['payment_intent']));
      case 'GET refunds':
        return list(refunds.filter((one) => one.payment_intent === fields['payment_intent']));
      case 'POST refunds':
        return giveBack(fields);
      case 'GET balance': {
        const [amount, currency] = [balance, 'usd'];
        return ok({
          object: 'balance',
          available: [{ amount, currency, source_types: { card: amount } }],
          pending: [],
        });
      }
      case 'GET transfers':
        return list(transfers.filter((one) => one.transfer_group === fields['transfer_group']));
      case 'POST transfers':
        return transfer(fields);
      default:
        return refused('unknown_path', 404);
    }
  };

  /** Like Stripe: the first answer to a key, whatever it was; another path or body under it is an error. */
  const once = (key: string | undefined, method: string, path: string, text: string): Reply => {
    const known = key === undefined ? undefined : kept.get(key);
    const sentTo = `${path} ${text}`;
    if (known && known.sent !== sentTo) {
      return {
        status: 400,
        body: { error: { type: 'idempotency_error', message: 'another body' } },
      };
    }
    if (known) return known.reply;
    const reply = perform(method, path, fieldsOf(text));
    if (key !== undefined) kept.set(key, { sent: sentTo, reply });
    return reply;
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://localhost');
    const method = request.method ?? 'GET';
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    sent.push(`${method} ${pathname}${search} ${body}`);
    const held = meanwhile.findIndex(({ asked }) => asked === `${method} ${pathname}`);
    if (held >= 0) await meanwhile.splice(held, 1)[0]?.work();
    const at = losses.findIndex(({ path }) => method === 'POST' && pathname === path);
    const [lost] = at < 0 ? [] : losses.splice(at, 1);
    if (lost?.loss === 'request') return void request.socket.destroy();
    const isKnown = request.headers.authorization === `Bearer ${SECRET_KEY}`;
    const key = request.headers['idempotency-key'] as string | undefined;
    const text = method === 'GET' ? search.slice(1) : body;
    const reply = !isKnown
      ? refused('invalid_api_key', 401)
      : (failures.shift() ?? once(method === 'GET' ? undefined : key, method, pathname, text));
    if (lost?.loss === 'answer') return void request.socket.destroy();
    response.writeHead(reply.status, {
      'content-type': 'application/json',
      'request-id': 'req_local',
    });
    response.end(JSON.stringify(reply.body));
  };

  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    api: { protocol: 'http', host: '127.0.0.1', port } as const,
    intents,
    setups,
    /** How many payment methods are attached to customers. */
    attached: () => [...methods.values()].filter((one) => one.attached).length,
    disputes,
    /** The bank of the card could not take the newest refund: its money is the service's again. */
    failRefund: () => {
      const failed = refunds.at(-1);
      const made = intents.find(({ id }) => id === failed?.payment_intent)?.latest_charge;
      if (!failed || !made) throw new Error('nothing was refunded');
      failed.status = 'failed';
      made.amount_refunded -= failed.amount;
    },
    transfers,
    products,
    /** What was asked for: method, path and body. */
    sent,
    /** The next request to the path; twice, because the library sends it again by itself when a connection breaks. */
    lose: (path: string, loss: Loss) => void losses.push({ path, loss }, { path, loss }),
    /** What happens before the next such request arrives, which was sent already: by method and path. */
    before: (asked: string, work: () => Promise<unknown>) => void meanwhile.push({ asked, work }),
    /** What its operator gives back by hand, in cents. */
    giveBack: (payment_intent: string, cents: number) =>
      void giveBack({ payment_intent, amount: `${cents}` }),
    /** The next request is answered by this. */
    fail: (status: number, error: object) => void failures.push({ status, body: { error } }),
    /** The same with any body. */
    answer: (status: number, body: object) => void failures.push({ status, body }),
    /** A day later idempotency keys are unknown. */
    forgetKeys: () => kept.clear(),
    setBalance: (cents: number) => void (balance = cents),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export type FakeStripe = Awaited<ReturnType<typeof fakeStripe>>;
