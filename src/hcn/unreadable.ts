import type { OnIgnored } from './document-members.ts';
import type { Guid, Kind } from './guid.ts';
import { describeObject } from './open-objects.ts';

/** Handles an object of a list that cannot be read: returns to leave it out, or throws. */
export type OnUnreadable = (error: unknown, kind: Kind, id: Guid) => undefined;

/** What is called about objects and members that cannot be read. */
export interface UnreadableEvents {
  /** Default: an object that cannot be read fails the whole list. */
  readonly onUnreadable?: OnUnreadable | undefined;
  /** Called once, with a sentence, for each member that cannot be read and counts as absent. */
  readonly onIgnored?: (text: string) => void;
}

/** Returns a callback that reports each unreadable member of a kind of object once, in a sentence. */
export function reportOnce(report: (text: string) => void): (kind: Kind, id: Guid) => OnIgnored {
  const reported = new Set<string>();
  return (kind, id) => (text, path) => {
    const member = `${kind} ${path}`;
    if (!reported.has(member)) report(`${describeObject(kind, id)}: ignored ${text}`);
    reported.add(member);
  };
}
