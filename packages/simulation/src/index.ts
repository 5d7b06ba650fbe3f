export * from './story.js';
export * from './violation.js';
export type { Coverage } from './coverage.js';
export type { Bug } from './bugs/bug.js';
export { type Run, runStory } from './run-story.js';
export * from './search.js';
export { stories } from './generate/stories.js';
export { bugs } from './bugs/index.js';
export { inWords } from './words.js';
