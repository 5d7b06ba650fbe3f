import {
  type AlertRecord,
  type Bot,
  type Earning,
  type Like,
  type Notification,
  type OutgoingMail,
  type Post,
  Refusal,
  type Subscription,
  type Token,
  type User,
  type UserId,
  type Withdrawal,
  type StrategyView,
  isOnlyBegun,
} from '@slipstream/domain';
import type { Page, ReadStores } from '@slipstream/ports';
import { requireUser } from '../strategies/access.js';
import {
  type InvoiceView,
  type PaymentSourceView,
  viewInvoices,
  viewSource,
} from '../billing/payment-views.js';
import type { Caller } from '../caller.js';
import type { Core } from '../core.js';
import { type PageRequest, itemsAfter, pageOf } from '../page.js';
import { type EndpointView, viewEndpoint } from '../endpoints/targets.js';
import { forOwner, viewStrategies } from '../strategies/strategy-views.js';
import { ownUser } from './users.js';

/** The lists in the export of a user. */
interface Lists {
  readonly strategies: readonly StrategyView[];
  readonly subscriptions: readonly Subscription[];
  readonly bots: readonly Bot[];
  readonly tokens: readonly Token[];
  readonly posts: readonly Post[];
  /** Those that the user gave. */
  readonly likes: readonly Like[];
  readonly notifications: readonly Notification[];
  readonly paymentSources: readonly PaymentSourceView[];
  readonly invoices: readonly InvoiceView[];
  readonly withdrawals: readonly Withdrawal[];
  readonly earnings: readonly Earning[];
  readonly endpoints: readonly EndpointView[];
  readonly alerts: readonly AlertRecord[];
  /** Those on their way, and those that could not be delivered. */
  readonly mails: readonly OutgoingMail[];
}

/** One piece of the export; all pieces together have everything, each list newest first. */
export interface UserExportView extends Lists {
  readonly user: User;
  /** The cursor of the next piece; null after the last. */
  readonly nextCursor: string | null;
}

/** A page of one list. */
interface Piece {
  readonly part: Partial<Lists>;
  readonly count: number;
  /** The last id of the page if the list goes on after it. */
  readonly more: string | undefined;
}
type Section = (core: Core, stores: ReadStores, userId: UserId, page: Page) => Promise<Piece>;

const section =
  <Name extends keyof Lists>(
    name: Name,
    read: (core: Core, stores: ReadStores, userId: UserId, page: Page) => Promise<Lists[Name]>,
    idOf: (item: Lists[Name][number]) => string,
  ): Section =>
  async (core, stores, userId, { limit, cursor }) => {
    const found = await read(core, stores, userId, { limit: limit + 1, cursor });
    if (cursor !== undefined && found.length === 0) throw removedMeanwhile();
    const items = found.slice(0, limit);
    const last: Lists[Name][number] | undefined = items.at(-1);
    return {
      part: { [name]: items },
      count: items.length,
      more: found.length > limit && last !== undefined ? idOf(last) : undefined,
    };
  };

/** A list that went on has nothing after the item of its cursor: that item, or all after it, was removed. */
const removedMeanwhile = () =>
  new Refusal(
    'conflict',
    'something was removed between two pieces of the export; begin again without cursor',
  );

const idOf = ({ id }: { readonly id: string }): string => id;

/** A page of a list whose length a cap limits. */
const within = <Item extends { readonly id: string }>(
  list: readonly Item[],
  { limit, cursor }: Page,
): readonly Item[] => itemsAfter(list, cursor).slice(0, limit);

/** The lists in the order of the export. */
const SECTIONS: readonly Section[] = [
  section(
    'strategies',
    async (core, stores, userId, page) =>
      (await viewStrategies(core, stores, await stores.strategies.ownedBy(userId, page))).map(
        forOwner,
      ),
    ({ strategy }) => strategy.id,
  ),
  section(
    'subscriptions',
    (_, { subscriptions }, userId, page) => subscriptions.listOfUser(userId, page),
    idOf,
  ),
  section(
    'bots',
    async (_, { bots }, userId, page) => within(await bots.listOf(userId), page),
    idOf,
  ),
  section(
    'tokens',
    async (_, { tokens }, userId, page) => within(await tokens.listOf(userId), page),
    idOf,
  ),
  section('posts', (_, { posts }, userId, page) => posts.list([userId], page), idOf),
  section(
    'likes',
    (_, { likes }, userId, page) => likes.listOf(userId, page),
    ({ postId }) => postId,
  ),
  section(
    'notifications',
    (_, { notifications }, userId, page) => notifications.list(userId, page),
    idOf,
  ),
  section(
    'paymentSources',
    async (core, { paymentSources }, userId, page) =>
      within(
        (await paymentSources.listOf(userId)).filter((source) => !isOnlyBegun(source)),
        page,
      ).map((source) => viewSource(core, source)),
    ({ source }) => source.id,
  ),
  section(
    'invoices',
    async (core, stores, userId, page) =>
      viewInvoices(core, stores, await stores.invoices.list(userId, {}, page)),
    ({ invoice }) => invoice.id,
  ),
  section(
    'withdrawals',
    (_, { withdrawals }, userId, page) => withdrawals.list(userId, page),
    idOf,
  ),
  section('earnings', (_, { earnings }, userId, page) => earnings.list(userId, page), idOf),
  section(
    'endpoints',
    async (core, { endpoints }, userId, page) =>
      within(await endpoints.listOf(userId), page).map((one) => viewEndpoint(core, one)),
    ({ endpoint }) => endpoint.id,
  ),
  section('alerts', (_, { alerts }, userId, page) => alerts.listOfUser(userId, page), idOf),
  section(
    'mails',
    async (_, { mails }, userId, page) => within(await mails.listOf(userId), page),
    idOf,
  ),
];

const NOTHING: Lists = {
  strategies: [],
  subscriptions: [],
  bots: [],
  tokens: [],
  posts: [],
  likes: [],
  notifications: [],
  paymentSources: [],
  invoices: [],
  withdrawals: [],
  earnings: [],
  endpoints: [],
  alerts: [],
  mails: [],
};

/** The index of a list, and the item after which it continues. */
function placeOf(cursor: string): { readonly section: number; readonly after?: string } {
  const [, section, after] = /^(\d{1,2})(?:\.(.+))?$/.exec(cursor) ?? [];
  if (section === undefined)
    throw new Refusal('invalid_field', 'cursor is not a next_cursor of getUserExport');
  return { section: Number(section), ...(after === undefined ? {} : { after }) };
}

/**
 * The caller's data in pieces of at most `limit` items, so that a large export delays no other request. Each piece is read at
 * one moment. The presenter omits secrets (digests, credentials).
 */
export const getUserExport =
  (core: Core) =>
  (caller: Caller, request: PageRequest = {}): Promise<UserExportView> =>
    core.unitOfWork.read(async (stores) => {
      const { userId } = requireUser(caller);
      const user = await ownUser(stores, userId);
      const { limit, cursor } = pageOf(request);
      const start = cursor === undefined ? { section: 0 } : placeOf(cursor);
      let lists = NOTHING;
      let room = limit;
      let after = start.after;
      for (const [place, read] of SECTIONS.entries()) {
        if (place < start.section) continue;
        if (room === 0) return { user, ...lists, nextCursor: `${place}` };
        const { part, count, more } = await read(core, stores, userId, {
          limit: room,
          cursor: after,
        });
        lists = { ...lists, ...part };
        room -= count;
        if (more !== undefined) return { user, ...lists, nextCursor: `${place}.${more}` };
        after = undefined;
      }
      return { user, ...lists, nextCursor: null };
    });
