import { createHash } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Integer, ObjectIdentifier, OctetString, Utf8String } from 'asn1js';
import {
  AlgorithmIdentifier,
  Attribute,
  ContentInfo,
  EncapsulatedContentInfo,
  IssuerAndSerialNumber,
  MessageImprint,
  PKIStatus,
  PKIStatusInfo,
  SignedAndUnsignedAttributes,
  SignedData,
  SignerInfo,
  TSTInfo,
  TimeStampReq,
  TimeStampResp,
} from 'pkijs';
import type { Listening } from '../http.js';
import { type Identity, TIME_STAMPING, certify, pemOf } from './certificates.js';

const TST_INFO = '1.2.840.113549.1.9.16.1.4';
const SIGNED_DATA = '1.2.840.113549.1.7.2';
const CONTENT_TYPE = '1.2.840.113549.1.9.3';
const MESSAGE_DIGEST = '1.2.840.113549.1.9.4';
const CODE_SIGNING = '1.3.6.1.5.5.7.3.3';
const SHA256 = '2.16.840.1.101.3.4.2.1';
const POLICY = '1.2.3.4.1';
const YEAR = 365 * 86_400_000;

/** What may go wrong with one request. */
export type StampFault =
  /** The token repeats another number than the request's. */
  | 'wrong_nonce'
  | 'no_nonce'
  /** The token is of another hash. */
  | 'wrong_imprint'
  | 'rejected'
  /** The certificate had expired at the time in the token. */
  | 'expired'
  /** The certificate is for signing programs. */
  | 'wrong_purpose'
  | 'purpose_not_critical'
  /** The signature was made by another key than the certificate's. */
  | 'wrong_key'
  | 'dropped'
  | 'silent'
  | 'garbage'
  | 'too_long'
  | 'unavailable'
  | 'redirected';

/** A time-stamp authority with certificates of its own. */
export interface TimestampStandIn {
  /** The certificate of its CA, in PEM. */
  readonly ca: string;
  /** The next requests meet these faults, one each, and no earlier ones. */
  fail(...faults: readonly StampFault[]): void;
  /** The number of requests so far. */
  requests(): number;
  /** As `fetch`, without a socket. */
  readonly fetch: typeof fetch;
  /** Listens on this machine. */
  listen(): Promise<Listening>;
}

type Outcome = 'dropped' | 'silent' | { readonly status: number; readonly body: Uint8Array };

const bufferOf = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;

interface Identities {
  readonly good: Identity;
  readonly expired: Identity;
  readonly wrongPurpose: Identity;
  readonly notCritical: Identity;
}

async function identitiesOf(ca: Identity, now: number): Promise<Identities> {
  const fields = { name: 'Stand-in time stamps', from: now - YEAR, to: now + YEAR };
  const purpose = { usage: TIME_STAMPING, critical: true };
  return {
    good: await certify({ ...fields, serial: 2, purpose }, ca),
    expired: await certify({ ...fields, serial: 3, to: now - 1000, purpose }, ca),
    wrongPurpose: await certify(
      { ...fields, serial: 4, purpose: { ...purpose, usage: CODE_SIGNING } },
      ca,
    ),
    notCritical: await certify(
      { ...fields, serial: 5, purpose: { ...purpose, critical: false } },
      ca,
    ),
  };
}

async function signedToken(
  info: TSTInfo,
  signer: Identity,
  key: Identity,
  ca: Identity,
): Promise<ContentInfo> {
  const content = info.toSchema().toBER(false);
  const digest = createHash('sha256').update(new Uint8Array(content)).digest();
  const signed = new SignedData({
    version: 3,
    encapContentInfo: new EncapsulatedContentInfo({
      eContentType: TST_INFO,
      eContent: new OctetString({ valueHex: content }),
    }),
    signerInfos: [
      new SignerInfo({
        version: 1,
        sid: new IssuerAndSerialNumber({
          issuer: signer.certificate.issuer,
          serialNumber: signer.certificate.serialNumber,
        }),
        signedAttrs: new SignedAndUnsignedAttributes({
          type: 0,
          attributes: [
            new Attribute({
              type: CONTENT_TYPE,
              values: [new ObjectIdentifier({ value: TST_INFO })],
            }),
            new Attribute({
              type: MESSAGE_DIGEST,
              values: [new OctetString({ valueHex: bufferOf(digest) })],
            }),
          ],
        }),
      }),
    ],
    certificates: [signer.certificate, ca.certificate],
  });
  await signed.sign(key.keys.privateKey, 0, 'SHA-256', content);
  return new ContentInfo({ contentType: SIGNED_DATA, content: signed.toSchema(true) });
}

function nonceOf({ nonce }: TimeStampReq, fault: StampFault | undefined): Integer | undefined {
  if (fault === 'no_nonce') return undefined;
  return fault === 'wrong_nonce' ? new Integer({ value: 7 }) : nonce;
}

/** An authority whose CA and certificates are new. `now` is the time in its tokens. */
export async function timestampAuthority({
  now,
}: {
  readonly now: () => number;
}): Promise<TimestampStandIn> {
  const start = now();
  const ca = await certify({
    ...{ name: `Stand-in CA ${start}`, serial: 1, from: start - 2 * YEAR, to: start + 9 * YEAR },
  });
  const identities = await identitiesOf(ca, start);
  let faults: readonly StampFault[] = [];
  let requests = 0;

  const stamp = async (request: TimeStampReq, fault?: StampFault): Promise<TimeStampResp> => {
    const { good, expired, wrongPurpose, notCritical } = identities;
    const signers: { readonly [Fault in StampFault]?: Identity } = {
      expired,
      wrong_purpose: wrongPurpose,
      purpose_not_critical: notCritical,
    };
    const signer = (fault && signers[fault]) ?? good;
    const other = new MessageImprint({
      hashAlgorithm: new AlgorithmIdentifier({ algorithmId: SHA256 }),
      hashedMessage: new OctetString({ valueHex: new Uint8Array(32).buffer }),
    });
    const nonce = nonceOf(request, fault);
    const info = new TSTInfo({
      version: 1,
      policy: POLICY,
      messageImprint: fault === 'wrong_imprint' ? other : request.messageImprint,
      serialNumber: new Integer({ value: requests }),
      genTime: new Date(now()),
      ...(nonce && { nonce }),
    });
    return new TimeStampResp({
      status: new PKIStatusInfo({ status: PKIStatus.granted }),
      timeStampToken: await signedToken(info, signer, fault === 'wrong_key' ? expired : signer, ca),
    });
  };

  const answer = async (body: Uint8Array): Promise<Outcome> => {
    requests += 1;
    const [fault, ...later] = faults;
    faults = later;
    if (fault === 'dropped' || fault === 'silent') return fault;
    if (fault === 'garbage') return { status: 200, body: Buffer.from('<html>Please wait</html>') };
    if (fault === 'too_long') return { status: 200, body: Buffer.alloc(1_000_000) };
    if (fault === 'unavailable') return { status: 503, body: Buffer.from('later') };
    if (fault === 'redirected') return { status: 302, body: Buffer.alloc(0) };
    const response =
      fault === 'rejected'
        ? new TimeStampResp({
            status: new PKIStatusInfo({
              status: PKIStatus.rejection,
              statusStrings: [new Utf8String({ value: 'no more stamps today' })],
            }),
          })
        : await stamp(TimeStampReq.fromBER(bufferOf(body)), fault);
    return { status: 200, body: new Uint8Array(response.toSchema().toBER(false)) };
  };

  const reply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const outcome = await answer(await buffer(request));
    if (outcome === 'dropped') response.destroy();
    else if (outcome !== 'silent')
      response
        .writeHead(outcome.status, {
          'content-type': 'application/timestamp-reply',
          ...(outcome.status === 302 && { location: '/elsewhere' }),
        })
        .end(outcome.body);
  };

  return {
    ca: pemOf(ca),
    fail: (...next) => void (faults = next),
    requests: () => requests,
    fetch: async (_, init) => {
      const body = init?.body;
      if (!(body instanceof Uint8Array)) throw new TypeError('a request has a body of bytes');
      const outcome = await answer(body);
      if (outcome === 'dropped') throw new TypeError('fetch failed');
      if (outcome !== 'silent')
        return new Response(new Uint8Array(outcome.body), { status: outcome.status });
      const signal = init?.signal;
      return new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      });
    },
    async listen() {
      const server = createServer((request, response) => {
        reply(request, response).catch(() => response.destroy());
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      return {
        url: `http://127.0.0.1:${port}`,
        close: () =>
          new Promise((resolve) => {
            server.close(() => resolve());
            server.closeAllConnections();
          }),
      };
    },
  };
}
