import { describe } from '../../testing.js';
import { activityCases } from './activities.js';
import { endCases } from './ends.js';
import { fillCases } from './fills.js';
import type { BrokerFixture } from './fixture.js';
import { limitCases } from './limits.js';
import { linkBeforeEach } from './linked-broker.js';
import { linkingCases } from './linking.js';
import { ownerCases } from './owners.js';
import { repeatCases } from './repeats.js';
import { ruleCases } from './rules.js';
import { troubleCases } from './trouble.js';

/** What every broker adapter must do: the bots rely on each of these. */
export const brokerContract = (name: string, open: () => Promise<BrokerFixture>): void => {
  describe(`broker contract: ${name}`, () => {
    const now = linkBeforeEach(open);
    for (const cases of [
      linkingCases,
      ruleCases,
      fillCases,
      repeatCases,
      troubleCases,
      endCases,
      limitCases,
      ownerCases,
      activityCases,
    ])
      cases(now);
  });
};
