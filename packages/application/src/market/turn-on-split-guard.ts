import type { Core } from '../core.js';

/**
 * Turns the guard against unbooked splits on, if the feed quotes new shares after a split. Its quotes are compared only with its own
 * earlier ones: prices of another feed say nothing of splits.
 */
export async function turnOnSplitGuard({
  marketFeed,
  unitOfWork,
  live,
  clock,
}: Core): Promise<void> {
  const feed = marketFeed
    .health()
    .filter(({ isBeside }) => isBeside !== true)
    .map(({ name }) => name)
    .join(',');
  const before = await unitOfWork.read((stores) => stores.quoteFeed.find());
  const isSame = before?.feed === feed;
  const { since } = isSame ? before : { since: clock.now() };
  if (!isSame) await unitOfWork.run((stores) => stores.quoteFeed.save({ feed, since }));
  if (marketFeed.quotesNewShares && !marketFeed.acceptsQuotes) live.guard.turnOn(since);
}
