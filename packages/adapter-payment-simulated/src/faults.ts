import { PaymentUnreachable } from '@slipstream/ports';

/** The faults of a request: it never reaches the gateway, or the gateway executes it and the answer is lost. */
export type GatewayFault = 'lost_request' | 'lost_answer';
/** The requests of the gateway that can meet a fault. */
export type GatewayMethod = 'link' | 'charge' | 'refund' | 'payOut';

/** Scripted faults: each one affects one call of its method, in order. */
export interface GatewayFaults {
  on(method: GatewayMethod, ...faults: readonly GatewayFault[]): void;
  take(method: GatewayMethod): GatewayFault | undefined;
}

/** No faults until a test orders some. */
export function gatewayFaults(): GatewayFaults {
  const ordered = new Map<GatewayMethod, GatewayFault[]>();
  return {
    on: (method, ...faults) =>
      void ordered.set(method, [...(ordered.get(method) ?? []), ...faults]),
    take: (method) => ordered.get(method)?.shift(),
  };
}

/** Runs the work with the next fault. */
export async function withFault<T>(
  faults: GatewayFaults | undefined,
  method: GatewayMethod,
  work: () => T,
): Promise<T> {
  const fault = faults?.take(method);
  if (fault === 'lost_request') throw new PaymentUnreachable('the request was lost');
  const answer = work();
  if (fault === 'lost_answer') throw new PaymentUnreachable('the answer was lost');
  return answer;
}
