import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { generatedTypes } from '../../../src/cli/config/generate.ts';
import { pluginsIn } from '../../../src/cli/conflist/plugin-list.ts';
import { type Node, startNode } from '../node.ts';
import { type CliEnvironment, failure, runCli, success } from './run-cli.ts';

let node: Node;
beforeEach(async () => {
  node = await startNode({ adapters: [{ name: 'Ethernet', managementIp: '10.0.0.4' }], profile: 'hns15.5' });
});
afterEach(() => node.stop());

function generate(line: string, environment: CliEnvironment = {}) {
  return runCli(['config', 'generate', ...line.split(' ').filter(Boolean)], environment);
}

const kubernetes = '--cluster-cidr 10.244.0.0/16 --service-cidr 10.96.0.0/12';

test('the conflist of an L2Bridge network has the node as gateway, and all versions of the protocol', async () => {
  const line = `--type L2Bridge --subnet 10.244.1.9/24 ${kubernetes} --dns 10.96.0.10 --adapter 以太网`;
  const { stdout } = await generate(line);
  expect(stdout).toContain('"adapter": "\\u4ee5\\u592a\\u7f51"');
  expect(JSON.parse(stdout)).toMatchObject({
    cniVersions: ['0.3.1', '0.4.0', '1.0.0', '1.1.0'],
    plugins: [
      {
        adapter: '以太网',
        subnets: [{ subnet: '10.244.1.0/24', gateway: '10.244.1.1' }],
        hostEndpoint: { address: '10.244.1.2' },
      },
    ],
  });
});

test('--gateway replaces the host endpoint', async () => {
  const { stdout } = await generate('--type L2Bridge --subnet 10.244.1.0/24 --gateway 10.244.1.254');
  const [plugin] = JSON.parse(stdout).plugins;
  expect(plugin).toMatchObject({ subnets: [{ gateway: '10.244.1.254' }] });
  expect(plugin).not.toHaveProperty('hostEndpoint');
});

const stacks = [
  { subnet: '10.244.1.0/24', ips: ['10.244.1.10/24'] },
  { subnet: '10.244.1.0/24,fd00:10:244:1::/64', ips: ['10.244.1.10/24', 'fd00:10:244:1::a/64'] },
];
const cells = generatedTypes.flatMap((type) =>
  stacks.flatMap((stack) => (['none', 'host-local'] as const).map((ipam) => ({ type, ...stack, ipam }))),
);

// Overlay networks on Windows do not support IPv6.
test.each(cells.filter(({ type, ips }) => type !== 'Overlay' || ips.length === 1))(
  'the conflist of $type with $subnet and IPAM $ipam runs ADD, CHECK and DEL',
  async ({ type, subnet, ips, ipam }) => {
    const { stdout } = await generate(`--type ${type} --subnet ${subnet} --ipam ${ipam}`);
    const config = pluginsIn(JSON.parse(stdout), 'win-hcn.exe')[0]?.config ?? {};
    const result = { cniVersion: '1.0.0', ips: ips.map((address) => ({ address })) };
    node.ipam.override.set('ADD', { exitCode: 0, stdout: JSON.stringify(result) });
    node.ipam.override.set('CHECK', { exitCode: 0, stdout: '' });
    const pod = node.newPod();
    const added = await node.add(config, pod);
    expect(added).toMatchObject({ exitCode: 0, json: { ips: ips.map(() => ({})) } });
    const checked = await node.check({ ...config, prevResult: added.json }, pod);
    expect(checked).toMatchObject({ exitCode: 0, stdout: '' });
    expect(await node.del(config, pod)).toMatchObject({ exitCode: 0, stdout: '' });
  },
);

test.each([
  ['--type L2Bridge', '--type L2Bridge requires --subnet, as in --subnet 10.244.1.0/24'],
  ['--type NAT --ipam host-local', '--ipam host-local requires --subnet, as in --subnet 10.244.1.0/24'],
  ['--type NAT --adapter Ethernet', '--adapter has no effect on a NAT network. Omit it'],
  ['--type NAT --service-cidr 10.96.0.0/12', '--service-cidr has no effect on a NAT network. Omit it'],
  [
    '--type L2Bridge --subnet 10.244.1.0/30',
    '--subnet 10.244.1.0/30 is too small for pods: use /29 or larger',
  ],
  [
    '--type L2Bridge --subnet 10.9.1.0/24 --cluster-cidr 10.244.0.0/16',
    '--subnet 10.9.1.0/24 is not in --cluster-cidr 10.244.0.0/16, which must contain the pods of all nodes',
  ],
  [
    '--type L2Bridge --subnet 10.96.1.0/24 --service-cidr 10.96.0.0/12',
    '--service-cidr 10.96.0.0/12 overlaps 10.96.1.0/24',
  ],
  [
    '--type L2Bridge --subnet 10.244.1.0/24 --gateway 10.9.9.9',
    '/plugins/0/subnets/0/gateway is "10.9.9.9", expected a host address in 10.244.1.0/24',
  ],
  [
    '--type Overlay --subnet fd00:10:244:1::/64',
    'Overlay networks on Windows do not support IPv6: omit --subnet fd00:10:244:1::/64',
  ],
])('config generate %s is refused', async (line, problem) => {
  expect(await generate(line)).toEqual(
    failure(2, `win-hcn: ${problem}`, "Run 'win-hcn config generate --help' for usage."),
  );
});

test.each([
  [
    '--type NAT --subnet 10.1',
    "option '--subnet <cidr...>' argument '10.1' is invalid. expected a range such as 10.244.1.0/24",
  ],
  [
    '--type NAT --dns x',
    "option '--dns <address...>' argument 'x' is invalid. expected an address such as 10.96.0.10",
  ],
])('config generate %s is wrong usage', async (line, problem) => {
  expect(await generate(line)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(problem) });
});

describe('--file', () => {
  const file = 'C:\\etc\\cni\\net.d\\10-win-hcn.conflist';
  const other = { 'C:\\etc\\cni\\net.d\\other.json': '{}' };

  test('writes the printed conflist', async () => {
    const { stdout } = await generate('--type NAT');
    const bytes = new TextEncoder().encode(stdout);
    expect(await generate(`--type NAT --file ${file}`, { files: other })).toEqual({
      ...success(`Written: ${file}`),
      written: { [file]: bytes },
    });
  });

  test('replaces a file only with --force', async () => {
    const files = { [file]: '{}' };
    expect(await generate(`--type NAT --file ${file}`, { files })).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(`${file} already exists: replace it with --force`),
    });
    expect(await generate(`--type NAT --file ${file} --force`, { files })).toMatchObject({ exitCode: 0 });
  });
});
