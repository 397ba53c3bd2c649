import type { Equivalent } from './equivalents.ts';

/** The mutants that do not change the program's behavior, each with the reason. Copy `line` from the source, `change` from the report. */
export const equivalents: readonly Equivalent[] = [
  {
    file: 'src/config/open-config.ts',
    line: "export function openConfig(given: JsonObject, executable: string, cniArgs = ''): OpenedConfig {",
    change: "'' -> 'mutant'",
    reason: 'CNI_ARGS without IP, MAC and namespace are like none',
  },
  {
    file: 'src/hcn/native-library.ts',
    line: 'const buffer = new Uint16Array(260);',
    change: '260 -> 261',
    reason: 'the path of the system directory is shorter',
  },
  {
    file: 'src/hcn/native-library.ts',
    line: 'const buffer = new Uint16Array(260);',
    change: '260 -> 259',
    reason: 'the path of the system directory is shorter',
  },
  {
    file: 'src/cli/gc/reservations.ts',
    line: "const folder = (dataDir || defaultDataDir).replaceAll('/', '\\\\').replace(/(?<=^\\\\|[^\\\\])\\\\+$/, '');",
    change: '/(?<=^\\\\|[^\\\\])\\\\+$/ -> /(?<=^\\\\|[^\\\\])\\\\*$/',
    reason: 'nothing is replaced by nothing',
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
    file: 'src/model/inventory.ts',
    line: 'return id === undefined ? undefined : objects.find(({ ID }) => ID === id);',
    change: 'find -> findLast',
    reason: 'IDs are unique',
  },
  {
    file: 'src/cli/probe/probe.ts',
    line: "return promise.finally(() => interrupt.removeEventListener('abort', stop));",
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
  ...[
    "(await hcn.findDefaultNamespaces()).filter(({ ID = '' }) => !namespaces.has(ID)),",
    "return [...found.filter(({ ID = '' }) => !objects.has(ID)), ...present(objects)];",
  ].map((line) => ({
    file: 'src/steps/previewed-hcn.ts',
    line,
    change: "'' -> 'mutant'",
    reason: 'no object has either id',
  })),
  {
    file: 'src/hcn/hresults.ts',
    line: 'const [symbol, meaning] = Object.entries(meanings()).find(([, known]) => known.hresult === hresult) ?? [];',
    change: 'find -> findLast',
    reason: 'no two symbols have the same number',
  },
  {
    file: 'src/iphlpapi/load-ip-helper.ts',
    line: 'const adapter = (await readAdapters()).find((other) => other.index === interfaceIndex);',
    change: 'find -> findLast',
    reason: 'no two interfaces have the same index',
  },
  {
    file: 'src/hcn/koffi.ts',
    line: 'const name = getAssetKeys().find((key) => ADDON.test(key));',
    change: 'find -> findLast',
    reason: 'the exe has one addon',
  },
  {
    file: 'src/ipam/locate-plugin.ts',
    line: 'const folders = list.match(/(?:"[^"]*"|[^;"])+/g) ?? [];',
    change: '/(?:"[^"]*"|[^;"])+/g -> /(?:"[^"]*"|[^;"])*/g',
    reason: 'it adds only empty entries, which are left out',
  },
  {
    file: 'src/iphlpapi/route-table.ts',
    line: 'const form = Object.values(socketAddress).find((known) => known.family === family);',
    change: 'find -> findLast',
    reason: 'each family has one form',
  },
  {
    file: 'src/iphlpapi/read-adapters.ts',
    line: 'const form = Object.values(socketAddress).find((known) => known.family === family);',
    change: 'find -> findLast',
    reason: 'each family has one form',
  },
  {
    file: 'src/iphlpapi/windows-errors.ts',
    line: 'return windowsErrors.find((known) => known.code === code);',
    change: 'find -> findLast',
    reason: 'no two errors have the same code',
  },
  {
    file: 'src/cli/path/node-state.ts',
    line: 'return node.adapters.find((adapter) => adapter.index === index);',
    change: 'find -> findLast',
    reason: 'an interface index is unique',
  },
  {
    file: 'src/cli/path/node-state.ts',
    line: 'return node.forwarding.find((one) => one.index === index && one.family === family)?.isEnabled;',
    change: 'find -> findLast',
    reason: 'Windows returns an interface once for each family',
  },
  {
    file: 'src/cli/path/node-state.ts',
    line: 'return node.adapters.find(({ addresses }) => addresses.some((own) => own.address === address));',
    change: 'find -> findLast',
    reason: 'Windows refuses an address that another interface has',
  },
  {
    file: 'src/cli/path/packet.ts',
    line: 'return translations.find((one) => isWanted(one) && isSamePacket(replyTo(one.after), reply));',
    change: 'find -> findLast',
    reason: 'a packet is translated once at each place',
  },
  {
    file: 'src/cli/path/port-translation.ts',
    line: "const deciding = nat.rules.find(({ decides }) => decides === 'yes');",
    change: 'find -> findLast',
    reason: 'at most one rule of a stage decides',
  },
  {
    file: 'src/cli/traffic/destination.ts',
    line: 'const [, inBrackets, plain, portText] = /^(?:\\[([^\\]:]*:[^\\]]*)\\]|([^[\\]:]*))(?::(\\d+))?$/.exec(host) ?? [];',
    change:
      '/^(?:\\[([^\\]:]*:[^\\]]*)\\]|([^[\\]:]*))(?::(\\d+))?$/ -> /^(?:\\[([^\\]:]*:[^\\]]+)\\]|([^[\\]:]*))(?::(\\d+))?$/',
    reason: 'parseAddress refuses an empty address and one that ends in a colon, isPort an empty port',
  },
  {
    file: 'src/cli/traffic/destination.ts',
    line: 'const [, inBrackets, plain, portText] = /^(?:\\[([^\\]:]*:[^\\]]*)\\]|([^[\\]:]*))(?::(\\d+))?$/.exec(host) ?? [];',
    change:
      '/^(?:\\[([^\\]:]*:[^\\]]*)\\]|([^[\\]:]*))(?::(\\d+))?$/ -> /^(?:\\[([^\\]:]*:[^\\]]*)\\]|([^[\\]:]+))(?::(\\d+))?$/',
    reason: 'parseAddress refuses an empty address and one that ends in a colon, isPort an empty port',
  },
  {
    file: 'src/cli/traffic/destination.ts',
    line: 'const [, inBrackets, plain, portText] = /^(?:\\[([^\\]:]*:[^\\]]*)\\]|([^[\\]:]*))(?::(\\d+))?$/.exec(host) ?? [];',
    change:
      '/^(?:\\[([^\\]:]*:[^\\]]*)\\]|([^[\\]:]*))(?::(\\d+))?$/ -> /^(?:\\[([^\\]:]*:[^\\]]*)\\]|([^[\\]:]*))(?::(\\d*))?$/',
    reason: 'parseAddress refuses an empty address and one that ends in a colon, isPort an empty port',
  },
];
