import type { Run } from '../../run/run.js';
import type { HaltRow } from '../../world/rows.js';

const HALTED = `
SELECT h.* FROM halts h
JOIN bot_orders o ON o.id = ?
JOIN bots b ON b.id = o.bot_id
WHERE (h.scope = 'all' OR (h.scope = 'broker' AND h.target = b.broker)
  OR (h.scope = 'user' AND h.target = b.user_id) OR (h.scope = 'bot' AND h.target = b.id))`;

/** How long after the commit of a halt an order may still be sent, unless the halt was answered before. */
const ON_ITS_WAY = 1_000;

/** H1: no order is sent while a halt stands that hits its bot. */
export function checkNotHalted(
  { world, memory }: Run,
  { clientOrderId }: { clientOrderId: string },
): void {
  const before = world.clock.now() - ON_ITS_WAY;
  const halt = world.database
    .rows<HaltRow>(HALTED, clientOrderId)
    .find(({ id, created_at }) => memory.answeredHalts.has(id) || created_at < before);
  if (halt) world.violate('H1', `the broker is sent ${clientOrderId}, though ${halt.id} stands`);
}

/** H1: no request with an order leaves later than a second after the commit of a halt that hits it. */
export function checkNotLongHalted({ world }: Run, body: string): void {
  const { client_order_id: clientOrderId } = JSON.parse(body) as {
    readonly client_order_id: string;
  };
  const before = world.clock.now() - ON_ITS_WAY;
  const halt = world.database
    .rows<HaltRow>(HALTED, clientOrderId)
    .find(({ created_at }) => created_at < before);
  if (halt) world.violate('H1', `${clientOrderId} leaves, though ${halt.id} stands for long`);
}
