/** Lines of pktmon are a few hundred characters long. A sender of packets chooses some of their text. */
export const mostCharacters = 4096;

/** The lines of pktmon's text, without what is beyond 4096 characters. */
export function linesOf(text: string): readonly string[] {
  return text.split(/\r?\n/).map((line) => line.slice(0, mostCharacters));
}

/** A text for a message: its first 200 characters. */
export function excerpt(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 200)}...`;
}

/** The lines of an output, without spaces around them. */
export function nonEmptyLines(output: string): readonly string[] {
  return linesOf(output)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
