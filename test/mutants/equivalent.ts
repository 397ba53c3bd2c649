import type { Equivalent } from './equivalents.ts';

/** The mutants that do not change the program's behavior, each with the reason. Copy `line` from the source, `change` from the report. */
export const equivalents: readonly Equivalent[] = [
  {
    file: 'src/cli/validate/check-plugin.ts',
    line: "const opened = openConfig(config, executable, '');",
    change: "'' -> 'mutant'",
    reason: 'CNI_ARGS without IP, MAC and namespace are like none',
  },
  {
    file: 'src/cli/gc/find-leftovers.ts',
    line: "const { json } = openConfig(config, session.system.executable, '');",
    change: "'' -> 'mutant'",
    reason: 'CNI_ARGS without a namespace are like none',
  },
  {
    file: 'src/cli/gc/find-leftovers.ts',
    line: "const { json } = openConfig(config, system.executable, '');",
    change: "'' -> 'mutant'",
    reason: 'CNI_ARGS without a namespace are like none',
  },
  {
    file: 'src/cli/gc/reservations.ts',
    line: "const folder = (dataDir || defaultDataDir).replaceAll('/', '\\\\').replace(/(?<=^\\\\|[^\\\\])\\\\+$/, '');",
    change: '/(?<=^\\\\|[^\\\\])\\\\+$/ -> /(?<=^\\\\|[^\\\\])\\\\*$/',
    reason: 'nothing is replaced by nothing',
  },
  {
    file: 'src/cli/validate/acls.ts',
    line: 'hostPort: 1,',
    change: '1 -> 2',
    reason: 'the ports of the rule are left out',
  },
  {
    file: 'src/cli/validate/acls.ts',
    line: 'hostPort: 1,',
    change: '1 -> 0',
    reason: 'the ports of the rule are left out',
  },
  {
    file: 'src/cli/validate/acls.ts',
    line: 'containerPort: 1,',
    change: '1 -> 2',
    reason: 'the ports of the rule are left out',
  },
  {
    file: 'src/cli/validate/acls.ts',
    line: 'containerPort: 1,',
    change: '1 -> 0',
    reason: 'the ports of the rule are left out',
  },
  {
    file: 'src/cli/validate/acl-ties.ts',
    line: 'const earlier = acls.slice(0, index).find((other) => isTie(acl.settings, other.settings));',
    change: 'acl.settings, other.settings -> other.settings, acl.settings',
    reason: 'a tie is mutual',
  },
  {
    file: 'src/cli/validate/acl-ties.ts',
    line: ') => meet(listIn(one, list), listIn(other, list));',
    change: 'listIn(one, list), listIn(other, list) -> listIn(other, list), listIn(one, list)',
    reason: 'lists meet each other',
  },
  {
    file: 'src/cli/validate/acl-ties.ts',
    line: 'prefixesMeet(prefixesOf(mine, family), prefixesOf(theirs, family));',
    change:
      'prefixesOf(mine, family), prefixesOf(theirs, family) -> prefixesOf(theirs, family), prefixesOf(mine, family)',
    reason: 'lists meet each other',
  },
  {
    file: 'src/cli/validate/capabilities.ts',
    line: "const longer = ['portMappings', 'bandwidth'].find((known) => known.toLowerCase().startsWith(beginning));",
    change: 'find -> findLast',
    reason: 'no four letters begin both',
  },
  {
    file: 'src/cli/explain/explain-code.ts',
    line: "...(row && { name: row.symbol, cause: row.cause, cniCode: cniCodeOf(new IpHelperError('', value)) }),",
    change: "'' -> 'mutant'",
    reason: 'only the code of the error is used',
  },
  {
    file: 'src/cli/explain/explain-code.ts',
    line: "const other = cniCodeOf(new HcnError('', hresult, ''));",
    change: "'' -> 'mutant'",
    reason: 'only the code of the error is used',
  },
  {
    file: 'src/cli/explain/explain-code.ts',
    line: 'const name = names.find((candidate) => code[candidate] === value);',
    change: 'find -> findLast',
    reason: 'codes are unique',
  },
  {
    file: 'src/cli/explain/find-codes.ts',
    line: '{ pattern: /\\b[A-Z][A-Z0-9_]+\\b/g, read: ofSymbol },',
    change: '/\\b[A-Z][A-Z0-9_]+\\b/g -> /\\b[A-Z][A-Z0-9_]*\\b/g',
    reason: 'no symbol is one letter',
  },
  {
    file: 'src/cli/explain-nat/explain-nat.ts',
    line: 'const network = inventory.networks.find(({ ID }) => ID === endpoint.HostComputeNetwork);',
    change: 'find -> findLast',
    reason: 'IDs are unique',
  },
  {
    file: 'src/cli/probe/open-elsewhere.ts',
    line: 'const kind = kinds.find((one) => one === name);',
    change: 'find -> findLast',
    reason: 'the kinds are unique',
  },
  {
    file: 'src/cli/probe/probe.ts',
    line: "interrupt.removeEventListener('abort', stop);",
    change: "interrupt.removeEventListener('abort', stop); -> removed",
    reason: 'what has ended cannot be stopped',
  },
  {
    file: 'src/cli/probe/probe.ts',
    line: "interrupt.removeEventListener('abort', stop);",
    change: "'abort' -> ''",
    reason: 'what has ended cannot be stopped',
  },
  {
    file: 'src/cni/request.ts',
    line: "expected: 'the folders that contain plugins',",
    change: "'the folders that contain plugins' -> ''",
    reason: 'CNI_PATH can only be missing: it accepts every value',
  },
  {
    file: 'src/config/schema-problems.ts',
    line: 'distance: leven(name.toLowerCase(), candidate.toLowerCase()),',
    change: 'name.toLowerCase(), candidate.toLowerCase() -> candidate.toLowerCase(), name.toLowerCase()',
    reason: 'a distance is the same in both directions',
  },
  {
    file: 'src/config/known-keys.ts',
    line: 'return values.find(sameText) ?? value;',
    change: 'find -> findLast',
    reason: 'no two values of an enumeration in the schemas differ only in case',
  },
];
