/**
 * Whether a document HNS returned has everything we sent: HNS adds members of its own, reorders keys, and writes some
 * enumerations and GUIDs in another case.
 */
export function covers(observed: unknown, sent: unknown): boolean {
  if (typeof sent === 'string' && typeof observed === 'string') {
    return sent.toLowerCase() === observed.toLowerCase();
  }
  if (Array.isArray(sent)) {
    return (
      Array.isArray(observed) &&
      sent.length === observed.length &&
      sent.every((item, index) => covers(observed[index], item))
    );
  }
  if (typeof sent === 'object' && sent !== null) {
    if (typeof observed !== 'object' || observed === null) return false;
    const members = new Map(Object.entries(observed));
    return Object.entries(sent).every(([key, value]) =>
      covers(members.get(key) ?? missingValue(value), value),
    );
  }
  return observed === sent;
}

/** HNS leaves members with the default value out of its answers. */
function missingValue(sent: unknown): unknown {
  if (Array.isArray(sent)) return [];
  if (typeof sent === 'object') return {};
  return typeof sent === 'boolean' ? false : typeof sent === 'number' ? 0 : '';
}
