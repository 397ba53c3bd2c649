/** What may name a container, a network and a plugin: a letter or digit, then letters, digits, `_`, `.` or `-`. */
export function isName(text: string): boolean {
  return /^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/.test(text);
}

/** The rule in words, for errors. */
export const nameRule = 'a letter or digit, then letters, digits, "_", "." or "-"';
