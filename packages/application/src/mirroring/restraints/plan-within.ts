import {
  type BrokerAccount,
  type RebalancePlan,
  type Steps,
  restrainedAccount,
} from '@slipstream/domain';
import type { BotStep } from '../bot-step.js';

/** Plans for the account as the bot may trade it now. A restraint of the bot's own is named instead of the broker's. */
export function* planWithin(
  { restraint }: Pick<BotStep, 'restraint'>,
  account: BrokerAccount,
  plan: (account: BrokerAccount) => Steps<RebalancePlan>,
): Steps<RebalancePlan> {
  const restrained = restrainedAccount(account, restraint);
  const planned = yield* plan(restrained);
  const isOwn = restraint.allows !== 'all' && restraint.allows === restrained.allows;
  return isOwn && planned.blocked !== null ? { ...planned, blocked: restraint.because } : planned;
}
