import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startNode } from '../node.ts';
import { container, type InventoryNode, startInventoryNode } from './inventory-node.ts';
import { failure, runCli, success } from './run-cli.ts';

let node: InventoryNode;
beforeEach(async () => {
  node = await startInventoryNode();
});
afterEach(() => node.stop());

const show = (...words: readonly string[]) => runCli(['show', ...words], { system: node.outside });

const acls = [
  'ACLs, the first match decides',
  'direction  priority  action  protocols  local        remote       type',
  'In         200       Block   any        any          10.9.0.0/16  Switch',
  'In         300       Allow   tcp        any port 80  any          Switch',
  'In         65500     Allow   any        any          any          Switch',
  'In         -         Block   any        any          any          HNS default',
  'Out        65500     Allow   any        any          any          Switch',
  'Out        -         Block   any        any          any          HNS default',
];

const web = () => [
  'endpoint 5efcf8b5-6b39-5f7c-8ebe-586dde64a108',
  `  name            ${container}_l2bridge_eth0`,
  `  container       ${container}`,
  '  interface       eth0',
  '  network         l2bridge',
  '  addresses       10.244.1.2/24',
  '  MAC             00-15-5D-52-C0-00',
  '  routes          0.0.0.0/0 via 10.244.1.1',
  `  namespace       ${node.pod.netns}`,
  '  state           Attached',
  '  health          ok',
  '  owner           win-hcn',
  '  leftover        no',
  '  load balancers  d4e6032f-bbf7-4b5a-880f-667bebc65504',
  '',
  ...acls,
];

describe('show', () => {
  test.each(['pod', 'container'])('%s finds a pod by a prefix of its id', async (kind) => {
    expect(await show(kind, '0e12d1')).toEqual(
      success(
        `container ${container}`,
        `  namespace  ${node.pod.netns}`,
        '',
        ...web().filter((line) => !line.startsWith('  container ')),
      ),
    );
  });

  test('pod lists the containers of its namespace if there are others', async () => {
    node.hns.attachContainer(node.pod.netns, 'sidecar');
    const { stdout } = await show('pod', '0e12d1');
    expect(stdout.split('\n').slice(0, 3)).toEqual([
      `container ${container}`,
      `  namespace   ${node.pod.netns}`,
      `  containers  ${container}, sidecar`,
    ]);
    expect((await show('pod', 'sidecar')).stdout).toContain(`  container       ${container}\n`);
  });

  test('pod finds a container in a namespace without endpoints', async () => {
    const { netns } = node.newPod('lonely');
    node.hns.attachContainer(netns, 'lonely');
    expect(await show('pod', 'lonely')).toEqual(
      success('container lonely', `  namespace  ${netns}`, '  endpoints  none'),
    );
  });

  test('ip finds an endpoint', async () => {
    expect(await show('ip', '10.244.1.2')).toEqual(success(...web()));
  });

  test('ip finds a remote endpoint', async () => {
    expect(await show('ip', '10.244.2.7')).toEqual(
      success(
        'endpoint b2e6032f-bbf7-4b5a-880f-667bebc65502',
        '  name            kproxy_10.244.2.7',
        '  network         l2bridge',
        '  addresses       10.244.2.7',
        '  MAC             02-11-0A-F4-02-07',
        '  namespace       none',
        '  state           Created',
        '  health          ok',
        '  owner           kube-proxy (remote)',
        '  leftover        no',
        '  load balancers  d4e6032f-bbf7-4b5a-880f-667bebc65504',
      ),
    );
  });

  test('ip finds a load balancer', async () => {
    expect(await show('ip', '10.96.0.10')).toEqual(
      success(
        'load balancers with this address',
        'load balancer  network   frontends   ports         backends                         owner',
        'd4e6032f       l2bridge  10.96.0.10  80->8080/tcp  10.244.1.2, 10.244.2.7 (remote)  unknown',
      ),
    );
  });

  test('ip finds a gateway', async () => {
    expect(await show('ip', '10.244.1.1')).toEqual(
      success(
        'networks with this gateway',
        'network   name      type      subnets        gateways    adapter   endpoints     ready  owner',
        '259f4964  l2bridge  L2Bridge  10.244.1.0/24  10.244.1.1  Ethernet  4 (1 remote)  yes    win-hcn',
      ),
    );
  });

  test.each(['{C3E6032F-BBF7-4B5A-880F-667BEBC65503}', 'c3e6', 'By-Hand'])(
    'endpoint accepts the key %s, and prints policies in words',
    async (key) => {
      await node.hcn.addPolicies('c3e6032f-bbf7-4b5a-880f-667bebc65503', [
        { Type: 'OutBoundNAT', Settings: { Exceptions: ['10.0.0.0/8', '172.16.0.0/12'] } },
        { Type: 'SDNRoute', Settings: { DestinationPrefix: '10.96.0.0/12', NeedEncap: true } },
        { Type: 'PortMapping', Settings: { Protocol: 6, InternalPort: 80, ExternalPort: 8080 } },
        {
          Type: 'PortMapping',
          Settings: { Protocol: 17, InternalPort: 53, ExternalPort: 5353, VIP: '10.0.0.4', Flags: 1 },
        },
        { Type: 'QOS', Settings: { MaximumOutgoingBandwidthInBytes: 12500000 } },
      ]);
      expect(await show('endpoint', key)).toEqual(
        success(
          'endpoint c3e6032f-bbf7-4b5a-880f-667bebc65503',
          '  name       by-hand',
          '  network    l2bridge',
          '  addresses  10.244.1.40/24',
          '  MAC        00-15-5D-52-C0-03',
          '  routes     0.0.0.0/0 via 10.244.1.1',
          '  namespace  none',
          '  state      Created',
          '  health     ok',
          '  owner      unknown',
          '  leftover   no',
          '',
          'ACLs: none (HNS allows all traffic)',
          '',
          'other policies',
          'type         settings',
          'OutBoundNAT  leaves as a node address, except to 10.0.0.0/8, 172.16.0.0/12',
          'SDNRoute     10.96.0.0/12, encapsulated',
          'PortMapping  tcp 8080 -> 80 (node)',
          'PortMapping  udp 10.0.0.4:5353 -> 53, also from the node itself',
          'QOS          sends at most 100 Mbit/s',
        ),
      );
    },
  );

  test('namespace lists its endpoints', async () => {
    const { netns } = node.pod;
    expect(await show('namespace', netns.slice(0, 8))).toEqual(
      success(
        `namespace ${netns}`,
        '  type         Host',
        '  compartment  2',
        '  pods         -',
        `  containers   ${container}`,
        '',
        'endpoint  pod            interface  network   addresses      MAC                namespace  state     health  owner    leftover',
        `5efcf8b5  0e12d1d5a8cfb  eth0       l2bridge  10.244.1.2/24  00-15-5D-52-C0-00  ${netns.slice(0, 8)}   Attached  ok      win-hcn  -`,
      ),
    );
  });

  test('network finds a name, and lists remote endpoints too', async () => {
    expect(await show('network', 'L2Bridge')).toEqual(
      success(
        'network 259f4964-2dff-5b46-92f1-633319a59298',
        '  name              l2bridge',
        '  type              L2Bridge',
        '  subnets           10.244.1.0/24',
        '  gateways          10.244.1.1',
        '  adapter           Ethernet',
        '  provider address  -',
        '  ready             yes',
        '  owner             win-hcn',
        '',
        'policies',
        'type            settings',
        'NetAdapterName  NetworkAdapterName=Ethernet',
        '',
        'endpoint  pod            interface  network   addresses       MAC                namespace  state     health  owner                leftover',
        `5efcf8b5  0e12d1d5a8cfb  eth0       l2bridge  10.244.1.2/24   00-15-5D-52-C0-00  ${node.pod.netns.slice(0, 8)}   Attached  ok      win-hcn              -`,
        'f472cb12  gone           eth0       l2bridge  10.244.1.3/24   00-15-5D-52-C0-01  -          Detached  ok      win-hcn              in no namespace',
        'a1e6032f  c0ffee         -          l2bridge  10.244.1.30/24  00-15-5D-52-C0-02  -          Created   ok      another plugin       in no namespace',
        'b2e6032f  -              -          l2bridge  10.244.2.7      02-11-0A-F4-02-07  -          Created   ok      kube-proxy (remote)  -',
        'c3e6032f  -              -          l2bridge  10.244.1.40/24  00-15-5D-52-C0-03  -          Created   ok      unknown              -',
      ),
    );
  });

  test('network prints its policies and those of its subnets in words', async () => {
    await node.stop();
    node = { ...node, ...(await startNode()) };
    await node.hcn.createNetwork('f6e6032f-bbf7-4b5a-880f-667bebc65506', {
      Name: 'vxlan0',
      Type: 'Overlay',
      Policies: [
        {
          Type: 'RemoteSubnetRoute',
          Settings: {
            DestinationPrefix: '10.245.2.0/24',
            IsolationId: 4096,
            ProviderAddress: '10.0.0.5',
            DistributedRouterMacAddress: '00-15-5D-BB-6E-B1',
          },
        },
      ],
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
    expect(await show('network', 'vxlan0')).toEqual(
      success(
        'network f6e6032f-bbf7-4b5a-880f-667bebc65506',
        '  name              vxlan0',
        '  type              Overlay',
        '  subnets           10.245.1.0/24',
        '  gateways          10.245.1.1',
        '  adapter           -',
        '  provider address  10.0.0.4',
        '  ready             yes',
        '  owner             unknown',
        '',
        'policies',
        'type               settings',
        'RemoteSubnetRoute  10.245.2.0/24 on node 10.0.0.5 IsolationId=4096 DistributedRouterMacAddress=00-15-5D-BB-6E-B1',
        'DrMacAddress       Address=00-15-5D-FF-BF-92',
        'ProviderAddress    ProviderAddress=10.0.0.4',
        'VSID               IsolationId=4096 on 10.245.1.0/24',
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
        '  options     EnableDirectServerReturn, SourceIP',
        '  owner       unknown',
        '',
        'endpoint  pod            interface  network   addresses      MAC                namespace  state     health  owner                leftover',
        `5efcf8b5  0e12d1d5a8cfb  eth0       l2bridge  10.244.1.2/24  00-15-5D-52-C0-00  ${node.pod.netns.slice(0, 8)}   Attached  ok      win-hcn              -`,
        'b2e6032f  -              -          l2bridge  10.244.2.7     02-11-0A-F4-02-07  -          Created   ok      kube-proxy (remote)  -',
      ),
    );
  });

  test('endpoint -o json prints all properties', async () => {
    const { stdout } = await show('endpoint', 'by-hand', '-o', 'json');
    expect(JSON.parse(stdout)).toEqual({
      kind: 'endpoint',
      endpoint: {
        id: 'c3e6032f-bbf7-4b5a-880f-667bebc65503',
        name: 'by-hand',
        network: 'l2bridge',
        addresses: ['10.244.1.40/24'],
        macAddress: '00-15-5D-52-C0-03',
        state: 'Created',
        health: 'ok',
        owner: 'unknown',
        remote: false,
        routes: [{ NextHop: '10.244.1.1', DestinationPrefix: '0.0.0.0/0' }],
        dns: { Search: [], ServerList: [], Options: [] },
        loadBalancers: [],
        acls: [],
        policies: [],
      },
    });
  });

  test('prints bold titles and colors leftovers on a terminal', async () => {
    const { stdout } = await runCli(['show', 'container', 'gone'], { system: node.outside, width: 100 });
    expect(stdout).toContain('\u001b[1mcontainer gone\u001b[22m\n');
    expect(stdout).toContain('  leftover   \u001b[33myes: in no namespace\u001b[39m\n');
  });
});

describe('show exits with', () => {
  test('1 if the object cannot be read, and reports what cannot be read', async () => {
    node.hns.inject({ function: 'HcnQueryEndpointProperties', effect: { hresult: 0x80070005 } });
    expect(await show('endpoint', '5efcf8b5')).toEqual(
      failure(
        1,
        'win-hcn: HCN has no endpoint "5efcf8b5" among the readable objects. List all objects with win-hcn ls -o wide --remote.',
        'win-hcn: left out: querying endpoint 5efcf8b5-6b39-5f7c-8ebe-586dde64a108: HCN returned E_ACCESSDENIED (0x80070005): Access is denied. ' +
          'Run as SYSTEM or as an elevated administrator; whoami /groups must show the mandatory level High or System.',
      ),
    );
  });

  test.each([
    [['endpoint', 'nobody'], 'HCN has no endpoint "nobody"'],
    [['network', ''], 'HCN has no network ""'],
    [['pod', 'f00d'], 'HCN has no pod "f00d"'],
    [['ip', '10.9.9.9'], 'HCN has no object with address 10.9.9.9'],
  ])('1 if HCN has no %j', async (words, problem) => {
    expect(await show(...words)).toEqual(
      failure(1, `win-hcn: ${problem}. List all objects with win-hcn ls -o wide --remote.`),
    );
  });

  test.each([
    [
      ['service', 'web'],
      "command-argument value 'service' is invalid for argument 'kind'. Allowed choices are pod, container, ip, endpoint, namespace, network, loadbalancer, port.",
    ],
    [['endpoint'], "missing required argument 'key'"],
    [['ip', '300.1.1.1'], '"300.1.1.1" is not an IP address'],
  ])('2 for %j', async (words, problem) => {
    expect(await show(...words)).toEqual(
      failure(2, `win-hcn: ${problem}`, `Run 'win-hcn show --help' for usage.`),
    );
  });
});
