/** Settings of a server that refuses no load. */
export const WITHOUT_LIMITS = {
  RATE_LIMITS: 'reads=100000000,writes=100000000,alerts=100000000,failures=100000000',
  CONNECTION_LIMITS: 'total=100000,address=100000,streams=100000,user=100000,anonymous=100000',
  CAPS: 'strategies=100000,alerts=100000000',
};
