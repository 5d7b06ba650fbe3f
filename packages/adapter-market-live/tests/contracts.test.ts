import { marketFeedContract } from '@slipstream/port-contracts';
import { VENUES, type VenueName, scene } from './scene.js';

for (const name of Object.keys(VENUES) as VenueName[]) {
  marketFeedContract(name, () => {
    const { feed, stocks, pass } = scene(name);
    return { feed, stocks, pass: () => pass(60_000) };
  });
}
