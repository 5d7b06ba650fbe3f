import type { ChainHead, ShownEntry, Strategy, StrategyId } from '@slipstream/domain';
import type { ReadStores } from '@slipstream/ports';
import { followedStrategy, isFollower, visibleStrategy } from '../strategies/access.js';
import type { Caller } from '../caller.js';
import type { Core } from '../core.js';
import { DEFAULT_LIMIT } from '../page.js';
import { type AnchoredHead, anchorsOf } from './anchors/proofs.js';

/** A part of a strategy's tamper-evident record, oldest first. */
export interface TrackRecordView {
  readonly strategyId: StrategyId;
  /** Fills are for the owner and active subscribers; for others the bodies are null. */
  readonly entries: readonly ShownEntry[];
  /** Only if it was asked for. */
  readonly proof?: {
    readonly head: ChainHead | undefined;
    readonly anchors: readonly AnchoredHead[];
  };
}

/** A page of a record. */
export interface TrackRecordCommand {
  readonly strategyId: string;
  readonly after?: number | undefined;
  readonly limit?: number | undefined;
  readonly proof?: boolean | undefined;
}

const pageOf = (
  { track }: ReadStores,
  { id }: Strategy,
  { after = 0, limit }: TrackRecordCommand,
) => track.listAfter(id, after, limit ?? DEFAULT_LIMIT);

/** The entries after `after`, for callers who may see the trades; their hashes and anchors for everybody who sees the strategy. */
export const getTrackRecord =
  (core: Core) =>
  async (caller: Caller, command: TrackRecordCommand): Promise<TrackRecordView> => {
    if (command.proof !== true)
      return core.unitOfWork.read(async (stores) => {
        const strategy = await followedStrategy(stores, caller, command.strategyId);
        return { strategyId: strategy.id, entries: await pageOf(stores, strategy, command) };
      });
    const { strategyId, entries, head } = await core.unitOfWork.read(async (stores) => {
      const strategy = await visibleStrategy(stores, caller, command.strategyId);
      const follows = await isFollower(stores, caller, strategy);
      const page = await pageOf(stores, strategy, command);
      return {
        strategyId: strategy.id,
        entries: follows ? page : page.map((entry) => ({ ...entry, body: null })),
        head: await stores.track.head(strategy.id),
      };
    });
    return {
      strategyId,
      entries,
      proof: { head, anchors: await anchorsOf(core, strategyId, entries) },
    };
  };
