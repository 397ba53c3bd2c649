import { type Session, unbounded } from '../session.ts';
import type { View } from './view.ts';

/** Shows a view and the changes since the last one. With a `failure`, `view` is the last one that could be read. */
type Display = (view: View | undefined, failure: string | undefined, changes: readonly string[]) => void;

/** In a terminal each view replaces the last one. Elsewhere a view is printed when something has changed. */
export function newDisplay(command: string, seconds: number, session: Session): Display {
  return Number.isFinite(session.width) ? screenDisplay(command, seconds, session) : logDisplay(session);
}

/** How many changes stay on the screen. */
const changesKept = 10;

function screenDisplay(command: string, seconds: number, session: Session): Display {
  const { style } = session;
  let changes: readonly string[] = [];
  let lastRead = '';
  return (view, failure, latest) => {
    const time = timeOf(session);
    changes = [...changes, ...latest.map((change) => `${time} ${change}`)].slice(-changesKept);
    if (failure === undefined) lastRead = time;
    const heading = style('bold', `Every ${seconds} s: win-hcn ${command}, at ${time} (Ctrl+C to exit)`);
    const isOutdated = failure !== undefined && view !== undefined;
    const body = view?.text === undefined ? [] : [[view.text(resized(session)), ...view.warnings].join('\n')];
    session.redraw(
      [
        heading,
        ...(failure === undefined ? [] : [style('red', failure)]),
        ...(isOutdated ? [style('dim', `Last result, from ${lastRead}:`)] : []),
        ...body,
        ...(changes.length === 0
          ? []
          : [[style('bold', 'changes'), ...changes.map((change) => colored(change, session))].join('\n')]),
      ].join('\n\n'),
    );
  };
}

function logDisplay(session: Session): Display {
  let isFirst = true;
  return (view, failure, changes) => {
    if (!isFirst && changes.length === 0) return;
    const isShown = failure === undefined && view?.text !== undefined;
    const body = isShown ? ['', view.text(unbounded(session)), ...view.warnings] : [];
    session.print([...(isFirst ? [] : ['']), timeOf(session), ...changes, ...body].join('\n'));
    isFirst = false;
  };
}

/** The session with the terminal's current width. */
function resized(session: Session): Session {
  return { ...session, width: session.terminal.width ?? session.width };
}

const colors: Readonly<Record<string, 'green' | 'red' | 'yellow'>> = {
  '+': 'green',
  '-': 'red',
  '~': 'yellow',
  '!': 'red',
};

/** Colors a line `<time> <mark> <text>` by its mark. */
function colored(line: string, { style }: Session): string {
  const color = colors[line.split(' ', 2)[1] ?? ''];
  return color === undefined ? line : style(color, line);
}

/** Returns the time of day on the node's clock. */
function timeOf({ system }: Session): string {
  return system.clock().toTimeString().slice(0, 8);
}
