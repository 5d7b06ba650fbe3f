import { PAPER, alpacaBroker } from '@slipstream/adapter-broker-alpaca';
import type { Broker, Instruments } from '@slipstream/ports';
import {
  type Venue,
  type VenueAnswer,
  type VenueOutcome,
  type VenueRequest,
  fetchFrom,
} from '@slipstream/stand-ins';
import { checkIntent, checkJoined, checkLimits } from '../invariants/mirroring/bots.js';
import { checkNotOvertaken } from '../invariants/mirroring/following.js';
import { checkNotHalted, checkNotLongHalted } from '../invariants/mirroring/halts.js';
import { checkAsStored, checkNotBehind } from '../invariants/mirroring/venue.js';
import { type Life, never } from '../run/life.js';
import { type Run, crash } from '../run/run.js';
import type { BrokerFault } from '../story/story.js';
import type { AlpacaSide } from '../world/alpaca/alpaca-side.js';

/** How long an accepted order stays invisible, and how long a slow answer takes. */
const [HIDDEN, SLOW] = [1_500, 700];
/** So much later an order tells a fill that crossed with its end. */
const TOLD_LATE = 3_000;

/** Our own waits for an answer, by the clock of this machine, are left out: a story says whether one comes. */
const NO_TIMEOUT = 0;

/** The real adapter of a process, over a network on which every request may meet a fault. */
export function alpacaOverHttp(
  run: Run,
  life: Life,
  side: AlpacaSide,
  instruments: Instruments,
): Broker {
  const { world } = run;
  const broker = alpacaBroker(PAPER, {
    clock: world.clock,
    instruments,
    fetch: fetchFrom({ [new URL(PAPER.url).host]: troubled(run, life, side) }),
    timeout: NO_TIMEOUT,
  });
  return {
    ...broker,
    place(access, order) {
      if (life.alive) {
        world.reach('broker: place');
        checkNotHalted(run, order);
        checkLimits(world, order);
        checkJoined(run, order);
        checkNotOvertaken(run, order);
      }
      return broker.place(access, order);
    },
    async find(access, clientOrderIds) {
      const found = await broker.find(access, clientOrderIds);
      world.reach('broker: find');
      if ([...found.values()].some(({ cancelling }) => cancelling))
        world.reach('broker: cancelling');
      return found;
    },
  };
}

const isOrder = ({ method, path }: VenueRequest): boolean =>
  method === 'POST' && path === '/v2/orders';

const jsonAnswer = (status: number, body: object): VenueAnswer => ({
  status,
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
});

/** What the venue answers instead, without doing anything. */
const REFUSALS: Partial<Record<BrokerFault, VenueAnswer>> = {
  server_error: jsonAnswer(503, { message: 'service unavailable' }),
  refused: jsonAnswer(401, { code: 40110000, message: 'request is not authorized' }),
  rate_limited: jsonAnswer(429, { code: 42910000, message: 'too many requests.' }),
};
const REJECTED = jsonAnswer(403, { code: 40310000, message: 'insufficient buying power' });

/** The answer as it arrives. */
function received(outcome: VenueOutcome, fault: BrokerFault | undefined): VenueOutcome {
  if (fault === 'lost_answer') return 'dropped';
  if (typeof outcome === 'string') return outcome;
  if (fault === 'garbled') return { status: 200, body: '<html><body>Please wait</body></html>' };
  if (fault === 'emptied') return jsonAnswer(200, {});
  if (fault !== 'truncated') return outcome;
  return { ...outcome, body: outcome.body.slice(0, Math.floor(outcome.body.length / 2)) };
}

/** The venue under the faults of the story. */
function troubled(run: Run, life: Life, { standIn, venue, ...side }: AlpacaSide): Venue {
  const { world } = run;
  return async (request) => {
    if (!life.alive) return never();
    await world.schedule.turn();
    if (!life.alive) return never();
    const sendsOrder = isOrder(request);
    if (sendsOrder) checkNotLongHalted(run, request.body);
    const fault = world.faults.broker(sendsOrder ? 'place' : 'request');
    const words = `${request.method} ${request.path}`;
    if (fault) {
      world.note(`venue ${words}: ${fault}`);
      world.reach(`fault: broker ${fault}${sendsOrder ? ' of an order' : ''}`);
    }
    const deliver = async (): Promise<VenueOutcome> => {
      if (sendsOrder) {
        const { client_order_id: clientOrderId } = JSON.parse(request.body) as {
          client_order_id: string;
        };
        checkIntent(world, { clientOrderId });
        checkAsStored(world, request.body);
        checkNotBehind(world, request.body);
      }
      return venue(request);
    };
    if (fault === 'crash_before') {
      crash(run, `before ${words}`);
      return never();
    }
    if (fault === 'late') world.late.push(deliver);
    if (fault === 'late' || fault === 'lost_request') return 'dropped';
    if (fault === 'reject' && sendsOrder) return REJECTED;
    const refusal = fault && REFUSALS[fault];
    if (refusal) return refusal;
    if (fault === 'partial') standIn.fillNextInPart();
    if (fault === 'crossed') standIn.crossNext(TOLD_LATE);
    if (fault === 'expire') for (const account of side.venueAccounts()) standIn.endOrders(account);
    standIn.appearAfter(fault === 'hidden' ? HIDDEN : 0);
    if (fault === 'duplicated') await deliver();
    const outcome = await deliver();
    if (fault === 'slow') world.clock.advance(SLOW);
    if (fault === 'crash_after') {
      crash(run, `after ${words}`);
      return never();
    }
    await world.schedule.turn();
    if (!life.alive) return never();
    return received(outcome, fault);
  };
}
