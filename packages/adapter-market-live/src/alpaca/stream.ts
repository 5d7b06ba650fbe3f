import { type Timestamp, hasPassed } from '@slipstream/domain';
import type { Log, SourceHealth } from '@slipstream/ports';
import { z } from 'zod';
import type { Connect, Connection } from '../connect.js';
import { exactJson } from '../exact-json.js';
import { reconnection } from '../reconnection.js';
import { venuePrice } from '../venue.js';

/** A connection is replaced after this silence; it is pinged meanwhile. */
const SILENCE = 15_000;
const PINGED = 5_000;
/** Each step of the connection is answered within this time. */
const ANSWERED = 10_000;
/** The most symbols of a free subscription; one more, and none is subscribed. */
const MOST_SYMBOLS = 30;

const LIMIT_EXCEEDED = '405';
/** A channel that the subscription of the key does not have. */
const NOT_SUBSCRIBED = ['409', '410'];

const control = z.discriminatedUnion('T', [
  z.object({ T: z.literal('success'), msg: z.string() }),
  z.object({ T: z.literal('error'), code: z.string(), msg: z.string().default('') }),
  z.object({
    T: z.literal('subscription'),
    quotes: z.array(z.string()).nullish(),
    statuses: z.array(z.string()).nullish(),
  }),
]);
const streamed = z.discriminatedUnion('T', [
  z.object({ T: z.literal('q'), S: z.string(), bp: venuePrice, ap: venuePrice, t: z.string() }),
  z.object({
    T: z.literal('s'),
    S: z.string(),
    sc: z.string(),
    sm: z.string().nullish(),
    rm: z.string().nullish(),
    t: z.string(),
  }),
]);
const typed = z.object({ T: z.string() });
const READ = ['success', 'error', 'subscription', 'q', 's'];

/** The codes of trading statuses (of New York's tapes, of Nasdaq's); all others change nothing. */
const HALTED = ['2', 'H', 'P'];
const RESUMED = ['3', 'T'];

/** A quote of the stream, in Alpaca's words. */
export interface StreamedQuote {
  readonly symbol: string;
  readonly bid: string;
  readonly ask: string;
  readonly time: string;
}

export interface AlpacaStreamParts {
  readonly connect: Connect;
  readonly url: string;
  readonly keyId: string;
  readonly secret: string;
  readonly random: () => number;
  readonly log: Log;
}

/** Hears what the stream tells. */
export interface StreamListener {
  quote(quote: StreamedQuote): void;
  halt(symbol: string, isHalted: boolean, reason: string, at: Timestamp): void;
  dropped(reason: 'unreadable' | 'not_subscribed'): void;
  /** From now on halts and their ends may be missed. */
  interrupted(): void;
}

/** A connection and how far it is: greeted, authenticated, asked for halts, asked for quotes. */
interface Session {
  readonly connection: { current?: Connection };
  step: 'greeting' | 'login' | 'statuses' | 'quotes';
  tellsHalts: boolean;
  accepted: ReadonlySet<string>;
  /** Asked for, and not acknowledged yet. */
  asked: readonly string[];
  /** Not acknowledged, so not asked for again on this connection. */
  readonly refused: Set<string>;
  isAnswered: boolean;
  askedAt: Timestamp;
  aliveAt: Timestamp;
  pingedAt: Timestamp;
}

/** Alpaca's stream: halts of all stocks, and the quotes of the few that matter most, as soon as they change. */
export function alpacaStream(
  parts: AlpacaStreamParts,
  listener: StreamListener,
  clock: () => Timestamp,
) {
  const { connect, url, random, log } = parts;
  const pauses = reconnection(random);
  let session: Session | undefined;
  let preferred: readonly string[] = [];
  let most = MOST_SYMBOLS;
  let opened = 0;
  let heardAt: Timestamp | undefined;

  const end = (reason: string): void => {
    if (!session) return;
    const { current } = session.connection;
    session = undefined;
    current?.end();
    listener.interrupted();
    pauses.ended(clock());
    log.warn({ source: 'alpaca', reason }, 'the stream of a market ended; it will be replaced');
  };

  const ask = (by: Session, step: Session['step'], request: object): void => {
    by.step = step;
    by.isAnswered = false;
    by.askedAt = clock();
    by.connection.current?.send(JSON.stringify(request));
  };

  /** Asks for what is wanted and not subscribed. What is not wanted any more goes first: there is a limit. */
  const subscribe = (by: Session): void => {
    const wanted = new Set(preferred.filter((symbol) => !by.refused.has(symbol)).slice(0, most));
    const gone = [...by.accepted].filter((symbol) => !wanted.has(symbol));
    by.asked = [];
    if (gone.length > 0) return ask(by, 'quotes', { action: 'unsubscribe', quotes: gone });
    by.asked = [...wanted].filter((symbol) => !by.accepted.has(symbol));
    if (by.asked.length > 0) return ask(by, 'quotes', { action: 'subscribe', quotes: by.asked });
    by.step = 'quotes';
    by.isAnswered = true;
  };

  /** The answer says what is subscribed: what it leaves out was refused, whatever else it says. */
  const acknowledged = (by: Session, symbols: readonly string[]): void => {
    by.accepted = new Set(symbols);
    by.isAnswered = true;
    const refused = by.asked.filter((symbol) => !by.accepted.has(symbol));
    for (const symbol of refused) by.refused.add(symbol);
    if (refused.length > 0)
      log.warn({ source: 'alpaca', symbols: refused }, 'the stream does not tell these');
    subscribe(by);
  };

  const login = (by: Session): void => {
    const { keyId, secret } = parts;
    ask(by, 'login', { action: 'auth', key: keyId, secret });
  };

  const refused = (by: Session, code: string, message: string): void => {
    const isOfChannel = code === LIMIT_EXCEEDED || NOT_SUBSCRIBED.includes(code);
    if (isOfChannel && by.step === 'statuses') {
      log.warn({ source: 'alpaca', code }, 'the stream tells no halts of stocks with this key');
      return subscribe(by);
    }
    if (code === LIMIT_EXCEEDED && by.step === 'quotes' && most > 1) {
      // None of the symbols is subscribed.
      most = Math.floor(most / 2);
      log.warn({ source: 'alpaca', symbols: most }, 'the stream takes fewer symbols');
      return subscribe(by);
    }
    end(`it answered ${code} ${message}`.trim());
  };

  const takeControl = (by: Session, message: z.infer<typeof control>): void => {
    switch (message.T) {
      case 'success':
        if (message.msg === 'connected') return login(by);
        if (message.msg === 'authenticated')
          return ask(by, 'statuses', { action: 'subscribe', statuses: ['*'] });
        return;
      case 'error':
        return refused(by, message.code, message.msg);
      case 'subscription':
        by.tellsHalts ||= (message.statuses ?? []).length > 0;
        return acknowledged(by, message.quotes ?? []);
    }
  };

  const takeStreamed = (by: Session, message: z.infer<typeof streamed>): void => {
    if (message.T === 'q') {
      const { S: symbol, bp: bid, ap: ask_, t: time } = message;
      if (!by.accepted.has(symbol)) return listener.dropped('not_subscribed');
      return listener.quote({ symbol, bid, ask: ask_, time });
    }
    const { S: symbol, sc: code, sm, rm, t } = message;
    const at = Date.parse(t);
    const isHalted = HALTED.includes(code);
    if (Number.isNaN(at)) return listener.dropped('unreadable');
    if (!isHalted && !RESUMED.includes(code)) return;
    listener.halt(symbol, isHalted, [sm, rm].filter(Boolean).join(': ') || code, at);
  };

  const take = (by: Session, message: unknown): void => {
    const type = typed.safeParse(message).data?.T;
    if (type !== undefined && !READ.includes(type)) return;
    const controlled = control.safeParse(message);
    if (controlled.success) return takeControl(by, controlled.data);
    const read = streamed.safeParse(message);
    if (read.success) return takeStreamed(by, read.data);
    listener.dropped('unreadable');
  };

  const hear = (by: Session, text: string): void => {
    if (session !== by) return;
    let messages: unknown;
    try {
      messages = exactJson(text);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
    if (!Array.isArray(messages)) return listener.dropped('unreadable');
    by.aliveAt = clock();
    heardAt = by.aliveAt;
    for (const message of messages as unknown[]) if (session === by) take(by, message);
  };

  const open = (now: Timestamp): void => {
    pauses.started(now);
    opened += 1;
    most = MOST_SYMBOLS;
    const made: Session = {
      connection: {},
      step: 'greeting',
      tellsHalts: false,
      accepted: new Set(),
      asked: [],
      refused: new Set(),
      isAnswered: false,
      askedAt: now,
      aliveAt: now,
      pingedAt: now,
    };
    session = made;
    made.connection.current = connect(url, {
      opened: () => undefined,
      message: (text) => hear(made, text),
      alive: () => {
        made.aliveAt = clock();
        heardAt = made.aliveAt;
      },
      closed: (reason) => {
        if (session === made) end(reason);
      },
    });
  };

  const problem = (of: Session, now: Timestamp): string | undefined => {
    if (hasPassed(SILENCE, of.aliveAt, now)) return 'it was silent';
    if (of.isAnswered || !hasPassed(ANSWERED, of.askedAt, now)) return undefined;
    return `${of.step} was not answered`;
  };

  return {
    /** The symbols that matter most now, most important first. */
    prefer(symbols: readonly string[]): void {
      preferred = symbols;
      if (session?.step === 'quotes' && session.isAnswered) subscribe(session);
    },
    beat(): void {
      const now = clock();
      const reason = session && problem(session, now);
      if (reason !== undefined) end(reason);
      if (!session && pauses.isDue(now)) open(now);
      if (!session || !hasPassed(PINGED, session.pingedAt, now)) return;
      session.pingedAt = now;
      session.connection.current?.ping();
    },
    /** Healthy while it tells halts. */
    health: (now: Timestamp): SourceHealth => ({
      name: 'alpaca-stream',
      isBeside: true,
      age: heardAt === undefined ? null : now - heardAt,
      healthy: session?.step === 'quotes' && session.tellsHalts,
      reconnects: Math.max(0, opened - 1),
      drops: {},
    }),
    stop(): void {
      const { current } = session?.connection ?? {};
      session = undefined;
      current?.end();
    },
  };
}
