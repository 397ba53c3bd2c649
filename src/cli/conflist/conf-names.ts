/** The names that containerd reads as configurations, in containerd's order: by bytes, upper case first. */
export function confNames(names: readonly string[]): readonly string[] {
  return names.filter((name) => /\.(conf|conflist|json)$/.test(name)).toSorted((a, b) => (a < b ? -1 : 1));
}
