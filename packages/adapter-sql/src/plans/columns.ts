import type { PreparedPlan } from '@slipstream/domain';
import { type RowOf, columnsOf, integer, nullable, text } from '../storage/codec.js';

export const planColumns = columnsOf<PreparedPlan>()({
  id: text(),
  userId: text(),
  tokenId: text(),
  operation: text(),
  sealedCommand: text(),
  strategyId: nullable(text()),
  bookVersion: nullable(integer),
  createdAt: integer,
  expiresAt: integer,
  committedAt: nullable(integer),
});

export interface PlanTables {
  readonly plans: RowOf<typeof planColumns>;
}
