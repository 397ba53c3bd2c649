import { type Session, unbounded } from '../session.ts';
import type { View } from './view.ts';

/** Shows a view, or the last one there was with why there is no newer one; `changes` are lines about what is new. */
type Show = (view: View | undefined, failure: string | undefined, changes: readonly string[]) => void;

/** In a terminal each look takes the place of the last one. Elsewhere one is printed when there is a change. */
export function newPicture(what: string, seconds: number, session: Session): Show {
  return Number.isFinite(session.width) ? onTerminal(what, seconds, session) : asLog(session);
}

/** How many changes stay on the screen. */
const remembered = 10;

function onTerminal(what: string, seconds: number, session: Session): Show {
  const { style } = session;
  let changes: readonly string[] = [];
  let lastSeen = '';
  return (view, failure, latest) => {
    const time = timeOf(session);
    changes = [...changes, ...latest.map((change) => `${time} ${change}`)].slice(-remembered);
    if (failure === undefined) lastSeen = time;
    const heading = style('bold', `win-hcn ${what}, every ${seconds} s, at ${time}; Ctrl+C ends it`);
    const body = view?.text === undefined ? [] : [[view.text(resized(session)), ...view.remarks].join('\n')];
    session.redraw(
      [
        heading,
        ...(failure === undefined ? [] : [style('red', failure)]),
        ...(failure === undefined || view === undefined
          ? []
          : [style('dim', `What there was at ${lastSeen}:`)]),
        ...body,
        ...(changes.length === 0
          ? []
          : [[style('bold', 'changes'), ...changes.map((change) => coloured(change, session))].join('\n')]),
      ].join('\n\n'),
    );
  };
}

function asLog(session: Session): Show {
  let isFirst = true;
  return (view, failure, changes) => {
    if (!isFirst && changes.length === 0) return;
    const isShown = failure === undefined && view?.text !== undefined;
    const body = isShown ? ['', view.text(unbounded(session)), ...view.remarks] : [];
    session.print([...(isFirst ? [] : ['']), timeOf(session), ...changes, ...body].join('\n'));
    isFirst = false;
  };
}

/** A terminal may have another width by now. */
function resized(session: Session): Session {
  return { ...session, width: session.terminal.width ?? session.width };
}

const colors: Readonly<Record<string, 'green' | 'red' | 'yellow'>> = {
  '+': 'green',
  '-': 'red',
  '~': 'yellow',
  '!': 'red',
};

/** A line with a time, a mark and what it is about. */
function coloured(line: string, { style }: Session): string {
  const colour = colors[line.split(' ', 2)[1] ?? ''];
  return colour === undefined ? line : style(colour, line);
}

/** The time of day on this node's clock. */
function timeOf({ system }: Session): string {
  return system.clock().toTimeString().slice(0, 8);
}
