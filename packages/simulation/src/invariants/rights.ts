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

/** Contract 5, "Who may": orders, positions and trades are the owner's and the subscribers', while they pay. */
export function mayRead(world: World, userId: string, strategyId: string): boolean {
  const strategy = strategyOf(world, strategyId);
  if (!strategy || strategy.deleted_at !== null) return false;
  return strategy.user_id === userId || follows(world, userId, strategyId);
}

/** A private strategy is visible to its owner, active subscribers and who is invited. */
export function maySee(world: World, userId: string, strategyId: string): boolean {
  const strategy = strategyOf(world, strategyId);
  if (!strategy || strategy.deleted_at !== null) return false;
  if (strategy.private === 0 || mayRead(world, userId, strategyId)) return true;
  return (JSON.parse(strategy.invited_user_ids) as string[]).includes(userId);
}

/** Whether the tables give this client the channel now. */
export function mayHearNow(world: World, client: Client, channel: string): boolean {
  const [kind = '', named = ''] = channel.split(':');
  const { userId, tokenId } = client;
  if (world.database.rows('SELECT id FROM tokens WHERE id = ?', tokenId).length === 0) return false;
  if (kind === 'wsStrategyValue') return maySee(world, userId, named);
  if (kind !== 'wsBot') return mayRead(world, userId, named);
  const [bot] = world.database.rows<{ user_id: string }>('SELECT * FROM bots WHERE id = ?', named);
  return bot?.user_id === userId;
}

/** A right that is taken away ends with the answer of the command that took it: within that step both count. */
export const mayHear = ({ world, memory }: Run, client: Client, channel: string): boolean =>
  memory.heard.has(`${client.tokenId} ${channel}`) || mayHearNow(world, client, channel);

/** What everybody who listens may hear as a step begins. */
export function rememberRights(run: Run): void {
  const { world, memory } = run;
  memory.heard.clear();
  for (const client of run.process?.clients ?? []) {
    for (const channel of client.channels.keys()) {
      if (mayHearNow(world, client, channel)) memory.heard.add(`${client.tokenId} ${channel}`);
    }
  }
}
