/** The colors of a terminal. */
interface Palette {
  readonly background: string;
  readonly border: string;
  readonly text: string;
  readonly dim: string;
  readonly red: string;
  readonly green: string;
  readonly yellow: string;
}

export const schemes = ['light', 'dark'] as const;
export type Scheme = (typeof schemes)[number];

const palettes: Readonly<Record<Scheme, Palette>> = {
  light: {
    background: '#ffffff',
    border: '#d0d7de',
    text: '#1f2328',
    dim: '#59636e',
    red: '#cf222e',
    green: '#1a7f37',
    yellow: '#9a6700',
  },
  dark: {
    background: '#0d1117',
    border: '#30363d',
    text: '#e6edf3',
    dim: '#9198a1',
    red: '#ff7b72',
    green: '#3fb950',
    yellow: '#d29922',
  },
};

const fontSize = 14;
const columnWidth = 8.4;
const lineHeight = 19;
const margin = 16;

/** Text in one style. */
interface Run {
  readonly column: number;
  readonly text: string;
  readonly styles: ReadonlySet<string>;
}

/** For readers that cannot see the picture. */
const label = 'A terminal with the output of a win-hcn command';

/** Returns an SVG picture of a terminal with this text. Its escape sequences are those of the command line's styles. */
export function terminalPicture(text: string, columns: number, scheme: Scheme): string {
  const lines = text.trimEnd().split('\n');
  const width = Math.ceil(columns * columnWidth) + 2 * margin;
  const height = lines.length * lineHeight + 2 * margin;
  const { background, border, ...colors } = palettes[scheme];
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">`,
    `<style>text{font:${fontSize}px ui-monospace,Consolas,"Liberation Mono",monospace;fill:${colors.text};white-space:pre}` +
      '.bold{font-weight:bold}' +
      `.dim{fill:${colors.dim}}.red{fill:${colors.red};font-weight:bold}.green{fill:${colors.green}}.yellow{fill:${colors.yellow};font-weight:bold}</style>`,
    `<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="6" fill="${background}" stroke="${border}"/>`,
    ...lines.flatMap((line, row) => runsIn(line).map((run) => textElement(run, row))),
    '</svg>',
  ].join('\n')}\n`;
}

function textElement({ column, text, styles }: Run, row: number): string {
  const x = round(margin + column * columnWidth);
  const y = round(margin + row * lineHeight + fontSize);
  const length = round(text.length * columnWidth);
  const classes = styles.size === 0 ? '' : ` class="${[...styles].join(' ')}"`;
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<text x="${x}" y="${y}" textLength="${length}" lengthAdjust="spacingAndGlyphs"${classes}>${escaped}</text>`;
}

const round = (value: number) => Number(value.toFixed(1));

/** The style that each escape sequence begins, or those that it ends. */
const starts: Readonly<Record<string, string>> = {
  1: 'bold',
  2: 'dim',
  31: 'red',
  32: 'green',
  33: 'yellow',
};
const ends: Readonly<Record<string, readonly string[]>> = {
  22: ['bold', 'dim'],
  39: ['red', 'green', 'yellow'],
};

function runsIn(line: string): readonly Run[] {
  const styles = new Set<string>();
  const runs: Run[] = [];
  let column = 0;
  for (const part of line.split(/(?=\p{Cc}\[\d+m)|(?<=\p{Cc}\[\d+m)/u)) {
    const [, number] = /^\p{Cc}\[(\d+)m$/u.exec(part) ?? [];
    if (number === undefined) {
      // A run for each group of words keeps columns aligned in every font.
      for (const { 0: text, index } of part.matchAll(/\S+(?: \S+)*/g))
        runs.push({ column: column + index, text, styles: new Set(styles) });
      column += part.length;
    } else if (starts[number] !== undefined) styles.add(starts[number]);
    else for (const style of ends[number] ?? []) styles.delete(style);
  }
  return runs;
}
