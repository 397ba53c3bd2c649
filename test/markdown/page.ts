import { globSync, readFileSync } from 'node:fs';

/** A fenced block of a page. */
export interface Block {
  /** The page and line where it begins. */
  readonly place: string;
  readonly language: string;
  readonly text: string;
}

/** A piece of text of a page, outside of blocks, and its page and line. */
export interface Span {
  readonly page: string;
  readonly place: string;
  readonly text: string;
}

/** A page in Markdown, as GitHub renders it. */
export interface Page {
  readonly path: string;
  readonly blocks: readonly Block[];
  /** Inline code, without backticks. */
  readonly codes: readonly Span[];
  /** The targets of links and images. */
  readonly links: readonly Span[];
  readonly anchors: ReadonlySet<string>;
}

/** All pages of the repository. */
export const pages: readonly Page[] = globSync(['*.md', '{docs,test,deploy,packaging,.github}/**/*.md'], {
  exclude: ['**/node_modules/**', '.github/**/generated/**'],
})
  .map((path) => path.replaceAll('\\', '/'))
  .toSorted()
  .map((path) => readPage(path, readFileSync(path, 'utf8')));

export function readPage(path: string, text: string): Page {
  const blocks: Block[] = [];
  const prose = text.replaceAll(
    /^( *)```(\w*)[^\n]*\n(.*?)^ *```$/gms,
    (whole: string, indent: string, language: string, body: string, offset: number) => {
      const unindented = body.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
      blocks.push({ place: `${path}:${lineAt(text, offset)}`, language, text: unindented });
      return whole.replaceAll(/[^\n]/g, '');
    },
  );
  const spans = (searched: string, pattern: RegExp): readonly Span[] =>
    [...searched.matchAll(pattern)].map((match) => ({
      page: path,
      place: `${path}:${lineAt(searched, match.index)}`,
      text: match[1] ?? '',
    }));
  const withoutCode = prose.replaceAll(/`[^`\n]+`/g, (code) => '`'.repeat(code.length));
  return {
    path,
    blocks,
    codes: spans(prose, /`([^`\n]+)`/g),
    links: [
      ...spans(withoutCode, /\]\(([^)\s]+)\)/g),
      ...spans(withoutCode, /(?:href|src|srcset)="([^"]+)"/g),
      ...spans(withoutCode, /^\[[^\]]+\]: (\S+)/gm),
    ],
    anchors: anchorsIn(prose),
  };
}

/** The anchors of headings, as GitHub writes them: a repeated one gets a number. */
function anchorsIn(prose: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of prose.matchAll(/^#{1,6} (.*)$/gm)) {
    const text = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-');
    let anchor = text;
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${text}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
