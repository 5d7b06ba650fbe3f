/** The fields of `next` that differ from what they are now. */
export const changedOf = <Fields extends object>(now: Fields, next: Fields): Partial<Fields> =>
  Object.fromEntries(
    Object.entries(next).filter(
      ([name, field]) => JSON.stringify(field) !== JSON.stringify(now[name as keyof Fields]),
    ),
  ) as Partial<Fields>;
