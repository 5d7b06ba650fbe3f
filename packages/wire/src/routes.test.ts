import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { type OperationName, fileType, operations, takesArray } from './index.js';
import { type Route, isFile, routes } from './routes.js';

/** The route as the operation's row says it. */
function routeOf(name: OperationName): Route {
  const row = operations[name];
  const { method, path, auth, takesIdempotencyKey, request } = row;
  const parameters =
    method === 'GET' && request instanceof z.ZodObject ? Object.keys(request.shape) : [];
  const isAlways = fileType(row, {}) !== undefined;
  const isCsv = fileType(row, { format: 'csv' }) !== undefined;
  return {
    name,
    path,
    method,
    isKeyed: takesIdempotencyKey,
    isTokenInBody: auth === 'body',
    arrays: parameters.filter((parameter) => takesArray(row, parameter)),
    file: isAlways ? 'always' : isCsv ? 'csv' : undefined,
  };
}

describe('the routes', () => {
  it('are exactly those of the operations, in the same order', () => {
    const names = Object.keys(operations) as OperationName[];
    expect(routes()).toEqual(names.map(routeOf));
    expect(routes().map(({ name }) => name)).toEqual(names);
  });

  it('say of every request whether its answer is a file', () => {
    for (const route of routes())
      for (const request of [{}, { format: 'json' }, { format: 'csv' }])
        expect(isFile(route, request)).toBe(
          fileType(operations[route.name], request) !== undefined,
        );
  });
});
