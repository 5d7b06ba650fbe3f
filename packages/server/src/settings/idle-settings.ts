/** What alone makes each of these settings count. */
const NEEDS = {
  PUSH_TRUSTED: { name: 'MARKET', value: /^push$/, like: 'MARKET=push' },
  REPLAY_FILES: { name: 'MARKET', value: /^replay$/, like: 'MARKET=replay' },
  REPLAY_SPEED: { name: 'MARKET', value: /^replay$/, like: 'MARKET=replay' },
  DEMO_SEED: { name: 'MARKET', value: /^(demo)?$/, like: 'MARKET=demo' },
  LEASE_SECONDS: {
    name: 'DATABASE_URL',
    value: /^postgres(ql)?:/,
    like: 'a DATABASE_URL of PostgreSQL',
  },
} as const;

/** A line for each setting that has no effect beside the others. For after `readSettings`, which refuses where something must be done. */
export function idleSettings(environment: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(NEEDS).flatMap(([setting, { name, value, like }]) =>
    !environment[setting] || value.test(environment[name] ?? '')
      ? []
      : [`${setting} has no effect: it needs ${like}.`],
  );
}
