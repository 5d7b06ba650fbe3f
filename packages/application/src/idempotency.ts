import { Refusal, type Timestamp, type UserId } from '@slipstream/domain';
import { type IdempotencyRecord, type Ports, type Stores, surelyBy } from '@slipstream/ports';

/** Milliseconds for which a repeat gets the stored answer (contract 1, "Idempotency"). */
export const ANSWER_KEPT_FOR = 24 * 60 * 60 * 1000;

/** A request that its sender may repeat under the same key. */
export interface KeyedRequest {
  /** The sender: equal keys of two callers are different keys. */
  readonly caller: string;
  /** The user whose stored data includes the answer; absent if there is none. */
  readonly userId?: UserId | undefined;
  readonly route: string;
  readonly key: string;
  readonly body: string;
}

/** Calls one operation once, and does nothing else. */
export type CallOf<Operations, View> = (operations: Operations) => Promise<View>;

interface Needs extends Pick<Ports, 'unitOfWork' | 'clock' | 'fingerprints' | 'secretBox' | 'log'> {
  /** The users who sent alerts or keyed requests, or were refused for what they have stored, since the last check of it. */
  readonly senders: Set<UserId>;
}

/** Another process over the same storage has already run the request with this key. */
class AlreadyRecorded extends Error {
  override readonly name = 'AlreadyRecorded';
}

interface RecordParts {
  /** The record without the answer. */
  readonly request: Omit<IdempotencyRecord, 'sealedAnswer'>;
  /** A record with the same name from before this time has expired. */
  readonly expiredAt: Timestamp;
  /** Encodes an answer as it is sent, and encrypts it. */
  seal(this: void, view: unknown): string;
}

/** The record of one request. It is part of the request's transactions, and has the answer as soon as that is known. */
export class RequestRecord {
  /** Whether something is committed, or the answer too. */
  private reached: 'nothing' | 'begun' | 'answered' = 'nothing';

  constructor(private readonly parts: RecordParts) {}

  get progress(): 'nothing' | 'begun' | 'answered' {
    return this.reached;
  }

  seal(view: unknown): string {
    return this.parts.seal(view);
  }

  /** The first write of the first transaction, before any read of data that another process may have changed. */
  async begin({ keptAnswers }: Pick<Stores, 'keptAnswers'>): Promise<void> {
    if (this.reached !== 'nothing') return;
    const { request, expiredAt } = this.parts;
    const isFirst = await keptAnswers.add({ sealedAnswer: null, ...request }, expiredAt);
    if (!isFirst) throw new AlreadyRecorded(request.name);
  }

  /** The last write of a transaction that has stated the answer. */
  async end(
    { keptAnswers }: Pick<Stores, 'keptAnswers'>,
    sealedAnswer: string | null,
  ): Promise<void> {
    if (sealedAnswer !== null) await keptAnswers.save({ sealedAnswer, ...this.parts.request });
  }

  committed(isAnswered: boolean): void {
    this.reached = isAnswered || this.reached === 'answered' ? 'answered' : 'begun';
  }
}

/**
 * Performs a request once, however often it is sent. Its record is part of the transaction with the change. If the use case
 * states its answer there (`answerWith`), a repeat gets this answer even if the process dies before it answered. Otherwise the
 * answer is stored directly after; if the process dies in between, a repeat is refused.
 */
export function idempotency<Operations extends object, Source>(
  { unitOfWork, clock, fingerprints, secretBox, log, senders }: Needs,
  operationsFor: (record: RequestRecord, source?: Source) => Operations,
) {
  const running = new Map<string, Promise<unknown>>();

  const again = ({ name, bodyMac, sealedAnswer }: IdempotencyRecord, body: string): string => {
    if (!secretBox.verify(bodyMac, body, name)) {
      throw new Refusal(
        'idempotency_conflict',
        'this Idempotency-Key came with another body before',
      );
    }
    if (sealedAnswer === null) {
      throw new Refusal(
        'idempotency_interrupted',
        'the first request with this Idempotency-Key took effect and was interrupted before it was answered: read what is there, then go on under another key',
      );
    }
    return secretBox.open(sealedAnswer, name);
  };

  /** Failure to store the record does not undo the operation. */
  const amend = async (work: (stores: Stores) => Promise<void>): Promise<void> => {
    try {
      await unitOfWork.run(work);
    } catch (error) {
      log.warn({ error: String(error) }, 'could not store the answer of an Idempotency-Key');
    }
  };

  async function performOnce<View>(
    name: string,
    given: Pick<KeyedRequest, 'body' | 'userId'>,
    call: CallOf<Operations, View>,
    encode: (view: View) => string,
    source: Source | undefined,
  ): Promise<string> {
    const { body, userId = null } = given;
    const recorded = await unitOfWork.read((stores) => stores.keptAnswers.find(name));
    const now = clock.now();
    const expiredAt = surelyBy(clock) - ANSWER_KEPT_FOR;
    if (recorded && recorded.createdAt > expiredAt) return again(recorded, body);

    const request = { name, bodyMac: secretBox.mac(body, name), userId, createdAt: now };
    const seal = (view: unknown): string => secretBox.seal(encode(view as View), name);
    const record = new RequestRecord({ request, expiredAt, seal });
    try {
      const answer = encode(await call(operationsFor(record, source)));
      if (record.progress !== 'answered') {
        const row = { sealedAnswer: secretBox.seal(answer, name), ...request };
        await amend(({ keptAnswers }) => keptAnswers.save(row));
      }
      return answer;
    } catch (error) {
      if (error instanceof AlreadyRecorded) return performOnce(name, given, call, encode, source);
      // A refusal after a commit is not stored, so a repeat runs again.
      if (error instanceof Refusal && record.progress === 'begun')
        await amend(({ keptAnswers }) => keptAnswers.remove([name]));
      throw error;
    }
  }

  return async <View>(
    request: KeyedRequest,
    call: CallOf<Operations, View>,
    encode: (view: View) => string,
    source?: Source,
  ): Promise<string> => {
    const { caller, userId, route, key } = request;
    const name = fingerprints.of('idempotency', caller, route, key);
    if (userId !== undefined) senders.add(userId);
    for (let other = running.get(name); other; other = running.get(name)) await other;
    const answer = performOnce(name, request, call, encode, source).finally(() =>
      running.delete(name),
    );
    running.set(
      name,
      answer.catch(() => undefined),
    );
    return answer;
  };
}
