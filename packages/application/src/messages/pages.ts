import type { StrategyId } from '@slipstream/domain';
import { type Settings, servicePage } from '../settings.js';

type Needs = { readonly settings: Pick<Settings, 'publicUrl'> };

/** The page that takes a mailed code. The code is in the fragment: browsers send it to no server, so no log has it. */
export const codePage = (
  needs: Needs,
  path: '/confirm' | '/reset-password',
  code: string,
): string => servicePage(needs, `${path}#code=${code}`);

/** The page of the reader's account, with payments and tokens. */
export const accountPage = (needs: Needs): string => servicePage(needs, '/account');

/** The page where the reader of a mail acts: of the strategy, if it is about one, else of the account. */
export const subjectPage = (
  needs: Needs,
  { strategyId }: { readonly strategyId?: StrategyId },
): string =>
  strategyId === undefined ? accountPage(needs) : servicePage(needs, `/strategies/${strategyId}`);

/** The page that mails a link for a new password. */
export const resetPage = (needs: Needs): string => servicePage(needs, '/reset-password');
