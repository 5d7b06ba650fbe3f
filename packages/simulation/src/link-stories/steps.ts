import type { Step } from '../run/told-scene.js';
import { ALERT, LONG_READ, ORDER, PAGE, POST, READ } from './core.js';
import type { Client } from './clients.js';
import type { StoryNode } from './node.js';
import type { Scene, Wire } from './scene.js';

/** How many nodes there are at most. */
export const NODES = 3;

const step = (weight: number, says: string, happen: Step['happen']): Step => ({
  weight,
  says,
  happen,
});

/** Everything but time that can happen now; `isCalm`: without faults, and without what clients do. */
export function stepsOf(scene: Scene, isCalm: boolean): Step[] {
  const alive = scene.alive();
  const normal = [
    ...scene.wires.flatMap((wire) => onTheWay(scene, wire)),
    ...scene.nodes.flatMap((node) => commits(scene, node)),
    ...alive.flatMap((node) => recovery(scene, node)),
    ...scene.wires
      .filter((wire) => wire.isSilent && scene.hasEnds(wire))
      .map((wire) => step(0.2, `heal: ${nameOf(wire)}`, () => void (wire.isSilent = false))),
    ...(alive.length < NODES ? [step(1, 'begin: another node', () => scene.begin())] : []),
  ];
  if (isCalm) return normal;
  return [
    ...normal,
    ...alive
      .filter(({ isOpen, state }) => isOpen && state === 'runs' && mayAsk(scene))
      .flatMap((node) => asks(scene, node)),
    ...clientsDo(scene),
    ...(scene.trouble === 'any' ? alive.flatMap((node) => faults(scene, node)) : []),
    ...(scene.isPeaceful ? [] : scene.wires.flatMap((wire) => linkFaults(scene, wire))),
    ...stops(scene, alive),
  ];
}

/** While only planned stops happen nobody asks before the first node serves. */
const mayAsk = ({ isPeaceful, nodes }: Scene): boolean =>
  !isPeaceful || nodes.some(({ core }) => core !== undefined);

const nameOf = ({ ends, to }: Wire): string => `${ends[0].node}-${to}`;

/** What is on its way between two nodes. */
function onTheWay(scene: Scene, wire: Wire): Step[] {
  const { ends, pace, isSilent, to } = wire;
  if (isSilent) return [];
  const target = scene.nodeOf(to);
  if (ends[0].readyState === 0)
    return target?.state === 'frozen'
      ? []
      : [step(5 * pace, `connect: ${nameOf(wire)}`, () => scene.connect(wire))];
  return ends.flatMap((end, at) => {
    const receives = scene.nodeOf(at === 0 ? to : ends[0].node);
    if (end.sent.length === 0 || receives?.state === 'frozen') return [];
    return [step(10 * pace, `message: ${end.node} ${nameOf(wire)}`, () => scene.deliver(end))];
  });
}

/** What the database does for a node, also when that one is frozen or gone. */
function commits(
  scene: Scene,
  { core, id, state, isCutOff }: StoryNode,
  node = scene.nodeOf(id),
): Step[] {
  if (!core || !node) return [];
  return core.pending.flatMap((one) => {
    const { id: work } = one.work;
    if (scene.decided.has(one))
      return state === 'runs' && !isCutOff
        ? [step(5, `answer: ${id} hears of ${work}`, () => scene.hear(core, one))]
        : [];
    return isCutOff
      ? []
      : [step(state === 'runs' ? 5 : 1, `commit: ${id} ${work}`, () => scene.decide(node, one))];
  });
}

/** How a node goes on, and how a fault ends. */
function recovery(scene: Scene, node: StoryNode): Step[] {
  const { id, state, isCutOff, isLoading, mustEnd } = node;
  return [
    ...(state === 'frozen' ? [step(0.3, `wake: ${id}`, () => node.wake())] : []),
    ...(isCutOff ? [step(0.05, `reconnect: ${id}`, () => node.reconnect())] : []),
    ...(isLoading && state === 'runs' ? [step(1, `serve: ${id}`, () => scene.serve(node))] : []),
    ...(mustEnd && state === 'runs' ? [step(0.5, `exit: ${id}`, () => node.kill(false))] : []),
  ];
}

/** What clients ask a node for. */
function asks(scene: Scene, node: StoryNode): Step[] {
  const { id } = node;
  const name = (): string => `w${scene.people.works.size + 1}`;
  const ask = (weight: number, target: string, work?: () => string, key?: () => string): Step =>
    step(weight, `ask: ${id} ${target}`, () =>
      scene.people.ask(scene.people.client(node), target, work?.(), key?.()),
    );
  return [
    ...[ask(0.8, ALERT, name), ask(0.5, ORDER, name), ask(0.3, POST, name)],
    ask(0.4, ORDER, name, name),
    ...[ask(0.5, READ), ask(0.1, LONG_READ), ask(0.1, PAGE)],
    step(0.2, `stream: ${id}`, () => scene.people.stream(node)),
  ];
}

/** What clients do that have asked for something. */
function clientsDo(scene: Scene): Step[] {
  const awake = ({ node }: { readonly node: StoryNode }): boolean => node.state === 'runs';
  return [
    ...scene.people.clients.filter(awake).flatMap((client) => goesOn(scene, client)),
    ...scene.people.streams
      .filter((stream) => awake(stream) && !stream.isOver)
      .flatMap((stream) => [
        step(0.05, `pause: a stream of ${stream.node.id}`, () => stream.pause()),
        step(0.02, `hang up: a stream of ${stream.node.id}`, () => stream.leave()),
      ]),
  ];
}

function goesOn(scene: Scene, client: Client): Step[] {
  const last = client.asked.at(-1);
  if (!last) return [];
  const { target, work, key, outcome } = last;
  if (outcome === undefined)
    return [
      step(scene.people.givesUp(last) ? 1 : 0.03, `leave: a client of ${client.node.id}`, () =>
        client.leave(),
      ),
      step(0.03, `leave late: a client of ${client.node.id}`, () => client.leaveLate()),
    ];
  const isRepeated = work === undefined || scene.people.heard(work).at(-1) !== last;
  if (isRepeated || client.asked.length > 20) return [];
  if (outcome === 200 && target === ALERT && client.isIdle)
    return [
      step(scene.trouble === 'links' ? 2 : 0.3, `mean again: ${work}`, () =>
        scene.people.mean(client, target, work),
      ),
    ];
  const next = scene.draw(scene.alive().filter(({ isOpen, state }) => isOpen && state === 'runs'));
  if (
    !scene.people.isLost(client, scene.isStill(client.node)) ||
    !next ||
    (target !== ALERT && key === undefined)
  )
    return [];
  return [
    step(3, `send again: ${work}`, () =>
      scene.people.ask(scene.people.client(next), target, work, key),
    ),
  ];
}

/** What befalls a node; the one that serves more than others. */
function faults(scene: Scene, node: StoryNode): Step[] {
  const { id, state, core, isCutOff } = node;
  const often = core ? 3 : 1;
  return [
    step(0.03 * often, `kill: ${id}`, () => node.kill(false)),
    step(0.03 * often, `kill and lose: ${id}`, () => node.kill(true)),
    step(0.02 * often, `vanish: ${id}`, () => scene.vanish(node)),
    ...(state === 'runs'
      ? [step(0.1 * often, `freeze: ${id}`, () => void (node.state = 'frozen'))]
      : []),
    ...(isCutOff
      ? []
      : [step(0.1 * often, `cut off: ${id} from the database`, () => void (node.isCutOff = true))]),
  ];
}

function linkFaults(scene: Scene, wire: Wire): Step[] {
  if (wire.isSilent) return [];
  const isInUse = wire.ends.some(({ sent }) => sent.length > 0);
  return [
    step(scene.trouble === 'links' && isInUse ? 1 : 0.1, `cut: ${nameOf(wire)}`, () =>
      scene.cut(wire),
    ),
    step(isInUse ? 0.3 : 0.03, `silence: ${nameOf(wire)}`, () => void (wire.isSilent = true)),
  ];
}

/**
 * The operator stops a node, one at a time, and not before what waited for the last one has its answer. A server that begins to
 * serve does so before it stops.
 */
function stops(scene: Scene, alive: readonly StoryNode[]): Step[] {
  if (alive.length < NODES || alive.some(({ isStopping }) => isStopping)) return [];
  if (scene.isPeaceful && scene.people.isAnyWaiting(scene.servedAt)) return [];
  if (scene.isPeaceful && alive.some(({ isLoading }) => isLoading)) return [];
  return alive
    .filter(({ state, mustEnd }) => state === 'runs' && !mustEnd)
    .map((node) => step(node.core ? 0.2 : 0.05, `stop: ${node.id}`, () => void node.stop()));
}
