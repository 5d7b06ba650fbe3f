import type { Client } from '@slipstream/client';
import type { ResponseOf } from '@slipstream/wire';
import type { Strategy, Subscription } from '../service/records.js';

type Halt = ResponseOf<'getTradingHalts'>[number];
type Stock = ResponseOf<'getStocks'>[number];
type Token = ResponseOf<'getTokens'>[number];

/** What the service answers of a list at once, and the most things that a request names. */
const PAGE = 100;

/** All of a list that the service answers page by page. */
export async function allPages<Item>(
  ask: (page: { readonly limit: number; readonly cursor?: string }) => Promise<readonly Item[]>,
  idOf: (item: Item) => string,
): Promise<readonly Item[]> {
  const all: Item[] = [];
  for (;;) {
    const last = all.at(-1);
    const page = await ask({ limit: PAGE, ...(last && { cursor: idOf(last) }) });
    all.push(...page);
    if (page.length < PAGE) return all;
  }
}

/** All of these things, of which a request names some. */
async function allNamed<Item>(
  ids: readonly string[],
  ask: (some: string[]) => Promise<readonly Item[]>,
): Promise<readonly Item[]> {
  const found: Item[] = [];
  for (let at = 0; at < ids.length; at += PAGE)
    found.push(...(await ask(ids.slice(at, at + PAGE))));
  return found;
}

/** The reader's own strategies. */
export const ownStrategies = (client: Client): Promise<readonly Strategy[]> =>
  allPages(
    (page) => client.findStrategies({ mine: 'true', ...page }),
    ({ strategy_id }) => strategy_id,
  );

/** The strategies that the reader follows by a subscription in one of these states. */
export async function followedStrategies(
  client: Client,
  ...states: readonly Subscription['status'][]
): Promise<readonly Strategy[]> {
  const subscriptions = await allPages(
    (page) => client.getStrategySubscriptions(page),
    ({ subscription_id }) => subscription_id,
  );
  const ids = subscriptions
    .filter(({ relation, status }) => relation === 'subscriber' && states.includes(status))
    .map(({ strategy_id }) => strategy_id);
  return allNamed(ids, (some) => client.getStrategies({ strategy_id: some }));
}

/** The instruments with these ids. */
export const stocksNamed = (client: Client, ids: readonly string[]): Promise<readonly Stock[]> =>
  allNamed(ids, (some) => client.getStocks({ stock_id: some }));

/** The reader's tokens and sign-ins: a token beyond the first page could not be ended. */
export const allTokens = (client: Client): Promise<readonly Token[]> =>
  allPages(
    (page) => client.getTokens(page),
    ({ token_id }) => token_id,
  );

/** The halts that the reader sees: one beyond the first page could not be lifted. */
export const allHalts = (client: Client): Promise<readonly Halt[]> =>
  allPages(
    (page) => client.getTradingHalts(page),
    ({ halt_id }) => halt_id,
  );

type Earnings = ResponseOf<'getWithdrawals'>;

/** What the reader earned, with all withdrawals of it. */
export async function allEarnings(client: Client): Promise<Earnings> {
  const answers: Earnings[] = [];
  const withdrawals = await allPages(
    async (page) => {
      const answer = await client.getWithdrawals(page);
      answers.push(answer);
      return answer.withdrawals;
    },
    ({ withdrawal_id }) => withdrawal_id,
  );
  return { ...(answers.at(-1) as Earnings), withdrawals: [...withdrawals] };
}
