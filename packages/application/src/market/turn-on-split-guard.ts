import type { Core } from '../core.js';

/**
 * Lets the guard compare the quotes of a feed of its own that quotes new shares after a split: with its own quotes only, since
 * prices of another feed say nothing of splits.
 */
export async function guardSplits({ marketFeed, unitOfWork, live, clock }: Core): Promise<void> {
  const feed = marketFeed
    .health()
    .map(({ name }) => name)
    .join(',');
  const before = await unitOfWork.read((stores) => stores.quoteFeed.find());
  const isSame = before?.feed === feed;
  const { since } = isSame ? before : { since: clock.now() };
  if (!isSame) await unitOfWork.run((stores) => stores.quoteFeed.save({ feed, since }));
  if (marketFeed.quotesNewShares && !marketFeed.acceptsQuotes) live.guard.turnOn(since);
}
