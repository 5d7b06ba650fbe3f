import { describe, expect, it } from './testing.js';
import { id } from '@slipstream/domain';
import type { Event, Events } from '@slipstream/ports';
import { NOON } from './builders/index.js';

const event = (n: number): Event => ({ kind: 'bot_deleted', botId: id(`bot-${n}`), at: NOON });
const nameOf = (heard: Event): string => (heard.kind === 'bot_deleted' ? heard.botId : heard.kind);

/** The rules on which the core's publishers and the streams rely. `open` returns an `Events` without listeners. */
export const eventsContract = (name: string, open: () => Events): void => {
  describe(`events contract: ${name}`, () => {
    it('delivers every later event to every listener, in the order of publishing', () => {
      const events = open();
      const [early, late]: [string[], string[]] = [[], []];
      events.publish(event(0));
      events.subscribe((heard) => early.push(nameOf(heard)));
      events.publish(event(1));
      events.subscribe((heard) => late.push(nameOf(heard)));
      events.publish(event(2));
      expect(early).toEqual(['bot-1', 'bot-2']);
      expect(late).toEqual(['bot-2']);
    });

    it('delivers nothing more to a listener that has left; the others continue', () => {
      const events = open();
      const [left, stayed]: [string[], string[]] = [[], []];
      const leave = events.subscribe((heard) => left.push(nameOf(heard)));
      events.subscribe((heard) => stayed.push(nameOf(heard)));
      events.publish(event(1));
      leave();
      leave();
      events.publish(event(2));
      expect(left).toEqual(['bot-1']);
      expect(stayed).toEqual(['bot-1', 'bot-2']);
    });

    it('treats two subscriptions of one function separately', () => {
      const events = open();
      const heard: string[] = [];
      const listener = (one: Event) => void heard.push(nameOf(one));
      const leave = events.subscribe(listener);
      events.subscribe(listener);
      leave();
      events.publish(event(1));
      expect(heard).toEqual(['bot-1']);
    });

    it('catches the error of a listener, and delivers to the others', () => {
      const events = open();
      const heard: string[] = [];
      events.subscribe(() => {
        throw new Error('a bad listener');
      });
      events.subscribe((one) => heard.push(nameOf(one)));
      expect(() => events.publish(event(1))).not.toThrow();
      events.publish(event(2));
      expect(heard).toEqual(['bot-1', 'bot-2']);
    });

    it('delivers in the same order to all listeners if one of them publishes', () => {
      const events = open();
      const [first, second]: [string[], string[]] = [[], []];
      events.subscribe((heard) => {
        first.push(nameOf(heard));
        if (nameOf(heard) === 'bot-1') events.publish(event(2));
      });
      events.subscribe((heard) => second.push(nameOf(heard)));
      events.publish(event(1));
      expect(first).toEqual(['bot-1', 'bot-2']);
      expect(second).toEqual(['bot-1', 'bot-2']);
    });

    it('stops at once for a listener that another one unsubscribes', () => {
      const events = open();
      const heard: string[] = [];
      const others: (() => void)[] = [];
      events.subscribe(() => others.forEach((leave) => leave()));
      others.push(events.subscribe((one) => heard.push(nameOf(one))));
      events.publish(event(1));
      expect(heard).toEqual([]);
    });
  });
};
