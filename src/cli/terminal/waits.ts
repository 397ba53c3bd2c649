import type { OnCall } from '../../hcn/deadline.ts';
import type { System } from '../../system.ts';
import { callText, type LimitedCall } from './call-text.ts';
import type { StatusLine } from './status-line.ts';

/** A call that takes longer is shown. */
const slowMilliseconds = 2000;
/** Between two lines if stderr is not a terminal: each of hundreds of calls may be slow. */
const pauseMilliseconds = 10_000;

type Clock = Pick<System, 'timer' | 'now'>;

/** Prints on stderr what a command waits for, and for how long at most, once a call takes two seconds. */
export function printWaits({ timer, now }: Clock, printStderr: (text: string) => void): OnCall {
  let printed = Number.NEGATIVE_INFINITY;
  return (call, limit) => {
    const announce = (): void => {
      const rest = printed + pauseMilliseconds - now();
      if (rest > 0) {
        next = timer(rest, announce);
        return;
      }
      printed = now();
      printStderr(`${waitText(call, limit)}...`);
    };
    let next = timer(slowMilliseconds, announce);
    return () => next.cancel();
  };
}

/** The same on a terminal: one line that counts seconds, for the call that is slow for the longest time. */
export function showWaits({ timer, now }: Clock, status: StatusLine): OnCall {
  const slow = new Set<LimitedCall>();
  return (call, limit) => {
    const started = now();
    const show = (): void => {
      slow.add(call);
      const seconds = Math.round((now() - started) / 1000);
      const [first] = slow;
      if (first === call) status.show('wait', `${waitText(call, limit)}: ${seconds} s`);
      next = timer(started + (seconds + 1) * 1000 - now(), show);
    };
    let next = timer(slowMilliseconds, show);
    return () => {
      next.cancel();
      if (slow.delete(call)) status.show('wait', undefined);
    };
  };
}

/** As in `waiting for HNS to list endpoints (HcnEnumerateEndpoints), up to 30 s`. */
function waitText(call: LimitedCall, limit: number): string {
  const action = callText(call);
  const what = action === undefined ? call.name : `waiting for HNS to ${action} (${call.name})`;
  return `${what}, up to ${Math.ceil(limit / 100) / 10} s`;
}
