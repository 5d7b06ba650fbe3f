/** The paths of the pages. Any other path is not the dashboard's. */
export const PAGES = [
  '/',
  '/strategies/:id',
  '/my-strategies',
  '/new-strategy',
  '/bots',
  '/new-bot',
  '/bots/:id',
  '/inbox',
  '/account',
  '/sign-in',
  '/sign-up',
  '/confirm',
  '/reset-password',
  '/operator',
] as const;

export type PagePath = (typeof PAGES)[number];
