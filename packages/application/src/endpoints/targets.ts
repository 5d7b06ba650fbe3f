import type { Endpoint, EndpointId, EndpointTarget } from '@slipstream/domain';
import type { Core } from '../core.js';
import { openedIfReadable } from '../secrets/lost-key.js';

type Needs = Pick<Core, 'secretBox'>;

export const targetContext = (endpointId: EndpointId): string => `endpoint|${endpointId}`;

export const sealTarget = (
  { secretBox }: Needs,
  endpointId: EndpointId,
  target: EndpointTarget,
): string => secretBox.seal(JSON.stringify(target), targetContext(endpointId));

/** Where messages of the endpoint go; undefined when its master key was lost. */
export function openTarget(
  { secretBox }: Needs,
  { id, sealedTarget }: Pick<Endpoint, 'id' | 'sealedTarget'>,
): EndpointTarget | undefined {
  const plain = openedIfReadable(secretBox, sealedTarget, targetContext(id));
  return plain === undefined ? undefined : (JSON.parse(plain) as EndpointTarget);
}

/** The endpoint, which tells nothing from now on. */
export const disabled = (endpoint: Endpoint, statusReason: string): Endpoint => ({
  ...endpoint,
  status: 'disabled',
  statusReason,
});

/** An endpoint as its owner sees it. */
export interface EndpointView {
  readonly endpoint: Endpoint;
  /** Without secrets; null for a messenger without an address. */
  readonly url: string | null;
}

/** The last part of a Discord address is its secret. */
const withoutSecret = (url: string): string => url.replace(/[^/]+\/?$/, '…');

export function viewEndpoint(needs: Needs, endpoint: Endpoint): EndpointView {
  const target = openTarget(needs, endpoint);
  if (target?.kind === 'webhook') return { endpoint, url: target.url };
  if (target?.kind === 'discord') return { endpoint, url: withoutSecret(target.url) };
  return { endpoint, url: null };
}
