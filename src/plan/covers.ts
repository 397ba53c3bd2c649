/**
 * Whether a document HNS returned has everything we sent: HNS adds members of its own, reorders keys, leaves out members
 * with the default value, and writes some enumerations and GUIDs in another case.
 */
export function covers(observed: unknown, sent: unknown): boolean {
  if (observed === undefined || observed === null) return isDefault(sent);
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
    const members = new Map(Object.entries(observed));
    return Object.entries(sent).every(([key, value]) => covers(members.get(key), value));
  }
  return observed === sent;
}

/** Nothing, zero, or the first word of ActionType, DirectionType or RuleType. */
function isDefault(sent: unknown): boolean {
  if (typeof sent === 'string') return ['', 'allow', 'in', 'host'].includes(sent.toLowerCase());
  if (typeof sent === 'object' && sent !== null) return Object.values(sent).every(isDefault);
  return sent === undefined || sent === null || sent === false || sent === 0;
}
