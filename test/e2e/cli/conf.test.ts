import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { pluginsIn } from '../../../src/cli/conflist/plugin-list.ts';
import { networkTypes } from '../../../src/config/network-config.ts';
import { contentOf, newFolder as createFolder, program } from '../../unit/cli/install/bin-folder.ts';
import { type Node, startNode } from '../node.ts';
import { type CliEnvironment, failure, runCli, success } from './run-cli.ts';

let node: Node;
beforeEach(async () => {
  const adapters = [
    { name: 'Ethernet', managementIp: '10.0.0.4' },
    { name: 'Ethernet 2', managementIp: '172.16.0.4' },
  ];
  node = await startNode({ adapters, profile: 'hns15.5' });
});
afterEach(() => node.stop());

function generate(line: string, environment: CliEnvironment = {}) {
  return runCli(['conf', 'generate', ...line.split(' ').filter(Boolean)], {
    system: node.outside,
    ...environment,
  });
}

/** A node on which PowerShell reads this version of containerd. */
function withContainerd(version: string): CliEnvironment {
  return {
    powershell: (script) => ({
      stdout: script.includes('--version')
        ? JSON.stringify({ output: `containerd github.com/containerd/containerd/v2 ${version} 88aa2f531d6c` })
        : JSON.stringify({ services: ['"C:\\k\\containerd.exe" --run-service'], processes: [] }),
    }),
  };
}

function newFolder(files: Readonly<Record<string, string>> = {}): string {
  const folder = createFolder(files);
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const kubernetes = '--cluster-cidr 10.244.0.0/16 --service-cidr 10.96.0.0/12';

test('the conflist of an L2Bridge network has the node as gateway, and the latest cniVersion of containerd', async () => {
  const line = `--type l2bridge --subnet 10.244.1.0/24 ${kubernetes} --dns 10.96.0.10 --dns-search svc.cluster.local`;
  expect(await generate(line, withContainerd('v2.1.4'))).toEqual(
    success(
      '{',
      '  "x-cniVersion": "For containerd 2.1.4. Use 1.0.0 before containerd 2.0.1.",',
      '  "cniVersion": "1.1.0",',
      '  "name": "l2bridge",',
      '  "plugins": [',
      '    {',
      '      "type": "win-hcn",',
      `      "x-comment": "Pods in the node's layer 2 network.",`,
      '      "networkType": "L2Bridge",',
      '      "x-adapter": "The adapter with the default route. Its connections are interrupted when the network is created.",',
      '      "adapter": "Ethernet",',
      `      "x-subnets": "The gateway of pods is 10.244.1.2, the node's own endpoint, because no default gateway of the node is in 10.244.1.0/24. HNS reserves 10.244.1.1. To use a router with routes to the pods of every node, replace hostEndpoint with the router's address as the gateway of the subnet.",`,
      '      "subnets": [{ "subnet": "10.244.1.0/24", "gateway": "10.244.1.1" }],',
      `      "x-hostEndpoint": "The node's own endpoint. The node forwards the traffic of its pods.",`,
      '      "hostEndpoint": { "address": "10.244.1.2" },',
      '      "x-capabilities": "Settings that the runtime passes for a pod.",',
      '      "capabilities": { "dns": true, "portMappings": true, "bandwidth": true },',
      '      "dns": { "nameservers": ["10.96.0.10"], "search": ["svc.cluster.local"] },',
      `      "x-outboundNat": "Translates the pod's address to the node's, except for traffic to pods and services.",`,
      '      "outboundNat": { "exceptions": ["10.244.0.0/16", "10.96.0.0/12"] },',
      '      "x-sdnRoutes": "The virtual switch takes the traffic to services, not the gateway.",',
      '      "sdnRoutes": [{ "destinationPrefix": "10.96.0.0/12", "needEncap": true }]',
      '    }',
      '  ]',
      '}',
    ),
  );
});

describe('every generated conflist', () => {
  const ranges = {
    IPv4: {
      subnet: '10.244.1.0/24',
      cluster: '10.244.0.0/16',
      services: '10.96.0.0/12',
      gateway: '10.244.1.254',
    },
    IPv6: {
      subnet: 'fd00:10:244:1::/64',
      cluster: 'fd00:10:244::/56',
      services: 'fd00:10:96::/112',
      gateway: 'fd00:10:244:1::fe',
    },
  };
  const stacks = [['IPv4'], ['IPv6'], ['IPv4', 'IPv6']] as const;
  const cells = networkTypes.flatMap((type) =>
    stacks.flatMap((stack) => (['none', 'host-local'] as const).map((ipam) => ({ type, stack, ipam }))),
  );
  const possible = cells.filter(
    ({ type, stack }) => type !== 'Overlay' || !stack.some((family) => family === 'IPv6'),
  );

  test.each(possible)('runs ADD, CHECK and DEL: $type, $stack, IPAM $ipam', async ({ type, stack, ipam }) => {
    const all = (range: keyof (typeof ranges)['IPv4']) =>
      stack.map((family) => ranges[family][range]).join(',');
    const isTranslated = ['L2Bridge', 'L2Tunnel', 'Overlay'].includes(type);
    const { stdout } = await generate(
      `--type ${type} --subnet ${all('subnet')} --ipam ${ipam} --dns 10.96.0.10 ` +
        (isTranslated ? `--cluster-cidr ${all('cluster')} --service-cidr ${all('services')} ` : '') +
        (type === 'Transparent' ? `--gateway ${all('gateway')}` : ''),
    );
    expect(await runCli(['validate', '-'], { stdin: stdout })).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/: no problems\n$/),
    });
    const config = pluginsIn(JSON.parse(stdout), 'win-hcn.exe')[0]?.config ?? {};
    const ips = stack.map((family) => ({
      address: family === 'IPv4' ? '10.244.1.10/24' : 'fd00:10:244:1::a/64',
    }));
    node.ipam.override.set('ADD', { exitCode: 0, stdout: JSON.stringify({ cniVersion: '1.0.0', ips }) });
    node.ipam.override.set('CHECK', { exitCode: 0, stdout: '' });
    const pod = node.newPod();
    const added = await node.add(config, pod);
    expect(added).toMatchObject({ exitCode: 0, json: { ips: stack.map(() => ({})) } });
    const checked = await node.check({ ...config, prevResult: added.json }, pod);
    expect(checked).toMatchObject({ exitCode: 0, stdout: '' });
    expect(await node.del(config, pod)).toMatchObject({ exitCode: 0, stdout: '' });
  });
});

test.each([
  ['1.6.8', '1.0.0'],
  ['1.7.20', '1.0.0'],
  ['v2.0.0', '1.0.0'],
  ['v2.0.1', '1.1.0'],
  ['v2.3.0-rc.1', '1.1.0'],
])('containerd %s gets cniVersion %s', async (version, cniVersion) => {
  const { stdout } = await generate('--type NAT', withContainerd(version));
  expect(JSON.parse(stdout)).toMatchObject({ cniVersion });
});

describe('the gateway', () => {
  const pluginOf = async (line: string) => JSON.parse((await generate(line)).stdout).plugins[0];

  test("is the node's own router if it is in the subnet", async () => {
    const plugin = await pluginOf('--type L2Bridge --subnet 10.0.0.0/24 --ipam host-local');
    expect(plugin).toMatchObject({
      'x-subnets': "The gateway is 10.0.0.1, the node's own default gateway.",
      subnets: [{ subnet: '10.0.0.0/24', gateway: '10.0.0.1' }],
      ipam: { ranges: [[{ subnet: '10.0.0.0/24', gateway: '10.0.0.1' }]] },
    });
    expect(plugin).not.toHaveProperty('hostEndpoint');
  });

  test('is the requested one', async () => {
    const plugin = await pluginOf(
      '--type L2Bridge --subnet 10.244.1.0/24 --gateway 10.244.1.254 --ipam host-local',
    );
    expect(plugin).toMatchObject({
      subnets: [{ gateway: '10.244.1.254' }],
      ipam: { ranges: [[{ gateway: '10.244.1.254' }]] },
    });
    expect(plugin).not.toHaveProperty('hostEndpoint');
  });

  test("is the node's endpoint for IPv4, and a router for IPv6", async () => {
    expect(
      await pluginOf('--type L2Bridge --subnet 10.244.1.0/24 fd00:10:244:1::/64 --ipam host-local'),
    ).toMatchObject({
      subnets: [{ gateway: '10.244.1.1' }, { gateway: 'fd00:10:244:1::1' }],
      hostEndpoint: { address: '10.244.1.2' },
      ipam: { ranges: [[{ rangeStart: '10.244.1.3' }], [{ gateway: 'fd00:10:244:1::1' }]] },
    });
  });

  test('of a Private network does not exist', async () => {
    const plugin = await pluginOf('--type Private --subnet 10.244.1.0/24');
    expect(plugin.subnets).toEqual([{ subnet: '10.244.1.0/24' }]);
  });
});

test.each([
  ['--type NAT', { keys: { networkPolicies: [{ Type: 'AutomaticDNS', Settings: { Enable: true } }] } }],
  ['--type NAT --dns 10.0.0.53', { keys: { dns: { nameservers: ['10.0.0.53'] } } }],
  [
    '--type Overlay --subnet 10.244.1.0/24',
    { keys: { subnets: [{ vsid: 4096 }], networkPolicies: [{ Type: 'HostRoute' }] } },
  ],
  [
    '--type Overlay --subnet 10.244.1.0/24 --vsid 5000 --name flannel.5000',
    { name: 'flannel.5000', keys: { subnets: [{ vsid: 5000 }] } },
  ],
  ['--type Transparent --subnet 10.0.0.0/24 --adapter 10.0.0.4', { keys: { adapter: '10.0.0.4' } }],
])('%s gives the matching keys', async (line, { keys, ...list }) => {
  expect(JSON.parse((await generate(line)).stdout)).toMatchObject({ ...list, plugins: [keys] });
});

test('characters outside ASCII are escaped, because PowerShell changes them in a pipe', async () => {
  const { stdout } = await generate(
    '--type Internal --subnet 10.244.1.0/24 --name pods --dns-search müller.example',
  );
  expect(stdout).toContain('"search": ["m\\u00fcller.example"]');
});

test('without HCN, the conflist leaves the adapter to the first ADD', async () => {
  const loadIpHelper = () => Promise.reject(new Error('no Windows'));
  const printed = await generate('--type L2Bridge --subnet 10.244.1.0/24', { system: { loadIpHelper } });
  expect(printed).toMatchObject({
    exitCode: 0,
    stderr:
      "win-hcn: cannot read this node's adapters: no Windows; the conflist names no adapter, and the first ADD uses the one with the default route\n",
  });
  expect(printed.stdout).not.toContain('adapter"');
});

describe('refused with one sentence:', () => {
  test.each([
    ['--type L2Bridge', '--subnet is required for an L2Bridge network, as in --subnet 10.244.1.0/24'],
    ['--type NAT --ipam host-local', '--ipam host-local requires --subnet'],
    ['--type NAT --gateway 10.0.0.1', '--gateway requires --subnet'],
    [
      '--type NAT --cluster-cidr 10.244.0.0/16',
      '--cluster-cidr has no effect on a NAT network: win-hcn does not translate addresses there. Omit it',
    ],
    [
      '--type NAT --vsid 4096',
      '--vsid has no effect on a NAT network: only Overlay networks have a VSID. Omit it',
    ],
    [
      '--type ICS --adapter Ethernet',
      '--adapter has no effect on an ICS network: it has no adapter. Omit it',
    ],
    [
      '--type Private --subnet 10.1.0.0/24 --gateway 10.1.0.1',
      '--gateway has no effect on a Private network: it has no way out. Omit it',
    ],
    ['--type NAT --subnet 10.244.1.5/24', '--subnet 10.244.1.5/24 has host bits: use 10.244.1.0/24'],
    [
      '--type NAT --subnet 10.244.1.0/24,10.244.2.0/24',
      '--subnet has several IPv4 ranges, expected at most one of each family',
    ],
    ['--type NAT --subnet 10.244.1.0/30', '--subnet 10.244.1.0/30 is too small for pods: use /29 or larger'],
    [
      '--type Overlay --subnet fd00::/64',
      '--subnet fd00::/64 is not possible: Overlay networks on Windows do not support IPv6',
    ],
    [
      '--type L2Bridge --subnet 10.1.0.0/24 --cluster-cidr 10.244.0.0/16',
      '--subnet 10.1.0.0/24 is not in --cluster-cidr 10.244.0.0/16, which must contain the pods of all nodes',
    ],
    [
      '--type L2Bridge --subnet 10.244.0.0/16 --cluster-cidr 10.244.0.0/24',
      '--subnet 10.244.0.0/16 is not in --cluster-cidr 10.244.0.0/24, which must contain the pods of all nodes',
    ],
    [
      '--type L2Bridge --subnet 10.96.1.0/24 --service-cidr 10.96.0.0/12',
      '--service-cidr 10.96.0.0/12 overlaps 10.96.1.0/24, but services and pods need different addresses',
    ],
    [
      '--type L2Bridge --subnet 10.244.1.0/24 --cluster-cidr 10.244.0.0/16,fd00:10:244::/48',
      '--cluster-cidr has the IPv6 range fd00:10:244::/48, but --subnet has none: add the IPv6 subnet of this node',
    ],
    [
      '--type L2Bridge --subnet 10.244.1.0/24 --service-cidr fd00:10:96::/112',
      '--service-cidr has the IPv6 range fd00:10:96::/112, but --subnet has none: add the IPv6 subnet of this node',
    ],
    [
      '--type L2Bridge --subnet 10.244.1.0/24,fd00::/64 --cluster-cidr 10.244.0.0/16',
      "--subnet has the IPv6 range fd00::/64, but --cluster-cidr has none: add the cluster's IPv6 range",
    ],
    [
      '--type L2Bridge --subnet 10.244.1.0/24 --gateway 10.0.0.1',
      '--gateway 10.0.0.1 is not a host address in 10.244.1.0/24',
    ],
    [
      '--type L2Bridge --subnet 10.244.1.0/24 --gateway 10.244.1.255',
      '--gateway 10.244.1.255 is not a host address in 10.244.1.0/24',
    ],
    [
      '--type NAT --subnet 10.1.0.0/24 --gateway 10.1.0.1,10.1.0.2',
      '--gateway has several IPv4 addresses, expected at most one',
    ],
    [
      '--type Transparent --subnet 10.42.0.0/24',
      '--gateway is required, because no default gateway of this node is in 10.42.0.0/24: specify the router of the physical network',
    ],
  ])('%s', async (line, sentence) => {
    expect(await generate(line)).toEqual(
      failure(2, `win-hcn: ${sentence}`, "Run 'win-hcn conf generate --help' for usage."),
    );
  });

  test('a cniVersion that containerd does not support', async () => {
    expect(await generate('--type NAT --cni-version 1.1.0', withContainerd('v2.0.0'))).toEqual(
      failure(
        2,
        'win-hcn: --cni-version 1.1.0 requires containerd 2.0.1 or later, but this node has 2.0.0: use --cni-version 1.0.0',
        "Run 'win-hcn conf generate --help' for usage.",
      ),
    );
  });

  test.each([
    [
      '--type Bridge',
      "error: option '--type <type>' argument 'Bridge' is invalid. expected one of L2Bridge,",
    ],
    ['', "required option '--type <type>' not specified"],
    ['--type NAT --subnet 10.0.0.0', 'expected a range such as 10.244.1.0/24'],
    ['--type NAT --dns dns.example', 'expected an address such as 10.96.0.10'],
    ['--type Overlay --vsid 1', 'expected 4096 to 16777214'],
    [
      '--type NAT --file ..\\a.conflist',
      'expected a file name without a folder, such as 10-win-hcn.conflist',
    ],
    ['--type NAT --cni-version 2.0.0', 'Allowed choices are 0.1.0'],
    ['--type NAT --yes', 'win-hcn: --yes requires --write\n'],
    [
      '--type NAT --file pods.conflist --conf-dir C:\\cni --yes',
      'win-hcn: --file and --conf-dir and --yes require --write\n',
    ],
    ['--type NAT --name a/b', 'invalid characters found in network name "a/b"'],
  ])('%s', async (line, text) => {
    const { exitCode, stdout, stderr } = await generate(line);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(text.replace('error: ', ''));
  });

  test('an adapter that does not exist', async () => {
    const { exitCode, stderr } = await generate('--type L2Bridge --subnet 10.244.1.0/24 --adapter Wi-Fi');
    expect(exitCode).toBe(2);
    expect(stderr).toContain(
      'win-hcn: --adapter is "Wi-Fi", expected the alias, index, MAC address, IP address or subnet of a network adapter (network adapters: "Ethernet" (index ',
    );
  });
});

describe('the adapter is required if the default route', () => {
  const adapter = {
    index: 5,
    description: '',
    mtu: 1500,
    isUp: true,
    mediaType: 6,
    addresses: [],
    metric: 10,
  };
  const one = { ...adapter, alias: 'Ethernet', mac: '00-15-5D-00-00-00' };
  const two = { ...adapter, alias: 'Ethernet 2', mac: '00-15-5D-00-00-01' };
  test.each([
    [
      'is missing',
      [{ ...one, gateways: [] }],
      '--adapter is missing and no network adapter has a default route. Set it to an adapter',
    ],
    [
      'is on several adapters',
      [
        { ...one, gateways: ['10.0.0.1'] },
        { ...two, gateways: ['172.16.0.1'] },
      ],
      '--adapter is missing and several network adapters have a default route: "Ethernet", "Ethernet 2". Set it to the alias of one of them',
    ],
  ])('%s', async (_, adapters, sentence) => {
    const uncalled = () => Promise.reject(new Error('not called'));
    const loadIpHelper = async () => ({
      readAdapters: async () => adapters,
      readRoutes: uncalled,
      enableForwarding: uncalled,
      removeDefaultRoutes: uncalled,
      createRoute: uncalled,
      deleteRoute: uncalled,
    });
    const printed = await generate('--type L2Bridge --subnet 10.244.1.0/24', { system: { loadIpHelper } });
    expect(printed).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(`win-hcn: ${sentence} (`) });
  });
});

describe('--write', () => {
  test('writes the printed conflist, and changes nothing the next time', async () => {
    const folder = newFolder();
    const path = join(folder, '10-win-hcn.conflist');
    const line = `--type NAT --subnet 172.28.0.0/20`;
    expect(await generate(`${line} --write --conf-dir ${folder}`)).toEqual(success(`Written: ${path}`));
    expect(readFileSync(path, 'utf8')).toBe((await generate(line)).stdout);
    expect(readdirSync(folder)).toEqual(['10-win-hcn.conflist']);
    expect(await generate(`${line} --write --conf-dir ${folder}`)).toEqual(
      success(`${path} has this content. Nothing to change.`),
    );
  });

  test('replaces other content only with --yes', async () => {
    const folder = newFolder();
    const path = join(folder, 'pods.conflist');
    writeFileSync(path, '{}');
    const line = `--type NAT --write --file pods.conflist --conf-dir ${folder}`;
    expect(await generate(line)).toEqual(
      failure(1, `win-hcn: ${path} exists and has other content. Rerun with --yes to replace it.`),
    );
    expect(readFileSync(path, 'utf8')).toBe('{}');
    expect(await generate(`${line} --yes`)).toEqual(success(`Written: ${path}`));
    expect(readFileSync(path, 'utf8')).toContain('"win-hcn"');
  });

  test('warns about a file that containerd uses instead', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, '07-flannel.conf'), '{}');
    expect(await generate(`--type NAT --write --conf-dir ${folder}`)).toEqual({
      ...success(`Written: ${join(folder, '10-win-hcn.conflist')}`),
      stderr: `win-hcn: containerd uses 07-flannel.conf instead, the first file in ${folder}. Rename it so that its name does not end with .conf, .conflist or .json.\n`,
    });
  });

  test.each([
    ['folder', (path: string) => mkdirSync(path)],
    ['link', (path: string) => symlinkSync('/etc/hosts', path)],
  ])('refuses a %s with the name of the file', async (kind, create) => {
    const folder = newFolder();
    const path = join(folder, '10-win-hcn.conflist');
    create(path);
    expect(await generate(`--type NAT --write --yes --conf-dir ${folder}`)).toEqual(
      failure(1, `win-hcn: ${path} is a ${kind}, not a file. Delete it, or choose another name with --file`),
    );
  });

  test('does not create the folder', async () => {
    const folder = join(newFolder(), 'missing');
    expect(await generate(`--type NAT --write --conf-dir ${folder}`)).toEqual(
      failure(
        1,
        `win-hcn: folder ${folder} does not exist. Run 'win-hcn install --yes' first, which creates the folder and restricts access to it`,
      ),
    );
  });

  test("asks for the folder if containerd's configuration is broken, or outside Windows", async () => {
    const system = { ...node.outside, windows: true };
    const files = { 'C:\\Program Files\\containerd\\config.toml': 'version = ' };
    expect(await generate('--type NAT --write', { system, files })).toEqual(
      failure(
        1,
        "win-hcn: cannot read containerd's configuration C:\\Program Files\\containerd\\config.toml: Invalid TOML document: invalid value. Specify --conf-dir",
      ),
    );
    expect(await generate('--type NAT --write')).toEqual(
      failure(
        2,
        'win-hcn: this machine does not run Windows, so it has no default folders. Specify --conf-dir',
      ),
    );
  });
});

test('install takes a generated conflist from stdin', async () => {
  const bin = newFolder();
  const conf = newFolder();
  const executable = join(newFolder({ 'win-hcn.exe': program('2') }), 'win-hcn.exe');
  const { stdout } = await generate('--type NAT --subnet 172.28.0.0/20');
  const installed = await runCli(
    ['install', '--conf', '-', '--bin-dir', bin, '--conf-dir', conf, '--yes'],
    // PowerShell ends lines with CR LF.
    { system: { ...node.outside, executable }, stdin: stdout.replaceAll('\n', '\r\n') },
  );
  expect(installed).toMatchObject({ exitCode: 0, stderr: '' });
  expect(JSON.parse(contentOf(conf)['10-win-hcn.conflist'] ?? '')).toEqual(JSON.parse(stdout));
});
