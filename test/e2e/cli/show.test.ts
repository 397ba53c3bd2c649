import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startNode } from '../node.ts';
import { container, type InventoryNode, other, startInventoryNode } from './inventory-node.ts';
import { failure, runCli, success } from './run-cli.ts';

let node: InventoryNode;
let netns: string;
beforeEach(async () => {
  node = await startInventoryNode();
  netns = node.pod.netns.slice(0, 8);
});
afterEach(() => node.stop());

const show = (...words: readonly string[]) => runCli(['show', ...words], { system: node.outside });

const web = () => [
  'endpoint 5efcf8b5-6b39-5f7c-8ebe-586dde64a108',
  `  name            ${container}_l2bridge_eth0`,
  '  pod             -',
  `  container       ${container}`,
  '  interface       eth0',
  '  network         l2bridge',
  '  addresses       10.244.1.2/24',
  '  MAC             00-15-5D-52-C0-00',
  `  namespace       ${node.pod.netns}`,
  '  state           Attached',
  '  health          ok',
  '  owner           win-hcn',
  '  leftover        -',
  '  routes          0.0.0.0/0 via 10.244.1.1',
  '  load balancers  d4e6032f-bbf7-4b5a-880f-667bebc65504',
  '',
  'ACLs, the first match decides',
  'direction  priority  action  protocols  local        remote       type',
  'In         200       Block   any        any          10.9.0.0/16  Switch',
  'In         300       Allow   tcp        any port 80  any          Switch',
  'In         65500     Allow   any        any          any          Switch',
  'In         -         Block   any        any          any          HNS default',
  'Out        65500     Allow   any        any          any          Switch',
  'Out        -         Block   any        any          any          HNS default',
];
const endpointTitles =
  'endpoint  pod            interface  network   addresses      MAC                namespace  state     health  owner                leftover';
const endpointRow = () =>
  `5efcf8b5  0e12d1d5a8cfb  eth0       l2bridge  10.244.1.2/24  00-15-5D-52-C0-00  ${netns}   Attached  ok      win-hcn              -`;
const remoteRow =
  'b2e6032f  -              -          l2bridge  10.244.2.7     02-11-0A-F4-02-07  -          Created   ok      kube-proxy (remote)  -';

describe('show', () => {
  test.each(['pod', 'container'])('%s finds a pod by a prefix of its id', async (kind) => {
    expect(await show(kind, '0e12d1')).toEqual(
      success(
        'namespace  type  compartment  pods           endpoints  addresses',
        `${netns}   Host  2            0e12d1d5a8cfb  5efcf8b5   10.244.1.2`,
        '',
        ...web(),
      ),
    );
  });

  test('pod finds a container in a namespace without endpoints', async () => {
    const lonely = node.newPod('lonely').netns;
    node.hns.attachContainer(lonely, 'lonely');
    expect(await show('pod', 'lonely')).toEqual(
      success(
        'namespace  type  compartment  pods    endpoints  addresses',
        `${lonely.slice(0, 8)}   Host  3            lonely  -          -`,
        '',
        'No endpoints: recreate the pod.',
      ),
    );
  });

  test.each([
    [
      '10.96.0.10',
      'load balancer  network   frontends   ports         backends',
      'd4e6032f       l2bridge  10.96.0.10  80->8080/tcp  10.244.1.2, 10.244.2.7 (remote)',
    ],
    [
      '10.244.1.1',
      'network   name      type      subnets        gateways    adapter   endpoints     ready  owner',
      '259f4964  l2bridge  L2Bridge  10.244.1.0/24  10.244.1.1  Ethernet  4 (1 remote)  yes    win-hcn',
    ],
  ])('ip %s finds a load balancer or gateway', async (address, ...lines) => {
    expect(await show('ip', address)).toEqual(success(...lines));
  });

  test.each(['{C3E6032F-BBF7-4B5A-880F-667BEBC65503}', 'c3e6', 'By-Hand'])(
    'endpoint accepts the key %s, and prints policies',
    async (key) => {
      await node.hcn.addPolicies(other, [
        { Type: 'OutBoundNAT', Settings: { Exceptions: ['10.0.0.0/8', '172.16.0.0/12'] } },
        { Type: 'L2Driver' },
      ]);
      const { stdout } = await show('endpoint', key);
      expect(stdout.split('\n').slice(-8)).toEqual([
        '',
        'ACLs: none (HNS allows all traffic)',
        '',
        'other policies',
        'type         settings',
        'OutBoundNAT  Exceptions=10.0.0.0/8, 172.16.0.0/12',
        'L2Driver     -',
        '',
      ]);
    },
  );

  test('namespace lists its endpoints', async () => {
    expect(await show('namespace', netns)).toEqual(
      success(
        `namespace ${node.pod.netns}`,
        '  type         Host',
        '  compartment  2',
        '  pods         -',
        `  containers   ${container}`,
        '  endpoints    5efcf8b5-6b39-5f7c-8ebe-586dde64a108',
        '  addresses    10.244.1.2',
        '',
        endpointTitles.replace(/owner +/, 'owner    '),
        endpointRow().replace(/win-hcn +/, 'win-hcn  '),
      ),
    );
  });

  test('network finds a name, and shows its policies and those of its subnets', async () => {
    await node.stop();
    node = { ...node, ...(await startNode()) };
    await node.hcn.createNetwork('f6e6032f-bbf7-4b5a-880f-667bebc65506', {
      Name: 'vxlan0',
      Type: 'Overlay',
      Ipams: [
        {
          Type: 'Static',
          Subnets: [
            {
              IpAddressPrefix: '10.245.1.0/24',
              Policies: [{ Type: 'VSID', Settings: { IsolationId: 4096 } }],
              Routes: [{ NextHop: '10.245.1.1', DestinationPrefix: '0.0.0.0/0' }],
            },
          ],
        },
      ],
      SchemaVersion: { Major: 2, Minor: 0 },
    });
    expect(await show('network', 'VXLAN0')).toEqual(
      success(
        'network f6e6032f-bbf7-4b5a-880f-667bebc65506',
        '  name              vxlan0',
        '  type              Overlay',
        '  subnets           10.245.1.0/24',
        '  gateways          10.245.1.1',
        '  adapter           -',
        '  provider address  10.0.0.4',
        '  endpoints         0',
        '  ready             yes',
        '  owner             unknown',
        '',
        'policies',
        'type             settings',
        'DrMacAddress     Address=00-15-5D-FF-BF-92',
        'ProviderAddress  ProviderAddress=10.0.0.4',
        'VSID             IsolationId=4096 on 10.245.1.0/24',
        '',
        'No endpoints.',
      ),
    );
  });

  test('loadbalancer lists backends on all nodes', async () => {
    expect(await show('loadbalancer', 'd4e6')).toEqual(
      success(
        'load balancer d4e6032f-bbf7-4b5a-880f-667bebc65504',
        '  network     l2bridge',
        '  frontends   10.96.0.10',
        '  ports       80->8080/tcp',
        '  backends    10.244.1.2 (Attached), 10.244.2.7 (remote)',
        '  source VIP  -',
        '',
        endpointTitles,
        endpointRow(),
        remoteRow,
      ),
    );
  });

  test('service finds a load balancer by its address, and says what restores gone backends', async () => {
    for (const { ID } of node.hns.dump().endpoints) await node.hcn.deleteEndpoint(String(ID));
    const { stdout } = await show('service', '10.96.0.10');
    expect(stdout.split('\n')).toEqual([
      'load balancer d4e6032f-bbf7-4b5a-880f-667bebc65504',
      '  network     -',
      '  frontends   10.96.0.10',
      '  ports       80->8080/tcp',
      expect.stringMatching(/^ {2}backends .* \(gone\)$/),
      '  source VIP  -',
      '',
      'No endpoints: restart kube-proxy (Restart-Service kube-proxy, or delete its pod).',
      '',
    ]);
  });

  test('endpoint -o json prints all properties, in the lists of ls', async () => {
    const { stdout } = await show('endpoint', 'by-hand', '-o', 'json');
    expect(JSON.parse(stdout)).toEqual({
      version: 1,
      kind: 'endpoint',
      networks: [],
      endpoints: [
        {
          id: 'c3e6032f-bbf7-4b5a-880f-667bebc65503',
          name: 'by-hand',
          network: 'l2bridge',
          addresses: ['10.244.1.40/24'],
          macAddress: '00-15-5D-52-C0-03',
          state: 'Created',
          health: 'ok',
          owner: 'unknown',
          remote: false,
          routes: [{ nextHop: '10.244.1.1', destinationPrefix: '0.0.0.0/0' }],
          dns: { search: [], serverList: [], options: [] },
          loadBalancers: [],
          acls: [],
          policies: [],
        },
      ],
      namespaces: [],
      services: [],
    });
  });

  test('prints bold titles and colors leftovers on a terminal', async () => {
    const { stdout } = await runCli(['show', 'container', 'gone'], { system: node.outside, width: 100 });
    expect(stdout).toContain('\u001b[1mendpoint f472cb12-5818-55ac-8fd0-70832a4a207f\u001b[22m\n');
    expect(stdout).toContain('  leftover   \u001b[33min no namespace\u001b[39m\n');
  });
});

describe('show exits with', () => {
  const list = 'Run win-hcn ls --remote to list all objects.';

  test('1 if the object cannot be read, and reports what cannot be read', async () => {
    node.hns.inject({ function: 'HcnQueryEndpointProperties', effect: { hresult: 0x80070005 } });
    expect(await show('endpoint', '5efcf8b5')).toEqual(
      failure(
        1,
        'win-hcn: left out: querying endpoint 5efcf8b5-6b39-5f7c-8ebe-586dde64a108: HCN returned E_ACCESSDENIED (0x80070005): Access is denied. ' +
          'Run as SYSTEM or as an elevated administrator.',
        `win-hcn: HCN has no endpoint "5efcf8b5". ${list}`,
      ),
    );
  });

  test.each([
    [['network', ''], 'HCN has no network ""'],
    [['pod', 'f00d'], 'HCN has no pod "f00d", or its name is unknown'],
    [['ip', '10.9.9.9'], 'HCN has no object with address 10.9.9.9'],
    [['x'], 'HCN has no object "x", or its pod\'s name is unknown'],
  ])('1 if HCN has no %j', async (words, problem) => {
    expect(await show(...words)).toEqual(failure(1, `win-hcn: ${problem}. ${list}`));
  });

  test.each([
    [
      ['route', 'web'],
      "command-argument value 'route' is invalid for argument 'kind'. Allowed choices are pod, ip, endpoint, namespace, network, service, port.",
    ],
    [[], "missing required argument 'key'"],
    [['endpoint'], "missing required argument 'key'"],
    [['ip', '300.1.1.1'], '"300.1.1.1" is not an IP address'],
    [['port', '65536'], '"65536" is not a port'],
    [['network', 'l2bridge', '--diff', 'twin'], '--diff compares pods'],
  ])('2 for %j', async (words, problem) => {
    expect(await show(...words)).toEqual(
      failure(2, `win-hcn: ${problem}`, `Run 'win-hcn show --help' for usage.`),
    );
  });
});
