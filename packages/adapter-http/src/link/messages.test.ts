import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FrameBuilder, type Message, messagesOf } from './messages.js';

/** What each channel gets, in order, and every other message. */
function received(frames: readonly Buffer[]) {
  const bytes = new Map<number, string>();
  const words: Message[] = [];
  for (const frame of frames)
    for (const [message, body] of messagesOf(frame)) {
      if (message[0] !== 'data') words.push(message);
      else for (const id of message[1]) bytes.set(id, (bytes.get(id) ?? '') + String(body));
    }
  return { bytes, words };
}

describe('messages in one frame', () => {
  const texts = ['', 'a', 'bé', 'c'.repeat(300)].map((text) => Buffer.from(text));
  const step = fc.record({
    channel: fc.integer({ min: 1, max: 4 }),
    text: fc.integer({ min: 0, max: texts.length - 1 }),
    ends: fc.boolean(),
  });

  it('bring each channel its bytes in order, however they were put together', () => {
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const builder = new FrameBuilder();
        const expected = new Map<number, string>();
        const words: Message[] = [];
        for (const { channel, text, ends } of steps) {
          const body = texts[text] ?? Buffer.alloc(0);
          builder.add(['data', [channel]], body);
          expected.set(channel, (expected.get(channel) ?? '') + String(body));
          if (!ends) continue;
          words.push(['credit', channel, text]);
          builder.add(['credit', channel, text], Buffer.alloc(0));
        }
        const got = received([builder.take()]);
        expect(got).toEqual({ bytes: expected, words });
      }),
    );
  });

  it('have the bytes for many channels once', () => {
    const builder = new FrameBuilder();
    const text = Buffer.from('x'.repeat(1_000));
    for (let id = 1; id <= 100; id += 1) builder.add(['data', [id]], text);
    const frame = builder.take();
    expect(frame.length).toBeLessThan(1_500);
    expect(received([frame]).bytes.size).toBe(100);
  });
});
