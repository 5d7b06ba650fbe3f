import type { ServingNode } from '@slipstream/adapter-http';

/** What a node does otherwise. */
export interface Bug {
  /** It answers other nodes as the owner of the database, also when another one may own it. */
  readonly servesAlways?: true;
  /** Its streams go on whoever owns the database. */
  readonly streamsAlways?: true;
  /** It asks what became of a request while the node that had it may still do it. */
  readonly asksEarly?: true;
  /** It knows nothing of what was told before it served. */
  readonly forgetsPast?: true;
  /** Changes how it finds and asks the node that serves. */
  readonly serving?: (serving: ServingNode) => void;
}

type Peer = NonNullable<Awaited<ReturnType<ServingNode['find']>>>;

/** Every answer that another node gives goes through `change`. */
const answersOf =
  (change: (answer: Awaited<ReturnType<Peer['ask']>>) => typeof answer) =>
  (serving: ServingNode): void => {
    const find = serving.find.bind(serving);
    const changed = new WeakSet<Peer>();
    serving.find = async (patience) => {
      const peer = await find(patience);
      if (peer && !changed.has(peer)) {
        changed.add(peer);
        const ask = peer.ask.bind(peer);
        peer.ask = async (...request) => change(await ask(...request));
      }
      return peer;
    };
  };

/** Deliberate mistakes, which stories must find. Every node of a story makes the same one. */
export const BUGS = {
  serves_always: {
    says: 'a node answers others as the owner though another one may own the database',
    servesAlways: true,
  },
  streams_always: {
    says: 'streams of a node go on when it owns the database no more',
    streamsAlways: true,
  },
  asks_early: {
    says: 'a node asks what became of a request while the one that had it may still do it',
    asksEarly: true,
  },
  forgets_past: {
    says: 'a node does not tell what the one before committed and did not tell',
    forgetsPast: true,
  },
  unknown_for_not_taken: {
    says: 'a request whose outcome is unknown is asked again',
    serving: answersOf((answer) => (answer === 'unknown' ? 'not taken' : answer)),
  },
  not_taken_for_unknown: {
    says: 'a request that another node did not take is taken for one that it may have done',
    serving: answersOf((answer) => (answer === 'not taken' ? 'unknown' : answer)),
  },
  settles_early: {
    says: 'a request counts as settled while the node that had it may still do it',
    serving: (serving) => {
      serving.settled = async () => true;
    },
  },
  no_news: {
    says: 'nobody tells the node that serves that an answer arrived',
    serving: ({ news }) => {
      news.deliveries.alertAnswered = () => undefined;
    },
  },
  news_once: {
    says: 'news of deliveries that were on their way when a link closed are not told again',
    serving: ({ news }) => {
      news.again = () => news.heard(news.next().length);
    },
  },
  never_lost: {
    says: 'nobody tells that an answer did not arrive',
    serving: ({ news }) => {
      news.deliveries.alertLost = () => undefined;
    },
  },
} satisfies Readonly<Record<string, Bug & { readonly says: string }>>;

export type BugName = keyof typeof BUGS;
