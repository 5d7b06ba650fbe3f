import type { TimeStamp } from '@slipstream/domain';
import { StampFailed, type TimestampAuthority } from '@slipstream/ports';
import { PKIStatus, TimeStampResp } from 'pkijs';
import { checkStamp } from './check-stamp.js';
import { stampRequest } from './request.js';

/** How long an authority may take, in milliseconds. */
const TIMEOUT = 10_000;
/** The largest answer, in bytes: a token with its certificates has a few thousand. */
const LARGEST = 100_000;

export interface AuthorityOptions {
  /** The address that takes requests; http or https: the token itself is signed. */
  readonly url: string;
  /** Milliseconds; 10,000 by default. */
  readonly timeout?: number;
  readonly fetch?: typeof fetch;
}

async function bodyOf(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    length += part.length;
    if (length > LARGEST) throw new StampFailed('its answer is too long');
    parts.push(part);
  }
  return new Uint8Array(Buffer.concat(parts));
}

/** The token of an answer, in base64. */
function tokenOf(body: Uint8Array<ArrayBuffer>): string {
  let answer: TimeStampResp;
  try {
    answer = TimeStampResp.fromBER(body);
  } catch {
    throw new StampFailed('its answer is not one of RFC 3161');
  }
  const { status, timeStampToken } = answer;
  const isGranted =
    status.status === PKIStatus.granted || status.status === PKIStatus.grantedWithMods;
  if (isGranted && timeStampToken)
    return Buffer.from(timeStampToken.toSchema().toBER(false)).toString('base64');
  const words = (status.statusStrings ?? []).map(({ valueBlock }) => valueBlock.value).join(' ');
  throw new StampFailed(
    `it rejected the request (status ${status.status})${words && `: ${words.slice(0, 200)}`}`,
  );
}

/** The errors of `fetch` say why only in their causes; of several addresses that were tried each has its own, and theirs no words. */
function reasonOf(error: unknown): string {
  const { cause } = error as Error;
  // Those of `fetch` may be errors of another realm than this one's.
  const told = (typeof cause === 'object' && cause ? cause : error) as NodeJS.ErrnoException;
  return told.message || (told.code ?? told.name);
}

/** A time-stamp authority that speaks RFC 3161 over HTTP. */
export function rfc3161Authority(options: AuthorityOptions): TimestampAuthority {
  const { url, timeout = TIMEOUT, fetch: request = fetch } = options;

  const answerTo = async (der: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> => {
    try {
      const response = await request(url, {
        method: 'POST',
        headers: { 'content-type': 'application/timestamp-query' },
        body: der,
        redirect: 'error',
        signal: AbortSignal.timeout(timeout),
      });
      if (response.status !== 200) {
        await response.body?.cancel();
        throw new StampFailed(`it answered with status ${response.status}`);
      }
      return await bodyOf(response);
    } catch (error) {
      if (error instanceof StampFailed) throw error;
      throw new StampFailed(`it did not answer: ${reasonOf(error)}`);
    }
  };

  return {
    async stamp(text): Promise<TimeStamp> {
      const { der, nonce } = stampRequest(text);
      const token = tokenOf(await answerTo(der));
      return { token, nonce, at: await checkStamp({ token, nonce }, text) };
    },
  };
}
