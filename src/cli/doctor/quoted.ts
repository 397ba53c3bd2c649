/** A text as one word of a command to copy into PowerShell, bare where that is the same. */
export function quoted(text: string): string {
  return /^(?!-)[\w:\\/.-]+$/.test(text) ? text : quotedAlways(text);
}

/** A text as a string of PowerShell, whatever is in it. Typographic quotes end one as straight ones do. */
export function quotedAlways(text: string): string {
  return `'${text.replaceAll(/['\u2018-\u201b]/g, '$&$&')}'`;
}
