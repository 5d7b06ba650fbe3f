/** Each sample moved its day in this index, which was read once a day. */
export const daysByStrategy = 'DROP INDEX value_days_unrecorded;';
