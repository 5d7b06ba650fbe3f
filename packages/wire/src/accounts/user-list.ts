import type { ListedUser } from '@slipstream/domain';
import { z } from 'zod';
import { ids, AT } from '../example-ids.js';
import { cursor, limit } from '../fields/lists.js';
import { idOut, timeOrNull, timeText, timestampOut } from '../fields/output.js';
import { line } from '../fields/text.js';
import { list } from '../operations/answers.js';
import { operation } from '../operations/operation.js';

/** Contract 14, "getUserList". */
const listedUserResource = z
  .object({
    user_id: idOut,
    email: z.string(),
    name: z.string().nullable(),
    status: z.enum(['confirmed', 'unconfirmed']).meta({
      description: 'Whether the e-mail address was confirmed.',
    }),
    ends_at: timestampOut.nullable().meta({
      description: 'When an unconfirmed account ends, unless something depends on it.',
    }),
    second_factor: z.boolean(),
    halted: z.boolean().meta({ description: 'Whether a halt stops all bots of the user.' }),
    payments_enabled: z.boolean(),
    strategies: z.int(),
    subscribers: z.int().meta({ description: 'Of the public strategies.' }),
    created_at: timestampOut,
  })
  .meta({ id: 'ListedUser' });

const presentListedUser = ({
  user,
  strategies,
  subscribers,
  isHalted,
}: ListedUser): z.infer<typeof listedUserResource> => ({
  user_id: user.id,
  email: user.email,
  name: user.name,
  status: user.verified ? 'confirmed' : 'unconfirmed',
  ends_at: timeOrNull(user.confirmBy),
  second_factor: user.secondFactor !== null && user.secondFactor.since !== null,
  halted: isHalted,
  payments_enabled: user.paymentsEnabled,
  strategies,
  subscribers,
  created_at: timeText(user.createdAt),
});

export const userList = {
  getUserList: operation({
    name: 'getUserList',
    group: 'Users',
    method: 'GET',
    auth: 'operator',
    summary: 'The users of the service, newest first, for its operator.',
    description:
      'With query: those whose e-mail address begins with it, by address, then those whose name does. Such a list has one page; a longer query finds fewer.',
    request: z
      .strictObject({
        query: line(100, 1).optional().meta({
          description: 'The beginning of an e-mail address or of a name.',
        }),
        limit: limit.optional(),
        cursor: cursor.optional(),
      })
      .superRefine(({ query, cursor: after }, context) => {
        const message = 'a list by query has one page: leave cursor out, or make the query longer';
        if (query !== undefined && after !== undefined)
          context.addIssue({ code: 'custom', message });
      }),
    response: z.array(listedUserResource),
    present: list(presentListedUser),
    example: {
      request: { limit: '20' },
      response: [
        {
          user_id: ids.user,
          email: 'ada@example.com',
          name: 'Ada',
          status: 'confirmed',
          ends_at: null,
          second_factor: true,
          halted: false,
          payments_enabled: true,
          strategies: 2,
          subscribers: 14,
          created_at: AT,
        },
      ],
    },
  }),
};
