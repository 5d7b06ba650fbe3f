export * from './child-program.js';
