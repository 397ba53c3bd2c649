import { printable } from './output.ts';
import type { Session } from './session.ts';

/** Shows on stderr what a command is waiting for, and for how long. */
export interface Progress {
  /** Starts a new activity, such as `waiting for the adapter`. */
  start(activity: string): void;
  /** Ends the current activity. */
  end(): void;
}

/** Seconds between two lines if stderr is not a terminal. */
const plainSeconds = 5;

/** On a terminal, one line that counts seconds; elsewhere a line at the start and one every five seconds. */
export function newProgress({ system, terminal, status, printStderr }: Session): Progress {
  const { timer, now } = system;
  const { stderrWidth: width } = terminal;
  let stop = (): void => undefined;

  const show = (what: string, seconds: number): void => {
    const count = `: ${seconds} s`;
    if (width !== undefined)
      status.show('activity', `${what.slice(0, Math.max(0, width - 1 - count.length))}${count}`);
    else if (seconds === 0) printStderr(what);
    else if (seconds % plainSeconds === 0) printStderr(`${what}${count}`);
  };
  return {
    start: (activity) => {
      const what = printable(activity);
      stop();
      const started = now();
      let seconds = 0;
      const tick = (): { readonly cancel: () => void } =>
        timer(started + (seconds + 1) * 1000 - now(), () => {
          seconds += 1;
          show(what, seconds);
          ticking = tick();
        });
      show(what, seconds);
      let ticking = tick();
      stop = () => {
        ticking.cancel();
        status.end();
        stop = () => undefined;
      };
    },
    end: () => stop(),
  };
}
