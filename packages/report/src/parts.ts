import type { JSX } from 'preact';

/** The parts of a page, each a step of some milliseconds; nothing after a step of its own. */
export type Parts = Generator<JSX.Element | undefined, void, undefined>;
