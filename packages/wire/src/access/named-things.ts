/** As ids made here look: a token, or whatever else was pasted in the wrong place, does not. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What a request names, as `kind:id`: its `strategy_id`, `bot_id`, `strategy_ids`, … For records that must hold no secret. */
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
