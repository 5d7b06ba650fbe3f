import { errors, trading } from '@alpacahq/alpaca-trade-api/rest';
import {
  BrokerRateLimited,
  BrokerRefused,
  BrokerUnreachable,
  type RequestBudget,
  type Urgency,
} from '@slipstream/ports';
import type { z } from 'zod';
import {
  type AccountAnswer,
  type ActivityAnswer,
  type AssetAnswer,
  type OrderAnswer,
  type PositionAnswer,
  accountAnswer,
  activitiesAnswer,
  assetAnswer,
  assetsAnswer,
  clockAnswer,
  errorAnswer,
  orderAnswer,
  ordersAnswer,
  positionsAnswer,
} from './answers.js';
import type { Credentials } from './credentials.js';

/** Alpaca does not say how long to wait. */
const PAUSE = 10_000;

/** Alpaca understood the request and refused it, with a code of its own. It had no effect. */
export class Declined extends Error {
  override readonly name = 'Declined';
  constructor(
    readonly status: number,
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

const UNREADABLE = 'Alpaca gave an answer that cannot be read';

/** An answer as it is meant here; anything else is no answer. */
export function readAs<T>(schema: z.ZodType<T>, answer: unknown): T {
  const read = schema.safeParse(answer);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new BrokerUnreachable(`${UNREADABLE}: ${issue?.path.join('.') || 'the whole of it'}`);
}

/** What an answer other than success means. */
async function meaningOf(error: unknown): Promise<Error> {
  if (!(error instanceof errors.ApiError)) {
    return new BrokerUnreachable('Alpaca gave no answer', { cause: error });
  }
  const { status, response, retryAfterMs } = error;
  const body: unknown = await response.json().catch(() => undefined);
  const declined = errorAnswer.safeParse(body);
  if (status === 429) return new BrokerRateLimited(retryAfterMs ?? PAUSE);
  if (status === 401)
    return new BrokerRefused(
      'Alpaca does not accept this key and secret, or the access was taken back',
    );
  if (status === 403 && !declined.success) {
    return new BrokerRefused('Alpaca does not allow this key to do that');
  }
  if (!declined.success) return new BrokerUnreachable(`Alpaca answered ${status}`);
  const { code, message } = declined.data;
  if (status === 400) return new BrokerRefused(message);
  if (status === 403 || status === 404 || status === 422)
    return new Declined(status, code, message);
  return new BrokerUnreachable(`Alpaca answered ${status}`);
}

export interface ActivityPage {
  readonly after: Date;
  readonly pageSize: number;
  /** The last id of the page before; undefined for the first one. */
  readonly pageToken: string | undefined;
}

/** The requests that this adapter makes of one account, each checked. They throw the port's errors, and `Declined`. */
export interface AlpacaApi {
  account(urgency: Urgency): Promise<AccountAnswer>;
  positions(): Promise<readonly PositionAnswer[]>;
  /** A page of what was booked beside trades, the newest first. */
  activities(page: ActivityPage): Promise<readonly ActivityAnswer[]>;
  /** When the market closes that is open now; the beginning of time while it is closed, and the end where no closing is told. */
  openUntil(): Promise<number>;
  assets(assetClass: string): Promise<readonly unknown[]>;
  asset(assetId: string): Promise<AssetAnswer | undefined>;
  place(order: trading.PostOrderRequest, urgency: Urgency): Promise<OrderAnswer>;
  /** The latest orders of the account, to be read one by one. */
  latest(most: number): Promise<readonly { readonly client_order_id: string }[]>;
  byClientId(clientOrderId: string, urgency: Urgency): Promise<OrderAnswer | undefined>;
  byId(orderId: string, urgency: Urgency): Promise<OrderAnswer>;
  cancel(orderId: string): Promise<void>;
}

interface ApiOptions {
  readonly url: string;
  readonly credentials: Credentials;
  readonly budget: RequestBudget;
  readonly fetch: typeof fetch | undefined;
  readonly timeout: number;
}

/** Undefined where Alpaca knows for certain that there is none. */
async function ifThere<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Declined && error.status === 404) return undefined;
    throw error;
  }
}

/** How requests prove whose they are. */
const proofOf = (credentials: Credentials) =>
  credentials.kind === 'key'
    ? { keyId: credentials.keyId, secret: credentials.secretKey }
    : { accessToken: credentials.accessToken };

export function alpacaApi({ url, credentials, budget, fetch, timeout }: ApiOptions): AlpacaApi {
  const configuration = new trading.Configuration({
    basePath: url,
    ...proofOf(credentials),
    timeoutMs: timeout,
    ...(fetch && { fetchApi: fetch }),
  });
  const orders = new trading.OrdersApi(configuration);

  const send = async <T>(
    urgency: Urgency,
    ask: () => Promise<{ readonly raw: Response }>,
    read: (raw: Response) => Promise<T>,
  ): Promise<T> => {
    budget.spend(urgency);
    try {
      return await read((await ask()).raw);
    } catch (error) {
      const meaning = await meaningOf(error);
      if (meaning instanceof BrokerRateLimited) budget.pause(meaning.retryAfter);
      throw meaning;
    }
  };

  const get = async <T>(
    urgency: Urgency,
    schema: z.ZodType<T>,
    ask: () => Promise<{ readonly raw: Response }>,
  ): Promise<T> => {
    const answer = await send(urgency, ask, (raw): Promise<unknown> => raw.json());
    return readAs(schema, answer);
  };

  return {
    account: (urgency) =>
      get(urgency, accountAnswer, () => new trading.AccountsApi(configuration).getAccountRaw()),
    positions: () =>
      get('read', positionsAnswer, () =>
        new trading.PositionsApi(configuration).getAllOpenPositionsRaw(),
      ),
    activities: ({ after, pageSize, pageToken }) =>
      get('read', activitiesAnswer, () =>
        new trading.AccountActivitiesApi(configuration).getAccountActivitiesRaw({
          category: trading.GetAccountActivitiesCategoryEnum.NonTradeActivity,
          direction: trading.GetAccountActivitiesDirectionEnum.Desc,
          after,
          pageSize,
          ...(pageToken !== undefined && { pageToken }),
        }),
      ),
    openUntil: async () => {
      const clock = new trading.ClockApi(configuration);
      const { is_open, next_close } = await get('read', clockAnswer, () => clock.legacyClockRaw());
      if (!is_open) return -Infinity;
      const closesAt = Date.parse(next_close ?? '');
      return Number.isNaN(closesAt) ? Infinity : closesAt;
    },
    assets: (assetClass) =>
      get('read', assetsAnswer, () =>
        new trading.AssetsApi(configuration).getV2AssetsRaw({ status: 'active', assetClass }),
      ),
    asset: (symbolOrAssetId) =>
      ifThere(
        get('read', assetAnswer, () =>
          new trading.AssetsApi(configuration).getV2AssetsSymbolOrAssetIdRaw({ symbolOrAssetId }),
        ),
      ),
    place: (postOrderRequest, urgency) =>
      get(urgency, orderAnswer, () => orders.postOrderRaw({ postOrderRequest })),
    latest: (limit) =>
      get('find', ordersAnswer, () =>
        orders.getAllOrdersRaw({ status: 'all', limit, direction: 'desc' }),
      ),
    byClientId: (clientOrderId, urgency) =>
      ifThere(
        get(urgency, orderAnswer, () => orders.getOrderByClientOrderIdRaw({ clientOrderId })),
      ),
    byId: (orderId, urgency) =>
      get(urgency, orderAnswer, () => orders.getOrderByOrderIDRaw({ orderId })),
    cancel: (orderId) =>
      send(
        'cancel',
        () => orders.deleteOrderByOrderIDRaw({ orderId }),
        async (raw) => {
          await raw.text();
        },
      ),
  };
}
