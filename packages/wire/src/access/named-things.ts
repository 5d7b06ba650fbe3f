/** The form of ids made here, which a token or other pasted text does not have. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The ids in a request as `kind:id`: its `strategy_id`, `bot_id`, `strategy_ids`, … For records that must contain no secret. */
export function namedThings(request: unknown): string[] {
  if (typeof request !== 'object' || request === null) return [];
  return Object.entries(request).flatMap(([field, value]) => {
    const [, kind] = /^(\w+)_ids?$/.exec(field) ?? [];
    if (kind === undefined) return [];
    return [value]
      .flat()
      .filter((id): id is string => typeof id === 'string' && UUID.test(id))
      .map((id) => `${kind}:${id}`);
  });
}
