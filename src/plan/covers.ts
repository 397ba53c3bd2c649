/**
 * Whether a document HNS returned has everything we sent: HNS adds members of its own, reorders keys and lists, leaves out
 * members with the default value, and writes some enumerations and GUIDs in another case.
 */
export function covers(observed: unknown, sent: unknown, key = ''): boolean {
  if (observed === undefined || observed === null) return isDefaultValue(sent, key);
  if (typeof sent === 'string' && typeof observed === 'string') {
    return sent.toLowerCase() === observed.toLowerCase();
  }
  if (Array.isArray(sent)) {
    return (
      Array.isArray(observed) &&
      sent.length === observed.length &&
      sent.every((item) => observed.some((candidate) => covers(candidate, item)))
    );
  }
  if (typeof sent === 'object' && sent !== null) {
    const members = new Map(Object.entries(observed));
    return Object.entries(sent).every(([name, value]) => covers(members.get(name), value, name));
  }
  return observed === sent;
}

/** The first words of the enumerations ActionType, DirectionType and RuleType. */
const defaultWords: Readonly<Record<string, string>> = {
  Action: 'Allow',
  TierAclRuleAction: 'Allow',
  Direction: 'In',
  RuleType: 'Host',
};

function isDefaultValue(sent: unknown, key: string): boolean {
  if (typeof sent === 'string') return sent === '' || sent === defaultWords[key];
  if (typeof sent === 'object' && sent !== null) {
    return Object.entries(sent).every(([name, value]) => isDefaultValue(value, name));
  }
  return sent === undefined || sent === null || sent === false || sent === 0;
}
