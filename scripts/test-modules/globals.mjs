// What stands for '@jest/globals' in a file of tests.
export const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } = globalThis;
