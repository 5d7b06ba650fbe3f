import {
  type KeyObject,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
} from 'node:crypto';
import type { SecretBox } from '@slipstream/ports';
import type { WebSocket } from 'ws';

/** Proves that whoever speaks has the master key. */
export type Proofs = Pick<SecretBox, 'mac' | 'verify'>;

/** The keys of one link; each side seals with a key of its own. */
export interface SessionKeys {
  readonly sending: Buffer;
  readonly receiving: Buffer;
}

const CONTEXT = 'node link';
const KEY_BYTES = 32;
/** A message of the handshake is shorter than this, in bytes. */
const LONGEST = 512;

/** One side's part of the key, made for one link only. */
interface Ephemeral {
  readonly text: string;
  readonly secret: KeyObject;
}

function ephemeral(): Ephemeral {
  const { publicKey, privateKey } = generateKeyPairSync('x25519');
  const der = publicKey.export({ type: 'spki', format: 'der' });
  return { text: der.toString('base64url'), secret: privateKey };
}

/** What each side proves to have said and heard, so that nothing of it can be replayed or exchanged. */
const said = (who: 'asks' | 'answers', asking: string, answering: string): string =>
  `${who} ${asking} ${answering}`;

/** Keys for each direction. Throws when the other side's text is no public key. */
function keysOf(own: Ephemeral, other: string, isAsking: boolean): SessionKeys {
  const publicKey = createPublicKey({
    ...{ key: Buffer.from(other, 'base64url'), format: 'der', type: 'spki' },
  });
  const shared = diffieHellman({ privateKey: own.secret, publicKey });
  const key = (direction: string): Buffer =>
    Buffer.from(hkdfSync('sha256', shared, '', direction, KEY_BYTES));
  const [asked, answered] = [key('asked'), key('answered')];
  return isAsking
    ? { sending: asked, receiving: answered }
    : { sending: answered, receiving: asked };
}

/** The words of a message of the handshake. */
const words = (data: Buffer): string[] =>
  data.length > LONGEST ? [] : data.toString('latin1').split(' ');

/**
 * Begins a link on an open socket: each side proves that it has the master key by a MAC over fresh public keys of both.
 * Resolves with undefined when the other side has another master key. Never resolves if the socket closes.
 */
export function beginLink(
  socket: WebSocket,
  { mac, verify }: Proofs,
): Promise<SessionKeys | undefined> {
  const own = ephemeral();
  return new Promise((resolve) => {
    socket.once('message', (data: Buffer) => {
      const [other = '', proof = ''] = words(data);
      if (!verify(proof, said('answers', own.text, other), CONTEXT)) {
        resolve(undefined);
        return;
      }
      socket.send(mac(said('asks', own.text, other), CONTEXT));
      resolve(keysOf(own, other, true));
    });
    socket.send(own.text);
  });
}

/** The other half. `accepted` is called at once, because frames may follow; a stranger's socket is closed. */
export function answerLink(
  socket: WebSocket,
  { mac, verify }: Proofs,
  accepted: (keys: SessionKeys) => void,
): void {
  const own = ephemeral();
  socket.once('message', (asked: Buffer) => {
    const [other = ''] = words(asked);
    socket.once('message', (data: Buffer) => {
      const [proof = ''] = words(data);
      if (verify(proof, said('asks', other, own.text), CONTEXT))
        accepted(keysOf(own, other, false));
      else socket.terminate();
    });
    socket.send(`${own.text} ${mac(said('answers', other, own.text), CONTEXT)}`);
  });
}
