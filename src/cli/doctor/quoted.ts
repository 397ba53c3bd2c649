/** A text as one word of PowerShell, whatever is in it. Typographic quotes end a string there as straight ones do. */
export function quoted(text: string): string {
  return /^[\w:\\/.-]+$/.test(text) ? text : `'${text.replaceAll(/['\u2018-\u201b]/g, '$&$&')}'`;
}

/** The same where PowerShell would take a bare word for something else, as in a list. */
export function quotedAlways(text: string): string {
  return `'${text.replaceAll(/['\u2018-\u201b]/g, '$&$&')}'`;
}
