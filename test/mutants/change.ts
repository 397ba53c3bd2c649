import type { Mutant } from './mutate.ts';

/** Returns the change of a mutant in a line of text. */
export function changeOf({ before, after }: Mutant): string {
  return `${shorten(before)} -> ${after === '' || after === ';' ? 'removed' : shorten(after)}`;
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > 80 ? `${line.slice(0, 38)} ... ${line.slice(-37)}` : line;
}
