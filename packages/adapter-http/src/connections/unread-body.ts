import type { IncomingMessage, ServerResponse } from 'node:http';

/** Whether a part of the request's body is still to come. */
const isUnfinished = ({ complete, headers }: IncomingMessage): boolean =>
  !complete &&
  (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0);

/**
 * Makes an answer to a request whose body is still coming the last one of its connection. A proxy whose client leaves in the middle of
 * its body may send another client's request next, which would be taken for the rest of that body.
 */
export function endAfterUnreadBody(response: ServerResponse): void {
  const { req: request, socket } = response;
  if (!socket || !isUnfinished(request)) return;
  response.shouldKeepAlive = false;
  // The rest is read all the same: a sender who is cut off before it has sent all of it may not read the answer.
  const destroySoon = socket.destroySoon.bind(socket);
  socket.destroySoon = () => {
    if (request.readableEnded) return destroySoon();
    socket.end();
    request.once('end', destroySoon).resume();
  };
}
