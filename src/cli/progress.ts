import { printable } from './printable.ts';
import type { Session } from './session.ts';

/** Tells on stderr what is awaited and for how many seconds so far. */
export interface Progress {
  /** What is awaited from now on, such as `waiting for the adapter`. */
  await(what: string): void;
  /** Nothing is any more. */
  end(): void;
}

/** How often somebody is told who reads lines and not a terminal. */
const plainSeconds = 5;

/** On a terminal a line that counts; elsewhere a line when it begins, and one every five seconds. */
export function newProgress({ system, terminal, printStderr }: Session): Progress {
  const { timer, now } = system;
  const { stderrWidth: width } = terminal;
  let stop = (): void => undefined;

  const show = (what: string, seconds: number): void => {
    const count = `: ${seconds} s`;
    if (width !== undefined)
      system.writeStderr(`\r${what.slice(0, Math.max(0, width - 1 - count.length))}${count}`);
    else if (seconds === 0) printStderr(what);
    else if (seconds % plainSeconds === 0) printStderr(`${what}${count}`);
  };
  return {
    await: (awaited) => {
      const what = printable(awaited);
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
        if (width !== undefined) printStderr('');
        stop = () => undefined;
      };
    },
    end: () => stop(),
  };
}
