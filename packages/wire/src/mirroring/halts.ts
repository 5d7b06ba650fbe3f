import { HALT_SCOPES, type Halt } from '@slipstream/domain';
import { z } from 'zod';
import { cursor, limit, oneOf } from '../fields/lists.js';
import { idOut, message, timeText, timestampOut } from '../fields/output.js';
import { idOf, line } from '../fields/text.js';
import { AT, ids } from '../example-ids.js';
import { list, says } from '../operations/answers.js';
import { operation } from '../operations/operation.js';

const group = 'Bots';

/** Contract 17, "Halt". */
export const haltResource = z
  .object({
    halt_id: idOut,
    scope: z.enum(HALT_SCOPES),
    id: z.string().nullable(),
    reason: z.string(),
    by: z.string().meta({ description: 'operator, or the user_id of the user who set it.' }),
    created_at: timestampOut,
  })
  .meta({ id: 'Halt' });

/** Contract 17, "Halt". */
export const presentHalt = (halt: Halt): z.infer<typeof haltResource> => ({
  halt_id: halt.id,
  scope: halt.scope,
  id: halt.target,
  reason: halt.reason,
  by: halt.by,
  created_at: timeText(halt.createdAt),
});

export const aHalt: z.infer<typeof haltResource> = {
  halt_id: ids.halt,
  scope: 'user',
  id: ids.user,
  reason: 'My broker reports wrong positions.',
  by: ids.user,
  created_at: AT,
};

export const halts = {
  haltTrading: operation({
    name: 'haltTrading',
    group,
    method: 'POST',
    byOperator: true,
    summary:
      'Halts trading: the bots that it hits send no order until it is lifted, and their open ones are cancelled.',
    description:
      'A user halts all own bots (scope user) or one of them (bot); the operator also all bots, those of a broker or of any user. Positions are kept, strategies go on. Halting the same once more answers the halt that stands.',
    request: z.strictObject({
      scope: oneOf(HALT_SCOPES).meta({
        description: 'Whose bots: of all, of a broker, of a user, or one bot.',
      }),
      id: line(50, 1).optional().meta({
        description:
          'The name of the broker, the user_id or the bot_id. Absent for scope all; a user may leave out the own user_id.',
      }),
      reason: line(200, 1).meta({ description: 'Shown to the owners of the bots.' }),
    }),
    renames: { id: 'target' },
    response: haltResource,
    present: presentHalt,
    example: { request: { scope: 'user', reason: aHalt.reason }, response: aHalt },
  }),
  resumeTrading: operation({
    name: 'resumeTrading',
    group,
    method: 'POST',
    byOperator: true,
    summary: 'Lifts a halt; a bot trades again when no halt is left that hits it.',
    description: 'The operator lifts the halts of the operator, a user those of the user.',
    request: z.strictObject({ halt_id: idOf<'halt'>() }),
    response: message,
    present: says('Halt lifted.'),
    example: { request: { halt_id: ids.halt }, response: 'Halt lifted.' },
  }),
  getTradingHalts: operation({
    name: 'getTradingHalts',
    group,
    method: 'GET',
    byOperator: true,
    summary: "The halts that hit the caller's bots, newest first; the operator sees all of them.",
    request: z.strictObject({ limit: limit.optional(), cursor: cursor.optional() }),
    response: z.array(haltResource),
    present: list(presentHalt),
    example: { request: {}, response: [aHalt] },
  }),
};
