import { createHash, X509Certificate } from 'node:crypto';
import type { TimeStamp, Timestamp } from '@slipstream/domain';
import { StampFailed } from '@slipstream/ports';
import { Certificate, ContentInfo, type ExtKeyUsage, SignedData, TSTInfo } from 'pkijs';
import { SHA256 } from './request.js';

const SIGNED_DATA = '1.2.840.113549.1.7.2';
const TST_INFO = '1.2.840.113549.1.9.16.1.4';
const EXTENDED_KEY_USAGE = '2.5.29.37';
const TIME_STAMPING = '1.3.6.1.5.5.7.3.8';

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const bytesOf = (data: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(data);

/** The result of a library that throws at what it cannot read. */
function read<Result>(what: string, reading: () => Result): Result {
  try {
    return reading();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StampFailed(`${what} cannot be read: ${reason}`);
  }
}

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

const certificateOf = (der: Uint8Array): Certificate =>
  read('a certificate', () => Certificate.fromBER(bytesOf(der)));

/** The certificates of a file in PEM, in DER. @throws {StampFailed} when it has none, or one that cannot be read. */
export function readCertificates(pem: string): Uint8Array[] {
  const found = pem.match(PEM) ?? [];
  if (found.length === 0) throw new StampFailed('the file has no certificate in PEM');
  return found.map((one) => {
    const { raw } = read('a certificate', () => new X509Certificate(one));
    certificateOf(raw);
    return raw;
  });
}

interface Token {
  readonly signed: SignedData;
  readonly info: TSTInfo;
}

function tokenOf(base64: string): Token {
  return read('its token', () => {
    const content = ContentInfo.fromBER(bytesOf(Buffer.from(base64, 'base64')));
    if (content.contentType !== SIGNED_DATA) throw new Error('it is not signed');
    const signed = new SignedData({ schema: content.content });
    const { eContentType, eContent } = signed.encapContentInfo;
    if (eContentType !== TST_INFO || !eContent) throw new Error('it is no time stamp');
    return { signed, info: TSTInfo.fromBER(eContent.getValue()) };
  });
}

/** Why the certificate may not sign time stamps (RFC 3161, 2.3); undefined when it may. */
function purposeFault(certificate: Certificate): string | undefined {
  const usage = certificate.extensions?.find(({ extnID }) => extnID === EXTENDED_KEY_USAGE);
  const purposes = (usage?.parsedValue as ExtKeyUsage | undefined)?.keyPurposes ?? [];
  const isMade = purposes.length === 1 && purposes[0] === TIME_STAMPING && usage?.critical === true;
  return isMade ? undefined : 'its certificate is not made for time stamps alone';
}

function contentFault({ info }: Token, text: string, nonce: string): string | undefined {
  const { hashAlgorithm, hashedMessage } = info.messageImprint;
  if (hashAlgorithm.algorithmId !== SHA256) return 'its imprint is not a SHA-256';
  const imprint = createHash('sha256').update(text).digest('hex');
  if (hexOf(hashedMessage.valueBlock.valueHexView) !== imprint) return 'it is of something else';
  const answered = info.nonce && hexOf(info.nonce.valueBlock.valueHexView);
  return answered === nonce ? undefined : 'it answers another request (its nonce differs)';
}

const isFault = (error: unknown): error is { readonly message: string } =>
  typeof error === 'object' && error !== null && 'message' in error;

/** The certificate that signed the token, after its signature and, with `trusted`, its chain were checked for the time in the token. */
async function signerOf(
  { signed }: Token,
  text: string,
  trusted: readonly Uint8Array[] | undefined,
): Promise<Certificate> {
  const [signer, another] = signed.signerInfos;
  if (!signer?.signedAttrs || another) throw new StampFailed('it is not signed by one authority');
  try {
    const verdict = await signed.verify({
      signer: 0,
      data: new Uint8Array(Buffer.from(text)).buffer,
      trustedCerts: (trusted ?? []).map(certificateOf),
      checkChain: trusted !== undefined,
      // Authorities put no lists of revoked certificates into their tokens.
      passedWhenNotRevValues: true,
      extendedMode: true,
    });
    if (verdict.signatureVerified && verdict.signerCertificate) return verdict.signerCertificate;
  } catch (error) {
    throw new StampFailed(isFault(error) ? error.message : String(error));
  }
  throw new StampFailed('its signature is wrong');
}

/**
 * Checks that a token is of this text and answers the request with this nonce, and that its certificate was valid at that time and is
 * for time stamps. With `trusted` it also checks that one of these certificates issued it. Answers the time in the token.
 * @throws {StampFailed} with the reason.
 */
export async function checkStamp(
  { token: base64, nonce }: Pick<TimeStamp, 'token' | 'nonce'>,
  text: string,
  trusted?: readonly Uint8Array[],
): Promise<Timestamp> {
  const token = tokenOf(base64);
  const fault = contentFault(token, text, nonce);
  if (fault !== undefined) throw new StampFailed(fault);
  const certificate = await signerOf(token, text, trusted);
  const wrongPurpose = purposeFault(certificate);
  if (wrongPurpose !== undefined) throw new StampFailed(wrongPurpose);
  const { genTime } = token.info;
  const isValid = genTime >= certificate.notBefore.value && genTime <= certificate.notAfter.value;
  if (!isValid) throw new StampFailed('its certificate was not valid at its time');
  return genTime.getTime();
}
