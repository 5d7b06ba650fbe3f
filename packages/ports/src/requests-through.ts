/** Sends a request of that name by `ask`, or does not; the answer of a port that throws at once is a rejected one. */
export type Sending = (
  request: string,
  ask: () => Promise<unknown>,
  given: readonly unknown[],
) => Promise<unknown>;

/**
 * The same port, whose requests are sent by `send`. A proxy and not a copy: hosts bring adapters of their own, which may be objects of
 * classes with private parts. It stands over an object that has nothing itself, because a frozen adapter would allow no other members.
 */
export function requestsThrough<Port extends object>(
  port: Port,
  requests: readonly string[],
  send: Sending,
): Port {
  const sent: ReadonlySet<PropertyKey> = new Set(requests);
  return new Proxy(Object.create(port) as Port, {
    get(_, name): unknown {
      const member: unknown = Reflect.get(port, name, port);
      if (typeof member !== 'function') return member;
      if (!sent.has(name)) return member.bind(port) as unknown;
      return (...given: readonly unknown[]) =>
        send(
          String(name),
          async () => Reflect.apply(member, port, given) as Promise<unknown>,
          given,
        );
    },
  });
}
