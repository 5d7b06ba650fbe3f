import { type Signal, effect, signal } from '@preact/signals';
import type { ChannelName, StreamEvent, Streams } from '@slipstream/client';
import type { ChannelKind } from '@slipstream/wire';
import { useEffect, useState } from 'preact/hooks';
import { clientWith, expire, session } from '../session/session.js';
import { FOLDS, type Live } from './folds.js';
import { onFrame } from './frames.js';

/** Whether figures move: no channel yet, an open connection, or one that was lost and is tried again. */
export const connection = signal<'none' | 'open' | 'lost'>('none');

interface Shared {
  readonly state: Signal<Live<ChannelKind>>;
  /** What was told and not yet shown. */
  next: Live<ChannelKind>;
  users: number;
  unsubscribe(): void;
}

const channels = new Map<ChannelName, Shared>();
let streams:
  | { readonly of: Streams; readonly token: string | undefined; user?: string }
  | undefined;

/** The streams of whoever is signed in. */
function opened(): Streams {
  if (streams) return streams.of;
  const now = session.peek();
  const of = clientWith(now?.token).streams({
    onConnection: (state) => (connection.value = state),
  });
  streams = { of, token: now?.token, user: now?.userId };
  void of.closed.then(async (reason) => {
    if (streams?.of !== of || reason === 'closed') return;
    const { token } = streams;
    streams = undefined;
    connection.value = 'none';
    const now = session.peek();
    if (!now) return;
    // The token may have been renewed while its connection was closed.
    if (now.token === token) await expire(now);
    setTimeout(rejoin, 1_000);
  });
  return of;
}

function join(name: ChannelName): void {
  const shared = channels.get(name);
  if (!shared) return;
  const kind = name.slice(0, name.indexOf(':')) as ChannelKind;
  const fold = FOLDS[kind] as (state: Live<ChannelKind>, event: StreamEvent) => Live<ChannelKind>;
  const show = (): void => {
    shared.state.value = shared.next;
  };
  const of = opened();
  const token = streams?.token;
  shared.unsubscribe = of.subscribe(name, (event: StreamEvent) => {
    shared.next = fold(shared.next, event);
    // It ended with a token that was renewed meanwhile.
    if (event.event === 'ended' && streams?.of === of && streams.token !== token)
      setTimeout(() => streams?.of === of && rejoin());
    onFrame(show);
  });
}

/** Opens a connection anew, with all channels. */
function rejoin(): void {
  streams?.of.close();
  streams = undefined;
  connection.value = 'none';
  for (const name of channels.keys()) join(name);
}

// Another reader, or another token of the same one.
effect(() => {
  const now = session.value;
  if (!streams || streams.token === now?.token) return;
  // A channel that ended with the old token begins anew.
  const isWhole = [...channels.values()].every(({ next }) => next.ended === undefined);
  if (now && streams.user === now.userId && isWhole) {
    streams.of.authenticate(now.token);
    streams = { ...streams, token: now.token };
    return;
  }
  rejoin();
});

/** A connection without a channel is closed by the service; it is opened again with the next channel. */
function closeUnused(): void {
  if (channels.size > 0 || !streams) return;
  streams.of.close();
  streams = undefined;
  connection.value = 'none';
}

/** Follows a channel, however many parts show it; the function ends this. */
function follow<Kind extends ChannelKind>(
  kind: Kind,
  id: string,
): { readonly state: Signal<Live<Kind>>; readonly leave: () => void } {
  const name: ChannelName = `${kind}:${id}`;
  let shared = channels.get(name);
  if (!shared) {
    shared = { state: signal({}), next: {}, users: 0, unsubscribe: () => undefined };
    channels.set(name, shared);
    join(name);
  }
  const joined = shared;
  joined.users += 1;
  const leave = (): void => {
    joined.users -= 1;
    // The next page may show it too.
    setTimeout(() => {
      if (joined.users > 0 || channels.get(name) !== joined) return;
      channels.delete(name);
      joined.unsubscribe();
      setTimeout(closeUnused, 2_000);
    }, 200);
  };
  return { state: joined.state as unknown as Signal<Live<Kind>>, leave };
}

const NOTHING = signal({});

/** The folded state of a channel for a part; without an id it follows nothing. */
export function useChannel<Kind extends ChannelKind>(
  kind: Kind,
  id: string | null | undefined,
): Signal<Live<Kind>> {
  const [state, setState] = useState<Signal<Live<Kind>>>(() => NOTHING);
  useEffect(() => {
    if (id === null || id === undefined) return undefined;
    const followed = follow(kind, id);
    setState(() => followed.state);
    return followed.leave;
  }, [kind, id]);
  return state;
}
