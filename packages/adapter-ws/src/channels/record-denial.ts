import { isIP } from 'node:net';
import type { Caller } from '@slipstream/application';
import { type Refusal, isDenial } from '@slipstream/domain';
import { CHANNELS, type ClientFrame, namedThings, parseChannel } from '@slipstream/wire';
import type { StreamedApplication } from '../streamed-application.js';

/** The caller, the request and its source. */
interface Asked {
  readonly caller: Caller;
  readonly address: string;
  /** The frame; none at an upgrade, which authenticates. */
  readonly frame?: ClientFrame | undefined;
  readonly requestId?: string | null;
}

const namedBy = (channel: string): string[] => {
  const { kind, id } = parseChannel(channel) ?? {};
  return kind === undefined ? [] : namedThings({ [CHANNELS[kind].parameter]: id });
};

/** Records in the audit log a refusal that denied a client access. */
export function recordDenial(
  { requests }: Pick<StreamedApplication, 'requests'>,
  { caller, address, frame, requestId = null }: Asked,
  refusal: Refusal,
): void {
  if (!isDenial(refusal)) return;
  const origin = {
    action: frame?.action ?? 'authenticate',
    ip: isIP(address) ? address : null,
    requestId,
  };
  const objects = frame && 'channels' in frame ? frame.channels.flatMap(namedBy) : [];
  requests.denied(caller, origin, { code: refusal.code, objects });
}
