import type {
  Bot,
  Like,
  Notification,
  Post,
  Subscription,
  Token,
  User,
  Withdrawal,
} from '@slipstream/domain';
import { requireUser } from '../access.js';
import {
  type InvoiceView,
  type PaymentSourceView,
  viewInvoices,
  viewSource,
} from '../billing/payment-views.js';
import type { Caller } from '../caller.js';
import type { Core } from '../core.js';
import { viewStrategies } from '../strategy-views.js';
import type { StrategyView } from '../views.js';
import { ownUser, strategiesOf } from './users.js';

/** Everything that is kept of a user as such; lists newest first. */
export interface UserExportView {
  readonly user: User;
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
}

const EVERYTHING = { limit: Number.MAX_SAFE_INTEGER };

/** The caller's data, of one moment. Secrets (digests, credentials) are left out when it is presented. */
export const getUserExport =
  (core: Core) =>
  (caller: Caller): Promise<UserExportView> =>
    core.unitOfWork.read(async (stores) => {
      const { userId } = requireUser(caller);
      return {
        user: await ownUser(stores, userId),
        strategies: await viewStrategies(core, stores, await strategiesOf(stores, userId)),
        subscriptions: await stores.subscriptions.listOfUser(userId),
        bots: await stores.bots.listOf(userId),
        tokens: await stores.tokens.listOf(userId),
        posts: await stores.posts.list([userId], EVERYTHING),
        likes: await stores.likes.listOf(userId),
        notifications: await stores.notifications.list(userId, EVERYTHING),
        paymentSources: (await stores.paymentSources.listOf(userId)).map((source) =>
          viewSource(core, source),
        ),
        invoices: await viewInvoices(
          core,
          stores,
          await stores.invoices.list(userId, {}, EVERYTHING),
        ),
        withdrawals: await stores.withdrawals.list(userId, EVERYTHING),
      };
    });
