import type { MutantsOf } from '../mutant.ts';

export const cni: readonly MutantsOf[] = [
  {
    file: 'src/cni/error.ts',
    tests: ['unit/errors-page', 'e2e/attachment', 'e2e/process'],
    mutants: [
      {
        before: 'incompatibleVersion: 1,',
        after: 'incompatibleVersion: 2,',
        noticed: 'a wrong version looks like an unsupported field',
      },
      {
        before: 'tryAgainLater: 11,',
        after: 'tryAgainLater: 12,',
        noticed: 'a runtime does not know that it may repeat the request',
      },
      {
        before: 'notAvailable: 50,',
        after: 'notAvailable: 51,',
        noticed: 'STATUS says degraded where nothing is',
      },
      {
        before: 'alreadyAttached: 101,',
        after: 'alreadyAttached: 100,',
        noticed: 'a repeated ADD looks like a failure of HCN',
      },
      {
        before: "...(error.details === '' ? {} : { details: error.details }),",
        after: 'details: error.details,',
        noticed: 'errors have empty details',
      },
    ],
  },
  {
    file: 'src/cni/name.ts',
    tests: ['unit/cni/request', 'unit/plan/identity'],
    mutants: [
      { before: '.length <= 15', after: '.length < 15', noticed: 'an interface name of 15 bytes is refused' },
      { before: String.raw`!/^\.{1,2}$|`, after: '!/', noticed: 'an interface may be called ".."' },
      {
        before: "text !== '' && ",
        after: '',
        noticed: 'GC deletes an endpoint whose name ends with the network',
      },
      {
        before: '[a-zA-Z0-9_.-]*$/',
        after: String.raw`[a-zA-Z0-9_.\/-]*$/`,
        noticed: 'a plugin called "a/../b" is run from outside CNI_PATH',
      },
      { before: '/^[a-zA-Z0-9][', after: '/^[', noticed: 'an empty name is a name' },
    ],
  },
  {
    file: 'src/cni/read-result.ts',
    tests: ['unit/cni/result', 'e2e/attachment', 'e2e/dual-stack'],
    mutants: [
      {
        before: 'index < interfaceCount',
        after: 'index <= interfaceCount',
        noticed: 'an address on an interface that is not there crashes the runtime',
      },
      {
        before: " || isObject(members['ip6']))",
        after: ')',
        noticed: "an old plugin's IPv6 address is lost",
      },
      {
        before: "['ip4', 'ip6'].flatMap",
        after: "['ip4'].flatMap",
        noticed: "an old plugin's second address is lost",
      },
      {
        before: "if (value === '') return undefined;",
        after: '',
        noticed: 'an IPAM plugin that writes an empty gateway is refused',
      },
      {
        before: '...readLegacy(members, what), dns };',
        after: '...readLegacy(members, what), dns: {} };',
        noticed: "an old plugin's DNS is lost",
      },
      {
        before: 'return formatPrefix(prefix);',
        after: 'return value;',
        noticed: 'CHECK does not find an IPv6 address that is written in another way',
      },
      {
        before: 'routes: families.flatMap(({ routes }) => routes)',
        after: 'routes: []',
        noticed: "an old plugin's routes are lost",
      },
      {
        before: 'const value = members[key] ?? [];',
        after: 'const value = members[key];',
        noticed: 'a result without routes is refused',
      },
    ],
  },
  {
    file: 'src/cni/request.ts',
    tests: ['unit/cni/request', 'e2e/status', 'e2e/process'],
    mutants: [
      {
        before: "problems.join('; ')",
        after: "problems.slice(0, 1).join('; ')",
        noticed: 'only the first of several wrong variables is named',
      },
      {
        before: '?.[1]?.toLowerCase()',
        after: '?.[1]',
        noticed: 'a namespace in capitals is not the one CHECK finds',
      },
      {
        before: String.raw`/(?:^|[\\/])\{?(`,
        after: String.raw`/^\{?(`,
        noticed: 'a namespace at the end of a path is refused',
      },
      {
        before: String.raw`\{?([0-9a-f]{8}`,
        after: '([0-9a-f]{8}',
        noticed: 'a namespace in braces is refused',
      },
      {
        before: 'read.one(path);',
        after: '',
        noticed: 'GC without CNI_PATH deletes endpoints before it fails',
      },
      {
        before: "case 'DEL':\n      return read.all({",
        after: "case 'DEL':\n      return Object({",
        noticed: 'DEL without a container reports success and deletes nothing',
      },
      {
        before: "namespaceId: parseNamespaceId(environment['CNI_NETNS'] ?? ''),",
        after: 'namespaceId: undefined,',
        noticed: 'DEL deletes an attached endpoint without detaching it',
      },
    ],
  },
  {
    file: 'src/cni/result.ts',
    tests: ['unit/cni/result', 'e2e/attachment'],
    mutants: [
      {
        before: 'ip.interface + previous.interfaces.length',
        after: 'ip.interface + previous.ips.length',
        noticed: 'an address is said to be on an interface of another plugin',
      },
      {
        before: 'dns: mergeDns(own.dns, previous.dns)',
        after: 'dns: mergeDns(previous.dns, own.dns)',
        noticed: "the DNS of the plugin before hides the configuration's",
      },
      {
        before: "isAtLeast(version, '1.0.0')",
        after: "isAtLeast(version, '1.1.0')",
        noticed: 'a 1.0.0 runtime gets a result of 0.4.0',
      },
      {
        before: "isAtLeast(version, '0.3.0')",
        after: "isAtLeast(version, '0.3.1')",
        noticed: 'a 0.3.0 runtime gets no interfaces',
      },
      {
        before: "=== 'IPv6' ? '6' : '4'",
        after: "=== 'IPv6' ? '4' : '6'",
        noticed: 'the families of addresses are the wrong way round',
      },
      {
        before: '...(modern && isEmpty(result.dns)',
        after: '...(isEmpty(result.dns)',
        noticed: 'a runtime of 0.4.0 misses the dns member',
      },
      {
        before: '.filter(({ dst }) => familyOf(dst) === family)',
        after: '',
        noticed: 'an IPv4 address of 0.2.0 has IPv6 routes',
      },
      {
        before: '{ ...second, ...withoutEmpty({ ...first }) }',
        after: '{ ...first, ...withoutEmpty({ ...second }) }',
        noticed: "the IPAM plugin's DNS hides the configuration's",
      },
      {
        before: '    table,\n    scope,\n',
        after: '    table: table || undefined,\n    scope: scope || undefined,\n',
        noticed: 'a route of scope 0 loses its scope',
      },
      {
        before: 'if (ips.length === 0) {',
        after: 'if (ips.length < 0) {',
        noticed: 'a 0.2.0 runtime gets a result without an address',
      },
      {
        before: '...(modern ? { mtu: mtu || undefined, ...rest } : {})',
        after: 'mtu: mtu || undefined, ...rest',
        noticed: 'a 0.4.0 runtime gets members it does not know',
      },
    ],
  },
  {
    file: 'src/cni/text.ts',
    tests: ['unit/cni/text', 'unit/cni/result', 'e2e/process'],
    mutants: [
      {
        before: 'a === 0xff && b === 0xfe',
        after: 'a === 0xfe && b === 0xff',
        noticed: 'what PowerShell writes is not JSON',
      },
      {
        before: 'a !== undefined && a !== 0 && b === 0 }',
        after: 'a === undefined && b === 0 }',
        noticed: 'UTF-16 without a mark is not JSON',
      },
      {
        before: 'reached > depth',
        after: 'reached > 1000 * depth',
        noticed: 'a deeply nested configuration ends in an overflow of the stack',
      },
      {
        before: '[key.toLowerCase(), value]',
        after: '[key, value]',
        noticed: 'a result with capitals in its keys is empty',
      },
      {
        before: "found.startsWith('\"') ? found : ' '",
        after: "' '",
        noticed: 'no configuration with a non-breaking space can be read',
      },
      {
        before: "if (text.trim() === '')",
        after: 'if (text === undefined)',
        noticed: 'an empty stdin is called broken JSON',
      },
      {
        before: 'return isJson(plain) ? plain : text;',
        after: 'return plain;',
        noticed: 'broken JSON is reported with another text than was given',
      },
    ],
  },
  {
    file: 'src/cni/version.ts',
    tests: ['unit/cni/version', 'unit/cni/result', 'e2e/process'],
    mutants: [
      {
        before: "value === '' ? '0.1.0' : value",
        after: "value === '' ? '1.1.0' : value",
        noticed: 'a configuration without a version gets a result it cannot read',
      },
      {
        before: ') >= supportedVersions.indexOf(',
        after: ') > supportedVersions.indexOf(',
        noticed: 'GC is refused in the version it came with',
      },
      {
        before: "latestVersion: CniVersion = '1.1.0'",
        after: "latestVersion: CniVersion = '1.0.0'",
        noticed: 'VERSION does not answer with the latest version',
      },
      { before: "'0.3.0', '0.3.1', '0.4.0'", after: "'0.3.0', '0.4.0'", noticed: '0.3.1 is refused' },
      {
        before: "`win-hcn supports ${supportedVersions.join(', ')}`",
        after: "''",
        noticed: 'an error does not say which versions there are',
      },
    ],
  },
];
