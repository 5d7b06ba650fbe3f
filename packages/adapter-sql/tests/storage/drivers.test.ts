import { describe, expect, it } from '@jest/globals';
import { notInstalled } from '../../src/storage/connection.js';

describe('a driver of SQLite that is not installed', () => {
  it('asks for another installation where an older Node made the first one', () => {
    expect(notInstalled('better-sqlite3-napi')).toBe(
      `better-sqlite3-napi is not installed: the packages were installed by a Node before 22.14; install them again with this one (${process.version})`,
    );
  });

  it('names what compiling it needs, where it is compiled', () => {
    expect(notInstalled('better-sqlite3')).toBe(
      'better-sqlite3 is not installed: before Node 22.14 npm compiles it, which needs python3, make and g++; then install again',
    );
  });
});
