import fc from 'fast-check';
import { validConfig } from './arbitraries.ts';
import { writing } from './bytes.ts';
import { change, changed, type Json, oddKey, oddValue } from './changes.ts';
import { type Configuration, configuration } from './configurations.ts';
import { changedAnswers, lateAnswers, wrongAnswers } from './hcn-answers.ts';
import { type IpamEnd, namespace, type Unusual } from './request.ts';

/** The newest version has every command, and GC its list. */
const newest: Json = { cniVersion: '1.1.0', 'cni.dev/valid-attachments': [] };
const asked = (command: string, attached: boolean, members: Json = {}) => ({ command, attached, members });

/** A command, after an ADD of the same attachment or without one. */
const command = fc.oneof(
  { weight: 8, arbitrary: fc.constant(asked('ADD', false)) },
  fc.constantFrom(asked('ADD', true), asked('DEL', false), asked('DEL', true), asked('DEL', true)),
  { weight: 2, arbitrary: fc.constantFrom(asked('CHECK', true), asked('CHECK', true, newest)) },
  { weight: 2, arbitrary: fc.constantFrom(asked('GC', true, newest)) },
  { weight: 2, arbitrary: fc.constantFrom(asked('STATUS', true, newest), asked('STATUS', false, newest)) },
);

const few = fc.array(change, { minLength: 1, maxLength: 3 });

/** One or two of the members. */
function fewOf<T>(
  members: Readonly<Record<string, fc.Arbitrary<T>>>,
): fc.Arbitrary<Readonly<Record<string, T>>> {
  const one = fc.oneof(...Object.entries(members).map(([key, value]) => fc.tuple(fc.constant(key), value)));
  return fc.array(one, { minLength: 1, maxLength: 2 }).map((entries) => Object.fromEntries(entries));
}

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    ...[
      '',
      ' ',
      '.',
      '..',
      '../x',
      'a/b',
      'a\\b',
      'a:b',
      '\u0000',
      'İ',
      '🦆',
      'K',
      '__proto__',
      'x'.repeat(33_000),
    ],
  ),
);
const netns = fc.constantFrom(
  ...[
    `/var/run/netns/${namespace}`,
    `{${namespace}}`,
    namespace.toUpperCase(),
    `C:\\${namespace}`,
    `${namespace} `,
  ],
  ...['00000000-0000-0000-0000-000000000000', '/proc/1/ns/net', `${namespace}\n`],
);

const cniArgs = fc.oneof(
  text,
  fc
    .array(
      fc.tuple(
        fc.oneof(
          fc.constantFrom(
            'IP',
            'MAC',
            'ip',
            'K8S_POD_NAMESPACE',
            'K8S_POD_NAME',
            'IgnoreUnknown',
            '__proto__',
            '',
          ),
          fc.string(),
        ),
        fc.oneof(
          fc.constantFrom(
            '10.244.1.7',
            '10.244.1.7/24,fd00::7',
            '0e-2a-00-00-00-01',
            '0e:2a:0:0:0:1',
            'a',
            '1',
            '',
          ),
          text,
        ),
        fc.constantFrom('=', '', '=='),
      ),
      { maxLength: 4 },
    )
    .map((pairs) => pairs.map(([key, value, sign]) => `${key}${sign}${value}`).join(';')),
);

const environment = fewOf({
  CNI_COMMAND: fc.oneof(fc.constantFrom('VERSION', 'UPDATE', 'add', 'ADD ', 'toString', '__proto__'), text),
  CNI_CONTAINERID: fc.option(text, { nil: undefined }),
  CNI_NETNS: fc.option(fc.oneof(netns, text), { nil: undefined }),
  CNI_IFNAME: fc.option(fc.oneof(text, fc.constantFrom('Ethernet 2', 'x'.repeat(15), 'x'.repeat(16))), {
    nil: undefined,
  }),
  CNI_PATH: fc.option(fc.oneof(text, fc.constantFrom('/opt/cni/bin', ':/opt/cni/bin::', ';', 'C:\\"a;b"')), {
    nil: undefined,
  }),
  CNI_ARGS: fc.option(cniArgs, { nil: undefined }),
  CNI_UNKNOWN: text,
});
const executable = fc.oneof(
  { weight: 3, arbitrary: fc.constant('/opt/cni/bin/win-hcn') },
  fc.constantFrom('C:\\cni\\sdnbridge.exe', '/nat', 'win-overlay', '', 'host-local.exe'),
  text,
);

/** A result as a plugin prints it, in the shape of each version. */
const result = fc.oneof(
  fc.record(
    {
      cniVersion: fc.constantFrom('0.3.0', '0.4.0', '1.0.0', '1.1.0'),
      interfaces: fc.array(
        fc.record(
          {
            name: fc.constantFrom('eth0', 'eth1', ''),
            mac: fc.constantFrom('0E-2A-00-00-00-01', 'x'),
            sandbox: fc.constantFrom(namespace, ''),
            mtu: fc.nat(),
          },
          { requiredKeys: ['name'] },
        ),
        { maxLength: 2 },
      ),
      ips: fc.array(
        fc.record(
          {
            version: fc.constantFrom('4', '6'),
            address: fc.constantFrom(
              '10.244.1.7/24',
              '10.244.1.1/24',
              '10.244.1.2/16',
              '10.4.0.9/24',
              'fd00::7/64',
              '10.244.1.255/24',
            ),
            gateway: fc.constantFrom('10.244.1.1', '10.244.1.2', 'fd00::1', ''),
            interface: fc.integer({ min: -1, max: 3 }),
          },
          { requiredKeys: ['address'] },
        ),
        { maxLength: 3 },
      ),
      routes: fc.array(
        fc.record(
          {
            dst: fc.constantFrom('0.0.0.0/0', '::/0', '10.0.0.0/8'),
            gw: fc.constantFrom('10.244.1.3', 'fd00::1', ''),
          },
          { requiredKeys: ['dst'] },
        ),
        { maxLength: 2 },
      ),
      dns: fc.constantFrom({}, { nameservers: ['10.96.0.10'], domain: 'a', search: ['b'], options: ['c'] }),
    },
    { requiredKeys: [] },
  ),
  fc.record(
    {
      cniVersion: fc.constantFrom('0.1.0', '0.2.0'),
      ip4: fc.record(
        {
          ip: fc.constantFrom('10.244.1.7/24', '10.0.0.1/33'),
          gateway: fc.constant('10.244.1.1'),
          routes: fc.constant([{ dst: '0.0.0.0/0' }]),
        },
        { requiredKeys: [] },
      ),
      ip6: fc.constantFrom(null, { ip: 'fd00::7/64' }),
    },
    { requiredKeys: [] },
  ),
);

const runtimeConfig = fewOf({
  portMappings: fc.oneof(
    oddValue,
    fc.array(
      fc.record(
        {
          hostPort: fc.integer({ min: -1, max: 65536 }),
          containerPort: fc.integer({ min: 0, max: 65536 }),
          protocol: fc.constantFrom('tcp', 'UDP', 'sctp', ''),
          hostIP: fc.constantFrom('', '0.0.0.0', '10.0.0.4', '::1'),
        },
        { requiredKeys: [] },
      ),
      { maxLength: 3 },
    ),
  ),
  dns: fc.oneof(
    oddValue,
    fc.record(
      {
        servers: fc.oneof(oddValue, fc.constant(['10.96.0.10'])),
        searches: fc.oneof(oddValue, fc.constant(['a.b'])),
        options: oddValue,
      },
      { requiredKeys: [] },
    ),
  ),
  mac: fc.oneof(oddValue, fc.constantFrom('00-15-5D-52-C0-01', '0e:2a:0a:0b:0c:0d', 'ff-ff-ff-ff-ff-ff')),
  ips: fc.oneof(
    oddValue,
    fc.array(fc.constantFrom('10.244.1.7', '10.244.1.7/24', 'fd00::7', '10.9.9.9', ''), { maxLength: 3 }),
  ),
  bandwidth: fc.oneof(
    oddValue,
    fc.record(
      {
        ingressRate: fc.constantFrom(0, 1, null),
        egressRate: fc.constantFrom(0, 7, 8, 8e9, 1e308, -1, 8.5),
        egressBurst: oddValue,
      },
      { requiredKeys: [] },
    ),
  ),
  ipRanges: oddValue,
  aliases: oddValue,
  cgroupPath: oddValue,
});

const ofRuntime = fewOf({
  prevResult: fc.oneof(result, oddValue),
  runtimeConfig: fc.oneof({ weight: 4, arbitrary: runtimeConfig }, oddValue),
  args: fc.oneof(
    fc.record({
      cni: fc.oneof(oddValue, fc.record({ ips: oddValue, mac: oddValue }, { requiredKeys: [] })),
    }),
    oddValue,
  ),
  capabilities: fc.oneof(fc.constantFrom<unknown>({ portMappings: true, dns: true }), oddValue),
  'cni.dev/valid-attachments': fc.oneof(
    oddValue,
    fc.array(
      fc.oneof(
        oddValue,
        fc.record({ containerID: fc.constantFrom('c0ffee', 'x', ''), ifname: fc.constantFrom('eth0', '') }),
      ),
      { maxLength: 3 },
    ),
  ),
  'cni.dev/attachments': oddValue,
  cniVersion: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('0.1.0', '0.2.0', '0.3.1', '0.4.0', '1.0.0', '1.1.0') },
    oddValue,
  ),
  hcnTimeoutSeconds: fc.oneof(fc.constantFrom(1, 120, 121, 0, 1.5, 1e308), oddValue),
});

/** What an IPAM plugin may print: results, errors, and neither. */
const printed = fc.oneof(
  result.map((one) => JSON.stringify(one)),
  result
    .chain((one) => few.map((changes) => ({ one, changes })))
    .map(({ one, changes }) => JSON.stringify(changed(one, changes)) ?? ''),
  fc
    .record(
      {
        cniVersion: fc.constant('1.0.0'),
        code: fc.oneof(fc.integer({ min: -1, max: 120 }), oddValue),
        msg: fc.oneof(fc.constantFrom('full', '', ' '), oddValue),
        details: oddValue,
      },
      { requiredKeys: [] },
    )
    .map((one) => JSON.stringify(one)),
  fc.json(),
  fc.string(),
  fc.constantFrom('', '\ufeff{}', '{}{}', '{"ips":null}', '\u0000', 'panic: runtime error', '['.repeat(3000)),
);
const ipamEnd: fc.Arbitrary<IpamEnd> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      exitCode: fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(0, 1) },
        fc.constantFrom(null, 2, 127, -1, 0xc0000005),
      ),
      stdout: printed,
    }),
  },
  fc.constantFrom<IpamEnd>('does not start', 'hangs'),
);

type Given = { readonly [K in keyof Unusual]?: fc.Arbitrary<Unusual[K]> };

/** A request of each command, with what is given over the usual. */
function asking({ members = fc.constant({}), ...given }: Given): fc.Arbitrary<Unusual> {
  const parts = fc.record({ configuration, ...given } as {
    readonly configuration: fc.Arbitrary<Configuration>;
  });
  return fc.tuple(command, parts, members).map(([asked, part, more]) => ({
    ...asked,
    ...part,
    members: { ...asked.members, ...more },
  }));
}

const delegating = fc
  .tuple(configuration, fc.constantFrom('host-local', 'test-ipam'))
  .map(([given, type]) => {
    const key = Object.keys(given.config).find((one) => one.toLowerCase() === 'ipam') ?? 'ipam';
    return {
      ...given,
      config: { ...given.config, [key]: { ...(given.config[key] as Json | undefined), type } },
    };
  });

/** Requests by what is not as usual about them. */
export const requests = {
  'a configuration as people write it': asking({}),
  'a configuration changed in a few places': asking({ changes: few }),
  'keys nobody knows': asking({ members: fc.dictionary(oddKey, oddValue, { maxKeys: 4 }) }),
  'an odd environment': asking({ environment, executable }),
  'odd bytes on stdin': asking({ writing }),
  'no configuration at all': asking({
    configuration: validConfig.map((config) => ({
      config: config as Json,
      before: undefined,
      within: '10.244.1.',
    })),
    changes: fc.array(fc.record({ at: fc.constant(0), become: oddValue }), { minLength: 1, maxLength: 1 }),
  }),
  'what a runtime asks, in any form': asking({ members: ofRuntime }),
  'wrong answers of HCN': asking({ faults: wrongAnswers }),
  'documents of HCN changed in a few places': asking({ faults: changedAnswers }),
  'calls that hang or are late': asking({ faults: lateAnswers }),
  'no library': asking({ library: fc.constantFrom('missing', 'unusable') }),
  'an IPAM plugin that prints anything': asking({
    configuration: delegating,
    ipam: fc.array(ipamEnd, { minLength: 1, maxLength: 3 }),
  }),
  'everything at once': asking({
    changes: fc.array(change, { maxLength: 1 }),
    members: fc.oneof(fc.constant({}), ofRuntime),
    faults: fc.oneof(wrongAnswers, changedAnswers, lateAnswers),
    ipam: fc.array(ipamEnd, { maxLength: 2 }),
  }),
} satisfies Readonly<Record<string, fc.Arbitrary<Unusual>>>;
