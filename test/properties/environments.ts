import fc from 'fast-check';
import { fewOf } from './few-of.ts';
import { namespace } from './request.ts';

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

/** CNI's variables with one or two missing, empty, odd or very long. */
export const environment = fewOf({
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
export const executable = fc.oneof(
  { weight: 3, arbitrary: fc.constant('/opt/cni/bin/win-hcn') },
  fc.constantFrom('C:\\cni\\sdnbridge.exe', '/nat', 'win-overlay', '', 'host-local.exe'),
  text,
);
