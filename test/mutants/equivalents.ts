import type { Mutant } from './mutate.ts';

/** A mutant that no test can notice, because it does not change the program's behavior. */
export interface Equivalent {
  readonly file: string;
  /** The line, without the spaces around it. */
  readonly line: string;
  /** The change, as the report prints it. */
  readonly change: string;
  readonly reason: string;
}

/** Returns the change of a mutant in a line of text. */
export function changeOf({ before, after }: Mutant): string {
  return `${shorten(before)} -> ${after === '' || after === ';' ? 'removed' : shorten(after)}`;
}

/** Returns the mutants without equivalents. Throws if an entry of the list names one of the files, but none of its mutants. */
export function withoutEquivalents(
  mutants: readonly Mutant[],
  files: readonly string[],
  equivalents: readonly Equivalent[],
): readonly Mutant[] {
  const listed = equivalents.filter(({ file }) => files.includes(file));
  const used = new Set<Equivalent>();
  const meaningful = mutants.filter((mutant) => {
    const matching = listed.filter(
      ({ file, line, change }) =>
        file === mutant.file && line === mutant.lineText && change === changeOf(mutant),
    );
    for (const entry of matching) used.add(entry);
    return matching.length === 0;
  });
  const unused = listed.filter((entry) => !used.has(entry));
  if (unused.length > 0)
    throw new Error(`equivalent.ts lists unknown mutants:\n${unused.map(asText).join('\n')}`);
  return meaningful;
}

function asText({ file, line, change }: Equivalent): string {
  return `${file}: ${line}: ${change}`;
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > 80 ? `${line.slice(0, 38)} ... ${line.slice(-37)}` : line;
}
