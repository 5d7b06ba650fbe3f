import { createHash, randomBytes } from 'node:crypto';
import { Integer, OctetString } from 'asn1js';
import { AlgorithmIdentifier, MessageImprint, TimeStampReq } from 'pkijs';

/** The object identifier of SHA-256. */
export const SHA256 = '2.16.840.1.101.3.4.2.1';

const NONCE_LENGTH = 8;

/** A number of 64 bits that nobody can guess, as a positive integer of full length. */
function newNonce(): Buffer {
  const nonce = randomBytes(NONCE_LENGTH);
  nonce[0] = ((nonce[0] ?? 0) & 0x3f) | 0x40;
  return nonce;
}

/** A request in DER, and the hex of its nonce. */
export interface StampRequest {
  readonly der: Uint8Array<ArrayBuffer>;
  readonly nonce: string;
}

/** The request for a stamp of the SHA-256 of a text, with the authority's certificate in the answer. */
export function stampRequest(text: string): StampRequest {
  const nonce = newNonce();
  const request = new TimeStampReq({
    version: 1,
    messageImprint: new MessageImprint({
      hashAlgorithm: new AlgorithmIdentifier({ algorithmId: SHA256 }),
      hashedMessage: new OctetString({
        valueHex: new Uint8Array(createHash('sha256').update(text).digest()).buffer,
      }),
    }),
    nonce: new Integer({ valueHex: new Uint8Array(nonce).buffer }),
    certReq: true,
  });
  return { der: new Uint8Array(request.toSchema().toBER(false)), nonce: nonce.toString('hex') };
}
