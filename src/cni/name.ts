/** What may name a container, a network and a plugin: a letter or digit, then letters, digits, `_`, `.` or `-`. */
export function isName(text: string): boolean {
  return /^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/.test(text);
}

/** The rule in words, for errors. */
export const nameRule = 'a letter or digit, then letters, digits, "_", "." or "-"';

/**
 * Whether libcni accepts a CNI_IFNAME: 1 to 15 bytes, no `/`, `:` or white space, not `.` or `..`
 * (containernetworking/cni, pkg/utils/utils.go, ValidateInterfaceName).
 */
export function isInterfaceName(text: string): boolean {
  return text !== '' && new TextEncoder().encode(text).length <= 15 && !/^\.{1,2}$|[/:\s\u0085]/u.test(text);
}
