import type { Step } from '../run/told-scene.js';
import type { Process } from './process.js';
import type { Asked, Scene } from './scene.js';
import type { Wire } from './wire.js';

/** How many processes there are at most. */
export const PROCESSES = 3;

/** What must not be done twice or taken for not done: a commit, and a claim to the database. */
const DECIDES = /^(COMMIT$|UPDATE shards)/;

const step = (weight: number, says: string, happen: Step['happen']): Step => ({
  weight,
  says,
  happen,
});

/** What befalls a database. */
const databaseFaults = (scene: Scene): readonly Step[] => [
  step(0.01, 'database: starts anew', () => scene.endSessions()),
  ...(scene.befalls.movesClock ? [step(0.3, 'set the clock', () => scene.setClock())] : []),
  ...(scene.befalls.losesCommits
    ? [
        step(0.3, 'replicate', () => scene.replicate()),
        step(0.05, 'fail over', () => scene.failOver()),
      ]
    : []),
];

/** Everything but time that can happen now; `isCalm`: without faults, and without what clients do. */
export function stepsOf(scene: Scene, isCalm: boolean): Step[] {
  const alive = scene.alive();
  const normal = [
    ...scene.processes.flatMap((process) => onTheWay(scene, process)),
    ...scene.asked.flatMap((asked) => betweenProcesses(scene, asked)),
    ...alive.flatMap((process) => recovery(process)),
    ...(alive.length < PROCESSES ? [step(1, 'begin: another process', () => scene.begin())] : []),
  ];
  if (isCalm) return normal;
  return [
    ...normal,
    ...alive.flatMap((process) => [...asks(scene, process), ...faults(scene, process)]),
    ...scene.asked.map((asked) =>
      step(0.05, `cut: ${asked.from.name} from ${asked.to}`, () => scene.answer(asked, 'unknown')),
    ),
    ...databaseFaults(scene),
  ];
}

/** What is on its way between a process and the database. */
function onTheWay(scene: Scene, process: Process): Step[] {
  const { name, state, wires, connecting } = process;
  const runs = state === 'runs';
  return [
    ...(runs && connecting.length > 0
      ? [step(10, `connect: ${name}`, () => scene.connect(process))]
      : []),
    ...wires.flatMap((wire, place) => {
      const { next, pace, hasAnswer, isGone } = wire;
      const on = `${name}.${place}`;
      const words = next?.trim().replaceAll(/\s+/g, ' ').slice(0, 100);
      return [
        ...(next !== undefined && !isGone
          ? [step(10 * pace, `send: ${on} ${words}`, () => scene.arrive(process, wire))]
          : []),
        ...(hasAnswer && runs ? [step(10 * pace, `answer: ${on}`, () => wire.deliver())] : []),
        ...impatience(scene, wire, on),
      ];
    }),
  ];
}

/** What the database does not wait for any longer. */
function impatience(scene: Scene, wire: Wire, on: string): Step[] {
  switch (wire.impatience) {
    case 'lock':
      return [step(2, `lock: ${on} has waited too long`, () => scene.cancel(wire))];
    case 'idle':
      return [step(2, `idle: ${on} was silent too long`, () => scene.endSession(wire))];
    default:
      return [];
  }
}

/** What is on its way between two processes. */
function betweenProcesses(scene: Scene, asked: Asked): Step[] {
  const { from, to, work, state } = asked;
  if (from.state !== 'runs') return [];
  const other = scene.processes.find(({ name }) => name === to);
  if (state === 'answered')
    return [step(5, `told: ${from.name} of ${work.id}`, () => scene.answer(asked, asked.answer))];
  if (!other || other.state === 'gone')
    return [step(3, `link: ${from.name} has lost ${to}`, () => scene.answer(asked, 'unknown'))];
  if (state === 'taken' || other.state === 'frozen') return [];
  const take = (): void => {
    asked.state = 'taken';
    const answered = (answer: Asked['answer']): void => {
      if (other.state !== 'gone') [asked.state, asked.answer] = ['answered', answer];
    };
    if (other.serves) void other.perform(work).then(answered);
    else answered('not taken');
  };
  return [step(5, `ask: ${from.name} lets ${to} do ${work.id}`, take)];
}

/** How a fault ends. */
function recovery(process: Process): Step[] {
  const { name, state, wires, mustEnd } = process;
  return [
    ...(state === 'frozen'
      ? [step(0.3, `wake: ${name}`, () => void (process.state = 'runs'))]
      : []),
    ...(wires.some(({ isSilent }) => isSilent)
      ? [step(0.3, `heal: ${name}`, () => process.silence(false))]
      : []),
    ...(mustEnd && state === 'runs' ? [step(0.5, `exit: ${name}`, () => process.kill(false))] : []),
  ];
}

/** What clients ask a process for. */
function asks(scene: Scene, process: Process): Step[] {
  const { name, state, node, serves } = process;
  if (!node || state !== 'runs') return [];
  return [
    step(2, `request: ${name}`, () => scene.request(process, true)),
    step(1, `read: ${name}`, () => scene.read(process)),
    ...(serves ? [step(3, `own work: ${name}`, () => scene.request(process, false))] : []),
  ];
}

/** What befalls a process; one that serves more than others. */
function faults(scene: Scene, process: Process): Step[] {
  const { name, state, node, serves, wires, mustEnd } = process;
  const runs = state === 'runs';
  const busy = (befalls: () => void) => (): void => {
    if (serves) for (let work = 0; work < 3; work += 1) scene.request(process, false);
    befalls();
  };
  const silenceFirst = (): void => {
    const first = wires.find(({ isUsable }) => isUsable);
    if (first) first.isSilent = true;
  };
  return [
    step(0.03, `kill: ${name}`, () => process.kill(false)),
    step(0.03, `kill and lose: ${name}`, () => process.kill(true)),
    step(0.1, `reset: ${name}`, () => scene.lose(process, (wire) => wire.reset())),
    step(0.1, `lose: ${name}`, () => scene.lose(process, (wire) => wire.lose())),
    ...(runs
      ? [
          step(
            serves ? 0.3 : 0.1,
            `freeze: ${name}`,
            busy(() => void (process.state = 'frozen')),
          ),
          step(
            serves ? 0.1 : 0.05,
            `silence: ${name}`,
            busy(() => process.silence(true)),
          ),
          ...(serves
            ? [
                step(0.2, `silence one: ${name}`, busy(silenceFirst)),
                step(0.05, `vanish: ${name}`, () => scene.vanish(process)),
              ]
            : []),
          ...wires
            .filter(({ next, isUsable }) => isUsable && DECIDES.test(next ?? ''))
            .map((wire) => step(0.5, `lose a commit: ${name}`, () => wire.lose())),
        ]
      : []),
    ...(node && runs && !mustEnd
      ? [
          step(0.03, `stop: ${name}`, () => void process.stop().catch(() => undefined)),
          step(0.02, `drain: ${name}`, () => scene.database.drain(name)),
        ]
      : []),
  ];
}
