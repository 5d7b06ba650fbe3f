type Place = 'localStorage' | 'sessionStorage';

/** What the browser keeps by a name; nothing where the reader forbids it. */
export function kept(place: Place, name: string): string | null {
  try {
    return window[place].getItem(name);
  } catch {
    return null;
  }
}

/** Keeps a text instead of what was there, or nothing. Where the reader forbids it, or has no room, it holds for this page alone. */
export function keep(place: Place, name: string, text?: string): void {
  try {
    window[place].removeItem(name);
    if (text !== undefined) window[place].setItem(name, text);
  } catch {
    // Nothing is there now.
  }
}

/** What pages of this service tell each other in the same browser; nobody hears it where the reader forbids to keep anything. */
export function channel(name: string): BroadcastChannel {
  try {
    return new BroadcastChannel(name);
  } catch {
    // A port without another end has all of it that is used here.
    return new MessageChannel().port1 as unknown as BroadcastChannel;
  }
}
