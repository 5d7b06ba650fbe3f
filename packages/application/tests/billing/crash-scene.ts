import { fixedClock } from '@slipstream/adapter-memory/testing';
import {
  type StrategyId,
  chargeRefOf,
  id,
  refundedOf,
  remainderOf,
  statusOf,
  sum,
} from '@slipstream/domain';
import type { LinkAnswer, PaymentGateway } from '@slipstream/ports';
import type { Settings, UserCaller } from '../../src/index.js';
import type { App } from '../app.js';
import { outcomesOf } from '../crashes.js';
import { type ActingGateway, actingGateway } from './acting-gateway.js';
import { type BillingWorld, DAY, START, billingWorld } from './billing-world.js';

const ALL = { limit: 1_000_000 };

/** Begins a notice of a source; any other one is of a charge. */
export const SOURCE = 'source:';

/** What the banks say of cards that wait. */
interface Banks {
  say: 'confirmed' | 'refused' | 'nothing';
}

/** A card that is not linked any more can not be charged. */
const REMOVED = 'simulated:test_card_declined';

/** The gateway, which names each source by a name of its own and knows which ones are linked. */
function linkingGateway(gateway: PaymentGateway) {
  const linked = new Set<string>();
  const banks: Banks = { say: 'confirmed' };
  const nameOf = (ref: string): string => ref.split('#')[0] ?? '';
  const named = <Answer extends { readonly kind: string }>(answer: Answer, owner: string): Answer =>
    'ref' in answer ? { ...answer, ref: `${String(answer.ref)}#${owner}` } : answer;
  const linking: PaymentGateway = {
    ...gateway,
    link: async (request) => {
      await request.begun?.(`begun#${request.sourceId}`);
      const answer = named<LinkAnswer>(await gateway.link(request), request.sourceId);
      linked.add(request.sourceId);
      return answer;
    },
    confirmation: async (ref) => {
      if (banks.say === 'refused') return { kind: 'refused', reason: 'it did not know its owner' };
      if (banks.say === 'nothing') return { kind: 'waiting' };
      return named(await gateway.confirmation(nameOf(ref)), ref.split('#')[1] ?? '');
    },
    readNotice: async (about) =>
      about.startsWith(SOURCE)
        ? { kind: 'source_decided', sourceId: id(about.slice(SOURCE.length)) }
        : gateway.readNotice?.(about, {}),
    unlink: async (ref) => void linked.delete(ref.split('#')[1] ?? ''),
    charge: (request) => {
      const [name = '', owner = ''] = request.sourceRef.split('#');
      return gateway.charge({ ...request, sourceRef: linked.has(owner) ? name : REMOVED });
    },
  };
  return { gateway: linking, linked, banks };
}

export interface MoneyWorld extends BillingWorld {
  readonly side: ActingGateway;
  /** The ids of the sources that are linked at the gateway. */
  readonly linked: ReadonlySet<string>;
  readonly banks: Banks;
  readonly owner: UserCaller;
  readonly follower: UserCaller;
  readonly strategyId: StrategyId;
}

export type Ask = (app: App, world: MoneyWorld) => Promise<unknown>;
export type Before = (world: MoneyWorld) => Promise<unknown>;

/** An owner with a bank account, whose strategy costs 30 USD a month, and a payer with a card. */
export async function moneyWorld(): Promise<MoneyWorld> {
  const clock = fixedClock(START);
  const side = actingGateway(clock);
  const { gateway, linked, banks } = linkingGateway(side.gateway);
  const world = await billingWorld(gateway, clock);
  const [owner, follower] = [await world.confirmed('owner'), await world.confirmed('follower')];
  const strategyId = await world.priced(owner, 30);
  await world.pay(owner, 'test_bank');
  await world.pay(follower, 'test_card_paid');
  return { ...world, side, linked, banks, owner, follower, strategyId };
}

/** So many days go by, half a month at a time, and what is due is done. */
export const passes =
  (days: number): Before =>
  async ({ app, ports: { clock } }) => {
    for (let left = days; left > 0; left -= 15) {
      clock.advance(Math.min(left, 15) * DAY);
      await app.runBilling();
    }
  };

/** The payer has followed the strategy for so many days. */
export const followedFor =
  (days: number): Before =>
  async (world) => {
    await world.subscribe(world.follower, world.strategyId);
    await passes(days)(world);
  };

export const after =
  (...steps: readonly Before[]): Before =>
  async (world) => {
    for (const step of steps) await step(world);
  };

export const later =
  (time: number): Before =>
  async ({ ports }) =>
    ports.clock.advance(time);

export const card =
  (token: string): Before =>
  ({ pay, follower }) =>
    pay(follower, token);

export const withdrawn: Before = ({ withdraw, owner }) => withdraw(owner, '20');

/** Time goes by, and the process does what is due. */
export async function rests(app: App, { ports: { clock } }: MoneyWorld): Promise<void> {
  const steps = [0, 61_000, 61_000, 3_600_000, DAY, DAY];
  for (const step of steps) {
    clock.advance(step);
    await app.tick();
    await app.runBilling();
    for (let round = 0; round < 3; round += 1) await app.sendMails();
  }
}

const counted = (texts: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const text of texts.toSorted()) counts[text] = (counts[text] ?? 0) + 1;
  return counts;
};

/** What became of the money, of the cards and of what the users were told. */
export async function moneyOf({ side, linked, ports, owner, follower }: MoneyWorld) {
  const ids = [owner.userId, follower.userId];
  return ports.unitOfWork.read(async (stores) => {
    const lists = await Promise.all(
      ids.map(async (id) => ({
        subscriptions: await stores.subscriptions.listOfUser(id, ALL),
        invoices: await stores.invoices.list(id, {}, ALL),
        earnings: await stores.earnings.list(id, ALL),
        withdrawals: await stores.withdrawals.list(id, ALL),
        sources: await stores.paymentSources.listOf(id),
        told: await stores.notifications.list(id, ALL),
      })),
    );
    const of = <Key extends keyof (typeof lists)[number]>(key: Key) =>
      lists.flatMap((list) => list[key] as readonly unknown[]) as (typeof lists)[number][Key];
    const earnings = of('earnings');
    const known = of('sources').filter(({ status }) => status !== 'deleted');
    return {
      subscriptions: of('subscriptions').map(({ relation, status }) => `${relation} ${status}`),
      invoices: of('invoices').map((invoice) => {
        const own = earnings.filter(({ invoiceId }) => invoiceId === invoice.id);
        const charge = side.charges.get(chargeRefOf(invoice) ?? '');
        const charges = [...side.charges.values()].filter(
          ({ invoiceId }) => invoiceId === invoice.id,
        );
        return {
          status: statusOf(invoice),
          attempts: invoice.attempts,
          charges: charges.length,
          refunded: refundedOf(invoice).toFixed(),
          given: charge?.given.toFixed(),
          isBooked: sum(own.map((row) => row.amount.plus(row.commission))).eq(remainderOf(invoice)),
        };
      }),
      balance: sum(earnings.map(({ amount }) => amount)).toFixed(),
      withdrawals: of('withdrawals').map(({ status }) => status),
      paidOut: [...side.paidOut.values()].map((amount) => amount.toFixed()),
      sources: known.map(
        ({ status, primary, direction }) => `${direction} ${status}${primary ? ', primary' : ''}`,
      ),
      linkedUnknown: [...linked].filter((id) => known.every((source) => source.id !== id)).length,
      unlinkedKnown: known.filter(({ id }) => !linked.has(id)).length,
      told: counted(of('told').map(({ text }) => text.replaceAll(/id-\d+|(?<=until )[^.]+/g, '…'))),
      mailed: counted(ports.mailer.sent.map(({ to, subject }) => `${to}: ${subject}`)),
    };
  });
}

export type Became = Awaited<ReturnType<typeof moneyOf>> & {
  /** What the sender of the request got for repeating it. */
  readonly repeat?: string;
};

const outcomes = (
  before: Before,
  flow: Ask,
  then: (app: App, world: MoneyWorld) => Promise<Partial<Became>>,
  settings?: Settings,
) =>
  outcomesOf<MoneyWorld>({
    async begin() {
      const world = await moneyWorld();
      await before(world);
      return world;
    },
    flow,
    async outcome(next, world) {
      const more = await then(next, world);
      await rests(next, world);
      return { ...(await moneyOf(world)), ...more };
    },
    settings,
  }) as Promise<readonly Became[]>;

/** The different outcomes of the background's work, whose process dies at each of its moments. */
export const workOutcomes = (before: Before, flow: Ask, settings?: Settings) =>
  outcomes(before, flow, async () => ({}), settings);

/** The same of a request, which its sender then repeats under its Idempotency-Key; where that is refused, under none if it `goesOn`. */
export function requestOutcomes(before: Before, ask: Ask, goesOn = false) {
  const keyed = (app: App, world: MoneyWorld): Promise<string> =>
    app.idempotently(
      { caller: 'sender', route: 'route', key: 'key', body: '' },
      (operations) => ask(operations as App, world),
      (answer) => JSON.stringify(answer) ?? '',
    );
  return outcomes(before, keyed, async (next, world) => {
    const repeat = await keyed(next, world).then(
      () => 'answered',
      (error: unknown) => (error as { code: string }).code,
    );
    if (goesOn && repeat === 'idempotency_interrupted') await ask(next, world);
    return { repeat };
  });
}
