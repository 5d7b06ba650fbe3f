import { type Broker, type InTurn, fewATurn, inGroups } from '@slipstream/ports';
import type { BotDeps } from '../bot-deps.js';

function brokerInTurns(broker: Broker, inTurn: InTurn): Broker {
  const { name, live, asksFor, existingPositions } = broker;
  const activities = broker.activities?.bind(broker);
  const unlink = broker.unlink?.bind(broker);
  return {
    ...{ name, live, asksFor },
    ...(existingPositions && { existingPositions }),
    ...(unlink && { unlink }),
    ...(activities && { activities: (...asked) => inTurn(activities(...asked)) }),
    link: (request) => inTurn(broker.link(request)),
    account: (...asked) => inTurn(broker.account(...asked)),
    rules: (...asked) => inTurn(broker.rules(...asked)),
    place: (...asked) => inTurn(broker.place(...asked)),
    find: (...asked) => inTurn(broker.find(...asked)),
    cancel: (...asked) => inTurn(broker.cancel(...asked)),
  };
}

/** What follows each takes some tenths of a millisecond; a turn of its own costs some hundredths. */
const A_TURN = 4;

/**
 * The same for hundreds of bots at once: the work that follows an answer of a broker, or a commit, waits for its turn. Otherwise
 * everything that arrives together would be handled in one go, and the requests of users would wait for all of it.
 */
export function inTurns<Deps extends Pick<BotDeps, 'brokers' | 'pause' | 'unitOfWork'>>(
  deps: Deps,
): Deps {
  const inTurn = fewATurn(deps.pause, A_TURN);
  const { unitOfWork } = deps;
  const inGroup = inGroups(deps.pause);
  return {
    ...deps,
    unitOfWork: {
      read: (work) => unitOfWork.read(work),
      run: (work, options) => inTurn(inGroup(() => unitOfWork.run(work, options))),
    } satisfies BotDeps['unitOfWork'],
    brokers: new Map(
      [...deps.brokers].map(([name, broker]) => [name, brokerInTurns(broker, inTurn)]),
    ),
  };
}
