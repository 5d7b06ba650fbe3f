import {
  type Delivery,
  type Endpoint,
  type EndpointEvent,
  type EndpointId,
  type SendAnswer,
  type SendResult,
  type Timestamp,
  type UserId,
  afterAttempt,
  restAfter,
} from '@slipstream/domain';
import { type InTurn, type LastTurn, oneATurn, surelyBy } from '@slipstream/ports';
import type { Core } from '../core.js';
import { deliveriesPutOff } from '../messages/put-off.js';
import { addressEvents } from './address-events.js';
import { endEndpoint } from './end-endpoint.js';
import { scheduleNext } from './schedule-next.js';
import { unheard } from './hearing.js';
import { openTarget } from './targets.js';
import { openMessage } from './tell.js';
import { inFairOrder } from './turns.js';

/** Endpoints that are served at the same time, of those whose last turn went well and of those whose last turn failed or was slow. */
const AT_ONCE = 50;
/** Of so many that are due the next are chosen: all endpoints of fifty users. */
const CHOSEN_FROM = 1_000;
const LINES = ['well', 'failed'] as const satisfies readonly LastTurn[];
/** Messages of an endpoint before it takes its turn again, and the milliseconds in which none is begun any more. */
const A_TURN = 20;
const LONGEST_TURN = 2_000;
/** For how long events are addressed before what is due is sent, in milliseconds: there may be no end of them. */
const ADDRESSED_FOR = 250;
/** A receiver that takes longer waits among those that fail: sixty that answer just in time would hold up everybody else. */
const SLOW = 2_000;

/** First attempts are made in the order of events; what failed is tried again beside them. */
const LANES = ['untried', 'retried'] as const;
type Lane = (typeof LANES)[number];

interface Attempt {
  readonly endpoint: Endpoint;
  readonly delivery: Delivery;
  readonly event: EndpointEvent | undefined;
  /** Why nothing may be sent; the endpoint ends if `isOver`. */
  readonly barred: { readonly reason: string; readonly isOver: boolean } | undefined;
}

/** What became of an attempt, and why the endpoint ends with it; null if it goes on. */
interface Ended {
  readonly answer: SendAnswer;
  readonly endReason: string | null;
}

type Addressed = Pick<Endpoint, 'id' | 'sealedTarget'>;
/** One that begins later than now was asked for while the clock was ahead. */
type Rest = Pick<Endpoint, 'sealedTarget'> & {
  readonly from: Timestamp;
  readonly until: Timestamp;
};

const givenUp = (reason: string): SendAnswer => ({ kind: 'gone', status: null, reason });

/**
 * Sends what is due to endpoints. Each has two lanes of its own, so that one that is slow or dead slows no other. What was answered is
 * stored after the answer: after a crash the same message is sent again under the same id.
 */
export class Courier {
  /** Attempts since the start, by what came of them. */
  readonly attempts: Record<SendResult, number> = { delivered: 0, failed: 0, gone: 0 };
  private readonly busy = {
    well: new Map<EndpointId, UserId>(),
    failed: new Map<EndpointId, UserId>(),
  };
  /** Until when the receiver at an address wants no first attempts; those that failed have times of their own. */
  private readonly rests = new Map<EndpointId, Rest>();
  private addressing: Promise<void> | undefined;
  private isEnding = false;

  /** Gives what has happened to the endpoints that listen now. */
  readonly address: (until?: Timestamp, within?: number) => Promise<void>;
  private readonly bringBack: () => Promise<void>;
  /** Fifty that begin in one turn of the event loop would hold up everybody else. */
  private readonly inTurn: InTurn;

  constructor(private readonly core: Core) {
    this.inTurn = oneATurn(core.pause);
    this.address = addressEvents(core);
    this.bringBack = deliveriesPutOff(core);
  }

  /** Addresses new events and serves the endpoints with due deliveries. Calls may overlap. */
  async run(): Promise<void> {
    const { core } = this;
    if (!core.endpointSender || this.isEnding) return;
    await (this.addressing ??= this.address(Infinity, ADDRESSED_FOR).finally(() => {
      this.addressing = undefined;
    }));
    await this.bringBack();
    await Promise.all(LINES.map((line) => this.serveLine(line)));
  }

  /** Begins no other attempt, so that a stop waits for the present ones only. */
  end(): void {
    this.isEnding = true;
  }

  private async serveLine(line: LastTurn): Promise<void> {
    const { core } = this;
    const busy = this.busy[line];
    const due = await core.unitOfWork.read(({ endpoints }) =>
      endpoints.due(core.clock.now(), CHOSEN_FROM, line),
    );
    const free = due.filter(({ id }) => !this.isBusy(id));
    const served = inFairOrder(free, busy.values()).slice(0, AT_ONCE - busy.size);
    for (const { id, userId } of served) busy.set(id, userId);
    const ended = await Promise.allSettled(
      served.map(({ id }) => this.serve(id).finally(() => busy.delete(id))),
    );
    for (const one of ended) if (one.status === 'rejected') throw one.reason;
  }

  /** Its owner may put it into the other line amid its turn. */
  private isBusy(endpointId: EndpointId): boolean {
    return LINES.some((line) => this.busy[line].has(endpointId));
  }

  private async serve(endpointId: EndpointId): Promise<void> {
    const went = await Promise.all(LANES.map((lane) => this.work(endpointId, lane)));
    const lastTurn = went.includes('failed') ? 'failed' : 'well';
    await this.core.unitOfWork.run(async (stores) => {
      const endpoint = await stores.endpoints.find(endpointId);
      const now = this.core.clock.now();
      if (endpoint) await scheduleNext(stores, endpoint, this.restOf(endpoint, now), lastTurn);
    });
  }

  /** Now, or the end of a rest that the receiver asked for: another one, after a change of the endpoint, asked for none. */
  private restOf({ id, sealedTarget }: Addressed, now: Timestamp): Timestamp {
    const rest = this.rests.get(id);
    const isOn = rest && rest.from <= now && rest.until > now;
    if (isOn && rest.sealedTarget === sealedTarget) return rest.until;
    this.rests.delete(id);
    return now;
  }

  /** A failure ends the turn, and so does a slow answer: an endpoint of either kind holds its place for one attempt. */
  private async work(endpointId: EndpointId, lane: Lane): Promise<LastTurn> {
    const { clock } = this.core;
    const begun = clock.now();
    for (let sent = 0; sent < A_TURN && !this.isEnding; sent += 1) {
      const attempt = await this.next(endpointId, lane);
      if (!attempt) return 'well';
      const asked = clock.now();
      const ended = await this.attempt(attempt);
      const answered = clock.now();
      await this.store(attempt, ended);
      const rest = restAfter(ended.answer);
      const { sealedTarget } = attempt.endpoint;
      const from = clock.now();
      if (rest > 0) this.rests.set(endpointId, { sealedTarget, from, until: from + rest });
      if (ended.answer.kind === 'failed' || answered - asked > SLOW) return 'failed';
      if (answered - begun > LONGEST_TURN) return 'well';
    }
    return 'well';
  }

  private next(endpointId: EndpointId, lane: Lane): Promise<Attempt | undefined> {
    const now = this.core.clock.now();
    const found = this.core.unitOfWork.read(async (stores) => {
      const endpoint = await stores.endpoints.find(endpointId);
      if (endpoint?.status !== 'active') return undefined;
      if (lane === 'untried' && this.restOf(endpoint, now) > now) return undefined;
      const delivery = await stores.deliveries[lane](endpointId, now);
      if (!delivery) return undefined;
      const event = await stores.endpointEvents.find(delivery.eventId);
      // An endpoint ends with its token.
      const barred = event && (await unheard(stores, endpoint, event, surelyBy(this.core.clock)));
      return { endpoint, delivery, event, barred };
    });
    return this.inTurn(found);
  }

  private async attempt({ endpoint, delivery, event, barred }: Attempt): Promise<Ended> {
    const { clock, endpointSender } = this.core;
    if (barred)
      return { answer: givenUp(barred.reason), endReason: barred.isOver ? barred.reason : null };
    const target = openTarget(this.core, endpoint);
    if (!event || !endpointSender)
      return { answer: givenUp('the event is no longer kept'), endReason: null };
    if (!target) {
      const reason = 'its address cannot be read any more: the master key was lost';
      return { answer: givenUp(reason), endReason: reason };
    }
    const said = openMessage(this.core, event);
    if (!said)
      return {
        answer: givenUp('it cannot be read any more: the master key was lost'),
        endReason: null,
      };
    const message = { id: delivery.id, at: clock.now(), ...said };
    const answer = await endpointSender.send(target, message);
    this.attempts[answer.kind] += 1;
    return { answer, endReason: answer.kind === 'gone' ? answer.reason : null };
  }

  /**
   * Stores what became of the attempt, unless the endpoint was deleted meanwhile. Of one that was changed, the receiver before ends
   * nothing, and its answer does not count for what the owner has asked for again since.
   */
  private async store(
    { endpoint: { id, sealedTarget }, delivery }: Attempt,
    ended: Ended,
  ): Promise<void> {
    const { core } = this;
    await core.unitOfWork.run(async (stores) => {
      const now = core.clock.now();
      const [endpoint, kept] = [
        await stores.endpoints.find(id),
        await stores.deliveries.find(delivery.id),
      ];
      if (!endpoint || !kept) return;
      const isSame = endpoint.sealedTarget === sealedTarget;
      if (!isSame && kept.nextAt !== delivery.nextAt) return;
      const answer: SendAnswer =
        !isSame && ended.answer.kind === 'gone'
          ? { ...ended.answer, kind: 'failed' }
          : ended.answer;
      const after = afterAttempt(kept, answer, now);
      await stores.deliveries.save(after);
      const isDead =
        after.status === 'failed' &&
        answer.kind === 'failed' &&
        !(await stores.deliveries.isDeliveredAfter(id, kept.place));
      const reason = isDead ? 'no message could be delivered for two days' : ended.endReason;
      if (!isSame || reason === null || endpoint.status !== 'active') return;
      await endEndpoint(core, stores, endpoint, reason);
    });
  }
}
