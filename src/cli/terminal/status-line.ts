import type { System } from '../../system.ts';

/** The last line of a terminal's stderr, which is replaced in place. Elsewhere it shows nothing. */
export interface StatusLine {
  /** Sets what the command is doing, or which call it waits for; both are on the line. Undefined removes the text. */
  show(part: Part, text: string | undefined): void;
  /** Removes the line until the next `show`, so that other output can follow. */
  hide(): void;
  /** Leaves the line as it is, and forgets it. */
  end(): void;
}

type Part = 'activity' | 'wait';

/** `width` is that of stderr's terminal; undefined if stderr is not a terminal. */
export function newStatusLine(
  { writeStderr }: Pick<System, 'writeStderr'>,
  width: number | undefined,
): StatusLine {
  const parts: Record<Part, string | undefined> = { activity: undefined, wait: undefined };
  let shown = 0;
  const write = (text: string): void => {
    if (width === undefined || (text === '' && shown === 0)) return;
    const line = text.slice(0, Math.max(0, width - 1));
    writeStderr(`\r${line.padEnd(shown)}${line === '' ? '\r' : ''}`);
    shown = line.length;
  };
  return {
    show: (part, text) => {
      parts[part] = text;
      write([parts.activity, parts.wait].filter((one) => one !== undefined).join('; '));
    },
    hide: () => write(''),
    end: () => {
      if (shown > 0) writeStderr('\n');
      parts.activity = undefined;
      shown = 0;
    },
  };
}
