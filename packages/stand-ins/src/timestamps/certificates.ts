import { webcrypto } from 'node:crypto';
import { BitString, Integer, PrintableString } from 'asn1js';
import {
  AttributeTypeAndValue,
  BasicConstraints,
  Certificate,
  ExtKeyUsage,
  Extension,
  type RelativeDistinguishedNames,
} from 'pkijs';

const COMMON_NAME = '2.5.4.3';
const BASIC_CONSTRAINTS = '2.5.29.19';
const KEY_USAGE = '2.5.29.15';
const EXTENDED_KEY_USAGE = '2.5.29.37';
export const TIME_STAMPING = '1.3.6.1.5.5.7.3.8';

/** A certificate with its private key. */
export interface Identity {
  readonly certificate: Certificate;
  readonly keys: webcrypto.CryptoKeyPair;
}

const newKeys = (): Promise<webcrypto.CryptoKeyPair> =>
  webcrypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']);

const nameInto = (names: RelativeDistinguishedNames, name: string): void => {
  const value = new PrintableString({ value: name });
  names.typesAndValues.push(new AttributeTypeAndValue({ type: COMMON_NAME, value }));
};

const extension = (
  extnID: string,
  critical: boolean,
  value: { toSchema(): { toBER(sizeOnly?: boolean): ArrayBuffer } },
): Extension => new Extension({ extnID, critical, extnValue: value.toSchema().toBER(false) });

/** What a certificate says. Times are in milliseconds since 1970. */
export interface CertificateFields {
  readonly name: string;
  readonly serial: number;
  readonly from: number;
  readonly to: number;
  /** The extended key usage, and whether it is critical; a CA has none. */
  readonly purpose?: { readonly usage: string; readonly critical: boolean };
}

/** A new certificate, signed by its issuer; without one it is a CA that signs itself. */
export async function certify(fields: CertificateFields, issuer?: Identity): Promise<Identity> {
  const keys = await newKeys();
  const certificate = new Certificate();
  certificate.version = 2;
  certificate.serialNumber = new Integer({ value: fields.serial });
  nameInto(certificate.subject, fields.name);
  if (issuer) certificate.issuer = issuer.certificate.subject;
  else nameInto(certificate.issuer, fields.name);
  certificate.notBefore.value = new Date(fields.from);
  certificate.notAfter.value = new Date(fields.to);
  const constraints = new BasicConstraints({ cA: issuer === undefined });
  // Signing certificates, or signing other data.
  const bits = new Uint8Array([issuer ? 0xc0 : 0x06]).buffer;
  const uses = new BitString({ valueHex: bits, unusedBits: issuer ? 6 : 1 });
  certificate.extensions = [
    extension(BASIC_CONSTRAINTS, true, constraints),
    extension(KEY_USAGE, true, { toSchema: () => uses }),
  ];
  if (fields.purpose) {
    const { usage, critical } = fields.purpose;
    const purposes = new ExtKeyUsage({ keyPurposes: [usage] });
    certificate.extensions.push(extension(EXTENDED_KEY_USAGE, critical, purposes));
  }
  await certificate.subjectPublicKeyInfo.importKey(keys.publicKey);
  await certificate.sign((issuer?.keys ?? keys).privateKey, 'SHA-256');
  return { certificate, keys };
}

function pem(what: string, bytes: ArrayBuffer): string {
  const lines =
    Buffer.from(bytes)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${what}-----`, ...lines, `-----END ${what}-----`, ''].join('\n');
}

/** The certificate as a file has it. */
export const pemOf = ({ certificate }: Identity): string =>
  pem('CERTIFICATE', certificate.toSchema(true).toBER(false));

/** What a server of https needs, and what its clients trust; each as a file has it. */
export interface LocalIdentity {
  readonly certificate: string;
  readonly key: string;
  readonly authority: string;
}

/** A certificate of `localhost` by an authority of its own, valid between those times. */
export async function localIdentity(from: number, to: number): Promise<LocalIdentity> {
  const authority = await certify({ name: 'Test authority', serial: 1, from, to });
  const own = await certify({ name: 'localhost', serial: 2, from, to }, authority);
  return {
    certificate: pemOf(own),
    key: pem('PRIVATE KEY', await webcrypto.subtle.exportKey('pkcs8', own.keys.privateKey)),
    authority: pemOf(authority),
  };
}
