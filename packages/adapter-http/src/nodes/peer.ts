import type { Duplex, Readable } from 'node:stream';
import { type Proofs, beginLink } from '../link/handshake.js';
import { keepAlive } from '../link/keep-alive.js';
import { Link, type Receiver } from '../link/link.js';
import type { LinkHost } from '../link/link-host.js';
import type { LinkedAnswer, LinkedRequest, Word } from '../link/messages.js';
import type { NewsOfDeliveries } from './news.js';

/** A node of the database, and where the others reach it. */
export interface NodeAddress {
  readonly id: string;
  readonly url: string;
}

/** How long another node may take to answer whether it serves, in milliseconds. */
const PATIENCE = 1_000;

/** The other node does not serve; nothing was done. */
export class NotTaken extends Error {
  override readonly name = 'NotTaken';
}

/** An answer with its body, whole or as it comes. */
export interface PeerAnswer extends LinkedAnswer {
  readonly body: Buffer | Readable;
}

/** The other node did not take the request; or nobody knows what it did. */
export type NoAnswer = 'not taken' | 'unknown';

/** Waits for the answer to a message. */
interface Waiting {
  /** The message's place on the link. */
  place: number;
  answered(word: Word, body: Buffer): void;
  /** The link has closed. */
  closed(isSent: boolean): void;
}

/** Another node, linked with this one. */
export class Peer implements NodeAddress {
  readonly id: string;
  readonly url: string;
  private readonly link: Link;
  private readonly waiting = new Map<number, Waiting>();
  private count = 0;

  constructor(
    { id, url }: NodeAddress,
    makeLink: (receive: Receiver, onClose: () => void) => Link,
    private readonly news: NewsOfDeliveries,
    private readonly host: Pick<LinkHost, 'after' | 'now'>,
    /** Called with `leaves` when it serves no more, and with `left` when another node may own the database. */
    private readonly onEnd: (peer: Peer, how: 'leaves' | 'left') => void,
  ) {
    [this.id, this.url] = [id, url];
    this.link = makeLink(
      (message, body) => this.receive(message, body),
      () => this.closed(),
    );
  }

  get isOpen(): boolean {
    return this.link.isOpen;
  }

  /** Whether it serves, as the node that the database names. */
  serves(): Promise<boolean> {
    return new Promise((resolve) => {
      const inTime = this.host.after(PATIENCE, () => {
        // Whoever owes no answer is lost by nobody.
        if (this.waiting.size === 1) this.destroy();
        else settle(false);
      });
      const settle = (does: boolean): void => {
        inTime();
        resolve(does);
      };
      this.expect((id) => ['serves?', id, this.host.now()], {
        answered: (message) => settle(message[0] === 'serves' && message[2] === this.id),
        closed: () => settle(false),
      });
    });
  }

  /** Lets it answer a request for an operation. */
  ask(request: Omit<LinkedRequest, 'sentAt'>, body: Buffer): Promise<PeerAnswer | NoAnswer> {
    this.tell();
    return new Promise((resolve) => {
      this.expect(
        (id) => ['ask', id, { ...request, sentAt: this.host.now() }],
        {
          answered: ([kind, id, answer], whole) => {
            if (kind !== 'answer') resolve('not taken');
            else resolve({ ...answer, body: answer.isLong ? this.link.channel(id) : whole });
          },
          closed: (isSent) => resolve(isSent ? 'unknown' : 'not taken'),
        },
        body,
      );
    });
  }

  /**
   * Resolves once nothing of a request that went over an earlier link is under way there, and nothing of it is done that is still on
   * its way; with false when the other node does not serve, or the link closes.
   */
  settled(requestId: string): Promise<boolean> {
    return new Promise((resolve) =>
      this.expect((id) => ['settled?', id, requestId], {
        answered: ([kind]) => resolve(kind === 'settled'),
        closed: () => resolve(false),
      }),
    );
  }

  /** A connection of a client to it; destroyed with `NotTaken` when it does not serve. */
  connect(address: string): Duplex {
    const id = this.count + 1;
    const channel = this.link.channel(id);
    this.expect((own) => ['connect', own, address], {
      answered: () => channel.cut(new NotTaken('the other node does not serve')),
      closed: () => undefined,
    });
    channel.once('close', () => this.waiting.delete(id));
    return channel;
  }

  /** Tells what it has not heard on this link. */
  tell(): void {
    // What a closed link is given is lost.
    const news = this.isOpen ? this.news.next() : [];
    if (news.length > 0) this.link.send(['news', 0, news]);
  }

  destroy(): void {
    this.link.destroy();
  }

  private expect(
    message: (id: number) => Word,
    waiting: Omit<Waiting, 'place'>,
    body?: Buffer,
  ): void {
    if (!this.isOpen) {
      waiting.closed(false);
      return;
    }
    this.count += 1;
    const expected = { ...waiting, place: 0 };
    this.waiting.set(this.count, expected);
    expected.place = this.link.send(message(this.count), body);
  }

  private receive(message: Word, body: Buffer): void {
    const [kind, id] = message;
    if (kind === 'heard') this.news.heard(message[2]);
    else if (kind === 'leaves' || kind === 'left') this.onEnd(this, kind);
    else {
      const found = this.waiting.get(id);
      this.waiting.delete(id);
      found?.answered(message, body);
    }
  }

  private closed(): void {
    this.news.again();
    this.onEnd(this, 'left');
    for (const { closed, place } of this.waiting.values()) closed(this.link.hasSent(place));
    this.waiting.clear();
  }
}

/** How a node links with others. */
export interface Linking {
  readonly proofs: Proofs;
  /** Whether a network is between the nodes: it may go silent, and nobody tells. */
  readonly isRemote: boolean;
  readonly host: LinkHost;
  /** Called with why a node cannot be reached. */
  readonly unreached?: (reason: string) => void;
}

/** Of several addresses that were tried each has its own error, and the one over them no words. */
const wordsOf = ({ message, code = '' }: NodeJS.ErrnoException): string => message || code;

/** Links with another node. `stranger`: it has another master key; undefined: it cannot be reached. */
export function linkWith(
  node: NodeAddress,
  { proofs, isRemote, host, unreached }: Linking,
  news: NewsOfDeliveries,
  onEnd: (peer: Peer, how: 'leaves' | 'left') => void,
): Promise<Peer | 'stranger' | undefined> {
  const socket = host.open(node.url, PATIENCE);
  return new Promise((resolve) => {
    let reason: string | undefined;
    let isSettled = false;
    const inTime = host.after(PATIENCE, () => {
      reason = `it did not answer within ${PATIENCE} ms`;
      socket.terminate();
    });
    const settle = (found: Peer | 'stranger' | undefined): void => {
      inTime();
      isSettled = true;
      resolve(found);
    };
    socket.on('error', (error) => {
      reason ??= wordsOf(error);
    });
    socket.once('close', () => {
      if (!isSettled) unreached?.(reason ?? 'it closed the connection');
      settle(undefined);
    });
    socket.once('open', () => {
      void beginLink(socket, proofs).then((keys) => {
        if (!keys) {
          settle('stranger');
          socket.terminate();
          return;
        }
        if (isRemote) keepAlive(socket, host);
        settle(
          new Peer(
            node,
            (receive, onClose) => new Link(socket, keys, receive, onClose),
            news,
            host,
            onEnd,
          ),
        );
      });
    });
  });
}
