/** Where the reader wanted to go before a sign-in, if it is a path of these pages; else the list of strategies. */
export const wayBack = (to: string | undefined): string =>
  to !== undefined && /^\/(?![/\\])\S*$/.test(to) ? to : '/';

/** A page that leads on to `to`. */
export const leadingTo = (page: string, to: string): string =>
  to === '/' ? page : `${page}?to=${encodeURIComponent(to)}`;
