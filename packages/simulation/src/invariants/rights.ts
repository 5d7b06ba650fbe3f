import type { Client } from '../run/client.js';
import type { Run } from '../run/run.js';
import type { World } from '../world/world.js';

interface StrategyRow {
  readonly user_id: string;
  readonly private: number;
  readonly invited_user_ids: string;
  readonly deleted_at: number | null;
}

const strategyOf = (world: World, strategyId: string): StrategyRow | undefined =>
  world.database.rows<StrategyRow>('SELECT * FROM strategies WHERE id = ?', strategyId)[0];

const follows = (world: World, userId: string, strategyId: string): boolean =>
  world.database.rows(
    "SELECT id FROM subscriptions WHERE strategy_id = ? AND user_id = ? AND (status = 'active' OR (status = 'past_due' AND renews_at IS NOT NULL))",
    strategyId,
    userId,
  ).length > 0;

/** An inbox is its owner's alone. */
function owns(world: World, userId: string, strategyId: string): boolean {
  const strategy = strategyOf(world, strategyId);
  return strategy?.user_id === userId && strategy.deleted_at === null;
}

/** Contract 5, "Who may": only the owner and paying subscribers see orders, positions and trades. */
export function mayRead(world: World, userId: string, strategyId: string): boolean {
  const strategy = strategyOf(world, strategyId);
  if (!strategy || strategy.deleted_at !== null) return false;
  return strategy.user_id === userId || follows(world, userId, strategyId);
}

/** A private strategy is visible to its owner, active subscribers and invited users. */
function maySee(world: World, userId: string, strategyId: string): boolean {
  const strategy = strategyOf(world, strategyId);
  if (!strategy || strategy.deleted_at !== null) return false;
  if (strategy.private === 0 || mayRead(world, userId, strategyId)) return true;
  return (JSON.parse(strategy.invited_user_ids) as string[]).includes(userId);
}

/** Whether the client may get the channel by the present tables. */
export function mayHearNow(world: World, client: Client, channel: string): boolean {
  const [kind = '', named = ''] = channel.split(':');
  const { userId, tokenId } = client;
  if (world.database.rows('SELECT id FROM tokens WHERE id = ?', tokenId).length === 0) return false;
  if (kind === 'wsStrategyValue') return maySee(world, userId, named);
  if (kind === 'wsAlerts') return owns(world, userId, named);
  if (kind !== 'wsBot') return mayRead(world, userId, named);
  const [bot] = world.database.rows<{ user_id: string }>('SELECT * FROM bots WHERE id = ?', named);
  return bot?.user_id === userId;
}

/** A revoked right ends with the answer of its command; within that step both states are allowed. */
export const mayHear = ({ world, memory }: Run, client: Client, channel: string): boolean =>
  memory.heard.has(`${client.tokenId} ${channel}`) || mayHearNow(world, client, channel);

/** Stores the rights of all listeners at the beginning of a step. */
export function rememberRights(run: Run): void {
  const { world, memory } = run;
  memory.heard.clear();
  for (const client of run.process?.clients ?? []) {
    for (const channel of client.channels.keys()) {
      if (mayHearNow(world, client, channel)) memory.heard.add(`${client.tokenId} ${channel}`);
    }
  }
}
