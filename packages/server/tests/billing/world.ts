import { openMemory } from '@slipstream/adapter-memory';
import { type FixedClock, fixedClock } from '@slipstream/adapter-memory/testing';
import type { Mail } from '@slipstream/ports';
import { ONLY_BY_NAME } from '@slipstream/domain';
import { listen } from '@slipstream/stand-ins';
import { type ComposedServer, composedServer } from '../helpers/composed-server.js';
import { type Bank, openBank } from './bank.js';
import { Ledger } from './ledger.js';
import type { Sold } from './deals.js';

export const PASSWORD = 'correct horse battery';
const ADDRESS = { name: 'A', city: 'C', country: 'GB', line_one: 'L', postal: 'P' };
/** Months of 28 to 31 days, and February 29th, come soon after them. */
const BEGINNINGS = ['2026-01-31', '2027-12-29', '2028-01-30', '2027-08-31', '2028-02-29'];
const PERCENTS = [20, 33];

/** Numbers that are the same for the same seed. */
export type Dice = (below: number) => number;
export function dice(seed: number): Dice {
  let state = seed * 7919 + 1;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

export interface Account {
  readonly name: string;
  readonly token: string;
  readonly userId: string;
}

/** The newest record of each thing that an endpoint was sent, by its id. */
export type Sent = Map<string, Readonly<Record<string, unknown>>>;

export interface World {
  readonly server: ComposedServer;
  readonly clock: FixedClock;
  readonly bank: Bank;
  readonly ledger: Ledger;
  readonly people: Account[];
  readonly sold: Sold[];
  readonly mails: Mail[];
  /** What the endpoint of each account got. */
  readonly sent: Map<string, Sent>;
  readonly acts: string[];
  /** Does what is due, and tells the ledger. */
  run(): Promise<void>;
  /** Tells the ledger what the bank heard meanwhile. */
  hear(): void;
  close(): Promise<void>;
  readonly receiver: string;
}

export const OWNERS = 2;

export async function openWorld(seed: number): Promise<World> {
  const begin = `${BEGINNINGS[seed % BEGINNINGS.length]}T15:00:00.000Z`;
  const clock = fixedClock(Date.parse(begin));
  const bank = openBank(clock);
  const ledger = new Ledger();
  const mails: Mail[] = [];
  const sent = new Map<string, Sent>();
  const receiver = await listen(async ({ path, body }) => {
    const { data } = JSON.parse(body) as { readonly data: Readonly<Record<string, unknown>> };
    const of = sent.get(path.slice(1)) ?? new Map();
    sent.set(path.slice(1), of.set(data['invoice_id'] ?? data['subscription_id'], data));
    return { status: 200, body: '' };
  });
  const unitOfWork = openMemory();
  const server = await composedServer({
    clock,
    environment: {
      TRADING_HOURS: 'always',
      WEBHOOK_ALLOW: 'loopback',
      CAPS: 'strategies=1000,posts=1000',
    },
    adapters: {
      unitOfWork,
      paymentGateway: bank.gateway,
      mailer: { send: async (mail) => void mails.push(mail) },
      passwords: {
        hash: async (password) => password,
        verify: async (hash, password) => hash === password,
        isCommon: () => false,
      },
    },
  });
  const { background } = server.application;
  let heard = 0;
  const world: World = {
    ...{ server, clock, bank, ledger, mails, sent, receiver: receiver.url },
    async close() {
      await server.close();
      await receiver.close();
    },
    people: [],
    sold: [],
    acts: [],
    hear() {
      for (const one of bank.log.slice(heard)) {
        if (one.kind === 'charge') ledger.asked(one);
        else if (one.kind === 'seen') ledger.heard(one);
        else if (one.kind === 'refund') ledger.gaveBack(one);
        else ledger.paidOut(one);
      }
      heard = bank.log.length;
    },
    async run() {
      ledger.tick(clock.now());
      await background.runBilling();
      world.hear();
      ledger.tick(clock.now());
      if (!bank.state.isDown) ledger.tock(clock.now());
      for (let rounds = 0; rounds < 3; rounds += 1) await background.sendMails();
      await background.sendEvents();
    },
  };
  for (let n = 0; n < 5; n += 1) world.people.push(await join(world, n, 0));
  await unitOfWork.run(async ({ users }) => {
    for (const [n, commission] of PERCENTS.entries()) {
      const user = await users.find(world.people[n]?.userId as never);
      if (user) await users.save({ ...user, commission });
    }
  });
  for (const [n, price] of [7, 30, 49].entries()) await sell(world, n % OWNERS, price, n === 2);
  return world;
}

export async function join(world: World, place: number, turn: number): Promise<Account> {
  const { server } = world;
  const name = `p${place}n${turn}`;
  const account = { email: `${name}@example.com`, password: PASSWORD };
  const { user_id: userId } = await server.ask('newUser', account);
  const { token: refresh } = await server.ask('newSession', account);
  const scope = ['*', ...ONLY_BY_NAME];
  const lasting = { name: 'all', scope, expires_at: '2099-01-01T00:00:00Z' };
  const { token } = await server.ask('newToken', lasting, refresh);
  for (let rounds = 0; rounds < 3; rounds += 1) await server.application.background.sendMails();
  const mail = world.mails.find(({ to, text }) => to === account.email && text.includes('#code='));
  const code = /#code=(\S+)/.exec(mail?.text ?? '')?.[1];
  await server.ask('confirmEmail', { code }, token);
  const made = { name, token: await again(server, account), userId };
  await card(world, made, 0);
  if (place < OWNERS) {
    const bank_ = { token: `bank ${name}`, direction: 'out', ...ADDRESS, password: PASSWORD };
    await server.ask('newPaymentSource', bank_, made.token);
  }
  const events = ['invoice.changed', 'subscription.changed'];
  const endpoint = { kind: 'webhook', url: `${world.receiver}/${name}`, events };
  await server.ask('newEndpoint', endpoint, made.token);
  return made;
}

/** The confirmation ended what was signed in before it. */
async function again(
  server: ComposedServer,
  account: { readonly email: string; readonly password: string },
): Promise<string> {
  const { token: refresh } = await server.ask('newSession', account);
  const scope = ['*', ...ONLY_BY_NAME];
  const lasting = { name: 'all', scope, expires_at: '2099-01-01T00:00:00Z' };
  return (await server.ask('newToken', lasting, refresh)).token;
}

export async function card(world: World, { name, token }: Account, turn: number): Promise<void> {
  const given = `card${turn} ${name}`;
  await world.server.ask('newPaymentSource', { token: given, primary: true, ...ADDRESS }, token);
  world.ledger.cards.set(given, name);
  world.ledger.primary.set(name, given);
}

export async function sell(world: World, place: number, price: number, isPrivate: boolean) {
  const { server, people, sold } = world;
  const owner = people[place] as Account;
  const name = `S${sold.length}`;
  const made = await server.ask(
    'newStrategy',
    {
      ...{ type: 'stock', name, price, private: isPrivate },
      ...(isPrivate && { invited_user_ids: people.map(({ userId }) => userId) }),
    },
    owner.token,
  );
  sold.push({
    ...{
      id: made.strategy_id,
      name,
      owner: owner.name,
      percent: owner.name.endsWith('n0') ? (PERCENTS[place] ?? 20) : 20,
    },
    ...{ price, isOver: false, isDeleted: false, isPrivate },
  });
}
