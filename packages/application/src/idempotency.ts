import { Refusal, type UserId } from '@slipstream/domain';
import type { KeptAnswer, Ports, Stores, UnitOfWork } from '@slipstream/ports';
import type { Core } from './core.js';
import { KEEP_ANSWER, type KeepAnswer } from './keep-answer.js';

/** How long an answer can be had again, in milliseconds (contract 1, "Idempotency"). */
export const ANSWER_KEPT_FOR = 24 * 60 * 60 * 1000;

/** A request that its sender may repeat under the same key. */
export interface KeyedRequest {
  /** Who sends it: another caller's key is another key. */
  readonly caller: string;
  /** Whose storage the answer counts for; absent when nobody's. */
  readonly userId?: UserId | undefined;
  readonly route: string;
  readonly key: string;
  readonly body: string;
}

/** Calls one operation and writes what it answers as the text that is sent; does nothing else. */
export type Performance<Operations> = (operations: Operations) => Promise<string>;

type Needs = Pick<Ports, 'unitOfWork' | 'clock' | 'fingerprints' | 'secretBox' | 'log'> &
  Pick<Core, 'senders'>;

/** Operations that all answer the same and do nothing: they show how a performance writes it. */
const answering = <Operations extends object>(answer: unknown): Operations =>
  new Proxy({}, { get: () => async () => answer }) as Operations;

/** What became of a keyed request so far: nothing is committed, something is, or the answer too. */
type Progress = 'nothing' | 'begun' | 'answered';

/** The unit of work for one request: each commit carries the request's row, with the answer as soon as it is known. */
function keepingUnitOfWork(
  { run, read }: UnitOfWork,
  rowOf: (sealedAnswer: string | null) => KeptAnswer,
  sealed: (answer: unknown) => Promise<string>,
) {
  let progress: Progress = 'nothing';
  const unitOfWork: UnitOfWork = {
    read: (work) => read(work),
    run: (work, terms) => {
      let isAnswered = false;
      const keeping = async (stores: Stores) => {
        let sealedAnswer: string | null = null;
        const keep: KeepAnswer = async (answer) => {
          sealedAnswer = await sealed(answer);
        };
        const result = await work(
          Object.create(stores, { [KEEP_ANSWER]: { value: keep } }) as Stores,
        );
        isAnswered = sealedAnswer !== null;
        if (isAnswered || progress !== 'answered')
          await stores.keptAnswers.save(rowOf(sealedAnswer));
        return result;
      };
      return run(keeping, {
        wanted: terms?.wanted,
        committed: (result) => {
          progress = isAnswered || progress === 'answered' ? 'answered' : 'begun';
          terms?.committed?.(result);
        },
      });
    },
  };
  return { unitOfWork, progress: () => progress };
}

/**
 * Performs a request once, however often it is sent. Its row is part of the transaction that changes something; a use
 * case that says its answer there (`keepAnswer`) is answered with it even if the process dies before it could answer.
 * One that does not gets the answer into the row right after; if the process dies in between, a repeat is refused.
 */
export function idempotency<Operations extends object, Source>(
  { unitOfWork, clock, fingerprints, secretBox, log, senders }: Needs,
  operationsOver: (unitOfWork: UnitOfWork, source?: Source) => Operations,
) {
  const running = new Map<string, Promise<unknown>>();

  const again = ({ name, bodyMac, sealedAnswer }: KeptAnswer, body: string): string => {
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

  const performOnce = async (
    name: string,
    { body, userId }: Pick<KeyedRequest, 'body' | 'userId'>,
    perform: Performance<Operations>,
    source: Source | undefined,
  ): Promise<string> => {
    const kept = await unitOfWork.read((stores) => stores.keptAnswers.find(name));
    const now = clock.now();
    if (kept && kept.createdAt > now - ANSWER_KEPT_FOR) return again(kept, body);

    const bodyMac = secretBox.mac(body, name);
    const rowOf = (sealedAnswer: string | null): KeptAnswer => ({
      name,
      bodyMac,
      sealedAnswer,
      userId: userId ?? null,
      createdAt: now,
    });
    const keeping = keepingUnitOfWork(unitOfWork, rowOf, async (answer) =>
      secretBox.seal(await perform(answering(answer)), name),
    );
    /** What cannot be noted changes nothing of what was done. */
    const note = async (work: (stores: Stores) => Promise<void>): Promise<void> => {
      try {
        await unitOfWork.run(work);
      } catch (error) {
        log.warn({ error: String(error) }, 'the answer under an Idempotency-Key was not kept');
      }
    };
    try {
      const answer = await perform(operationsOver(keeping.unitOfWork, source));
      if (keeping.progress() !== 'answered') {
        const row = rowOf(secretBox.seal(answer, name));
        await note(({ keptAnswers }) => keptAnswers.save(row));
      }
      return answer;
    } catch (error) {
      // A refusal that came after a commit is no 200: it is not kept, and a repeat is tried anew.
      if (error instanceof Refusal && keeping.progress() === 'begun')
        await note(({ keptAnswers }) => keptAnswers.remove([name]));
      throw error;
    }
  };

  return async (
    request: KeyedRequest,
    perform: Performance<Operations>,
    source?: Source,
  ): Promise<string> => {
    const { caller, userId, route, key } = request;
    const name = fingerprints.of('idempotency', caller, route, key);
    if (userId !== undefined) senders.add(userId);
    for (let other = running.get(name); other; other = running.get(name)) await other;
    const answer = performOnce(name, request, perform, source).finally(() => running.delete(name));
    running.set(
      name,
      answer.catch(() => undefined),
    );
    return answer;
  };
}
