/** The size limit of a message, in bytes of JSON, which escapes control characters. */
export const messageBytes = 4096;

/** A text of at most `most` bytes in JSON: cut at a character boundary and ended with `...` if it is longer. */
export function shortMessage(text: string, most = messageBytes): string {
  let bytes = 0;
  let end = 0;
  let cut = 0;
  for (const character of text) {
    bytes += Buffer.byteLength(JSON.stringify(character)) - 2;
    if (bytes > most) return `${text.slice(0, cut)}...`;
    end += character.length;
    if (bytes <= most - 3) cut = end;
  }
  return text;
}

/** The first line, with the number of the others; empty for no lines. */
export function firstOf([first, ...others]: readonly string[]): readonly string[] {
  if (first === undefined) return [];
  return [others.length === 0 ? first : `${first} (and ${others.length} more)`];
}
