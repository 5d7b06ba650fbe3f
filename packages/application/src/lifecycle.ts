import { RESEND_WINDOW, type Stock } from '@slipstream/domain';
import type { Ports } from '@slipstream/ports';
import { chunksOf } from './chunks-of.js';
import { issueToken } from './accounts/authentication.js';
import { encryptAnew } from './secrets/encrypt-anew.js';
import type { Cores } from './cores.js';
import { actOnEvents, publishCommits } from './event-flow.js';
import { heldStocks } from './market/held-stocks.js';
import { turnOnSplitGuard } from './market/turn-on-split-guard.js';
import type { LiveState } from './market/live-state.js';
import { withNewNames } from './market/stock-directory.js';
import { venueStatus } from './market/venue-status.js';
import { standingHalts } from './mirroring/index.js';
import type { Services } from './services.js';

/** How many new stocks are stored in one transaction. */
const STOCKS_AT_ONCE = 1_000;

/** Reads the state in memory from the stores. */
const readStored = ({ unitOfWork, clock }: Pick<Ports, 'unitOfWork' | 'clock'>, live: LiveState) =>
  unitOfWork.read(async (stores) => ({
    stocks: await stores.stocks.all(),
    quotes: await stores.quotes.all(),
    splits: await stores.stockActions.lastSplits(),
    books: await stores.books.all(live.bookVersions()),
    alerts: await stores.alerts.answeredSince(clock.now() - RESEND_WINDOW),
    lastRun: await stores.marketRuns.last(),
  }));

/** The functions for the host of the core: start, stop, and the tasks of the operator. */
export function createLifecycle(
  ports: Ports,
  { shared, operatorCore, systemCore }: Cores,
  services: Services,
) {
  const { intake, actions, segments, announced, calendar, belowZeroWatch, denials, saveQuotes } =
    services;
  const { live, unansweredAlerts, tokenUse } = shared;
  const { clock, marketFeed, unitOfWork } = ports;
  const stopPublishing = publishCommits(ports, shared);
  let stopActing = (): void => {};

  const readStocks = () => unitOfWork.read(({ stocks }) => stocks.all());

  /** Stores those that have no name of a known one, some at a time. */
  const addStocks = async (
    instruments: readonly Stock[],
    known: readonly Stock[],
    progressed: (done: number, of: number) => void = () => undefined,
  ): Promise<readonly Stock[]> => {
    const core = operatorCore('importStocks').unitOfWork;
    const fresh = withNewNames(instruments, known);
    let done = 0;
    for (const some of chunksOf(fresh, STOCKS_AT_ONCE)) {
      await core.run(({ stocks }) => stocks.save(some));
      done += some.length;
      progressed(done, fresh.length);
    }
    return fresh;
  };

  return {
    /**
     * Loads the stored state, adds the unknown ones of the instruments, and starts the market. Then open orders wait again and values
     * are available.
     */
    async start(instruments: readonly Stock[] = []): Promise<void> {
      const found = await readStored(ports, live);
      const added = await addStocks(instruments, found.stocks);
      const stored = added.length === 0 ? found : { ...found, stocks: await readStocks() };
      await live.restore(stored, ports.pause);
      live.stocks.providedBy((stock) => marketFeed.sourceOf?.(stock));
      const now = clock.now();
      for (const { id, fingerprint, createdAt: at } of stored.alerts)
        if (fingerprint !== null) unansweredAlerts.taken({ id, fingerprint, at }, now);
      await segments.start();
      await belowZeroWatch.start();
      await actions.resume();
      await calendar.start();
      await announced.start(stored.lastRun?.at);
      await turnOnSplitGuard(systemCore('stockAction'));
      stopActing = actOnEvents(ports, shared, services);
      await marketFeed.start(
        stored.stocks,
        stored.quotes.map((quote) => live.quotes.get(quote.stockId) ?? quote),
        {
          quotes: (quotes) => void intake.receive(quotes),
          lost: (stockIds) => intake.lost(stockIds),
          status: venueStatus(systemCore('settle'), intake),
        },
      );
      actions.marketStarted();
    },
    /** Stops the market and stores unsaved data. */
    async stop(): Promise<void> {
      stopActing();
      await marketFeed.stop();
      await denials.idle();
      await saveQuotes();
      await tokenUse.write(unitOfWork, clock.now(), true);
      stopPublishing();
    },
    /**
     * Adds the unknown ones of the instruments, some at a time, and returns their number; `progressed` hears how many are done. The operator
     * may have added one of them already under another id, or given another one its name. Nothing else may add stocks meanwhile.
     */
    async importStocks(
      instruments: readonly Stock[],
      progressed?: (done: number, of: number) => void,
    ): Promise<number> {
      const added = await addStocks(instruments, await readStocks(), progressed);
      live.stocks.put(added);
      return added.length;
    },
    /** The stocks that are held beside the operator's word, with the reason, as the server's own pages show them. */
    heldStocks: heldStocks(shared, services),
    /** The halts of trading, as the server's own pages show them. */
    standingHalts: standingHalts(ports),
    /** Issues an api token, and creates its user on request. */
    issueToken: issueToken(operatorCore('issueToken')),
    /** Encrypts everything that lasts with the first master key, and counts it. */
    encryptAnew: encryptAnew(operatorCore('encryptAnew')),
  };
}
