import { type Session, unbounded } from '../terminal/session.ts';
import { wrapSentences } from '../terminal/wrap.ts';
import { fitHeight, linesTaken } from './fit-height.ts';
import type { View } from './view.ts';

/** Shows the views of a watch. */
export interface Display {
  /** Shows a view and the changes since the last one. With a `failure`, `view` is the last one that could be read. */
  show(view: View | undefined, failure: string | undefined, changes: readonly string[]): void;
  /** Ends the watch: what is printed next is below the last view. */
  end(): void;
}

/** In a terminal each view replaces the last one. Elsewhere a view is printed when something has changed. */
export function newDisplay(command: string, seconds: number, session: Session): Display {
  return Number.isFinite(session.width) ? screenDisplay(command, seconds, session) : logDisplay(session);
}

const changesKept = 10;

/** What a screen shows: everything that does not depend on its size. */
interface Content {
  readonly time: string;
  readonly view: View | undefined;
  readonly failure: string | undefined;
}

function screenDisplay(command: string, seconds: number, session: Session): Display {
  const { terminal } = session;
  let changes: readonly string[] = [];
  let lastRead = '';
  let content: Content | undefined;
  let isFirst = true;
  const draw = () => {
    if (content === undefined) return;
    const { time, view, failure } = content;
    const heading = `Every ${seconds} s: win-hcn ${command}, at ${time} (Ctrl+C to exit)`;
    const outdated = failure === undefined ? undefined : `Last result, from ${lastRead}:`;
    session.redraw(screenText({ heading, failure, outdated, view, changes }, resized(session)), isFirst);
    isFirst = false;
  };
  const stopResizing = terminal.onResize(draw);
  return {
    show: (view, failure, latest) => {
      const time = timeOf(session);
      changes = [...changes, ...latest.map((change) => `${time} ${change}`)].slice(-changesKept);
      if (failure === undefined) lastRead = time;
      content = { time, view, failure };
      draw();
    },
    end: () => {
      stopResizing();
      if (!isFirst) session.print('');
    },
  };
}

interface Screen {
  readonly heading: string;
  readonly failure: string | undefined;
  /** After a failure, the heading of the last result. */
  readonly outdated: string | undefined;
  readonly view: View | undefined;
  readonly changes: readonly string[];
}

/** Returns a screen's text: the view between its heading and the last changes. The view is fitted into the lines that these leave. */
function screenText({ heading, failure, outdated, view, changes }: Screen, session: Session): string {
  const { style, width, terminal } = session;
  const height = terminal.height() ?? Number.POSITIVE_INFINITY;
  const latest = changes.slice(-Math.min(changesKept, Math.max(1, Math.floor(height / 4))));
  const sentence = (text: string) => wrapSentences(text, width);
  const above = [
    style('bold', sentence(heading)),
    ...(failure === undefined ? [] : [style('red', sentence(failure))]),
    ...(outdated === undefined || view === undefined ? [] : [style('dim', outdated)]),
  ];
  const below =
    latest.length === 0
      ? []
      : [[style('bold', 'changes'), ...latest.map((change) => colored(change, session))].join('\n')];
  const warnings =
    view === undefined || view.warnings.length === 0 ? [] : [view.warnings.map(sentence).join('\n')];
  const taken = [...above, ...warnings, ...below]
    .flatMap((part) => ['', ...part.split('\n')])
    .reduce((sum, line) => sum + linesTaken(line, width), 0);
  const body = view?.text === undefined ? [] : [fitHeight(view.text(session), height - taken, width)];
  return [...above, ...body, ...warnings, ...below].join('\n\n');
}

function logDisplay(session: Session): Display {
  let isFirst = true;
  return {
    show: (view, failure, changes) => {
      if (!isFirst && changes.length === 0) return;
      const isShown = failure === undefined && view?.text !== undefined;
      const body = isShown ? ['', view.text(unbounded(session)), ...view.warnings] : [];
      session.print([...(isFirst ? [] : ['']), timeOf(session), ...changes, ...body].join('\n'));
      isFirst = false;
    },
    end: () => undefined,
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

/** Colors a line `<time> <mark> <text>` by its mark, and wraps it. */
function colored(line: string, { style, width }: Session): string {
  const color = colors[line.split(' ', 2)[1] ?? ''];
  const text = wrapSentences(line, width, 2);
  return color === undefined ? text : style(color, text);
}

function timeOf({ system }: Session): string {
  return system.clock().toTimeString().slice(0, 8);
}
