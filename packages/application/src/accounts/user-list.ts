import { type ListedUser, nameKey } from '@slipstream/domain';
import type { Caller } from '../caller.js';
import type { Core } from '../core.js';
import { type PageRequest, pageOf } from '../page.js';

/** The operator's list of users: newest first, or those whose address or name begins with `query`. */
export const getUserList =
  (core: Pick<Core, 'unitOfWork'>) =>
  (
    _: Caller,
    { query, ...command }: PageRequest & { readonly query?: string | undefined },
  ): Promise<ListedUser[]> =>
    core.unitOfWork.read(async ({ users, halts }) => {
      const { limit, cursor } = pageOf(command);
      const start = { email: query?.toLowerCase() ?? '', nameKey: nameKey(query ?? '') };
      const found =
        query === undefined
          ? await users.page({ limit, cursor })
          : await users.startingWith(start, limit);
      const figures = await users.figures(found.map(({ id }) => id));
      const isAllHalted = (await halts.on({ scope: 'all', target: null })).length > 0;
      const listed: ListedUser[] = [];
      for (const user of found) {
        const own = await halts.on({ scope: 'user', target: user.id });
        const { strategies = 0, subscribers = 0 } = figures.get(user.id) ?? {};
        listed.push({ user, strategies, subscribers, isHalted: isAllHalted || own.length > 0 });
      }
      return listed;
    });
