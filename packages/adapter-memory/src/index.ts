export * from './storage/unit-of-work.js';
