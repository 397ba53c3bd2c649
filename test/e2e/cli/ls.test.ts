import { afterEach, describe, expect, test } from 'vitest';
import { type Node, startNode } from '../node.ts';
import { runBundle } from '../process.ts';
import { container, type InventoryNode, startInventoryNode } from './inventory-node.ts';
import { failure, runCli, success } from './run-cli.ts';

let node: Node;
afterEach(() => node.stop());

async function start(): Promise<InventoryNode> {
  const started = await startInventoryNode();
  node = started;
  return started;
}

const ls = (...words: readonly string[]) => runCli(['ls', ...words], { system: node.outside });

const hidden = '1 remote endpoint hidden: show all with --remote\n';

describe('ls', () => {
  test('lists networks, pods, other endpoints and services with short ids', async () => {
    await start();
    expect(await ls()).toEqual({
      ...success(
        'network   name      type      subnets        gateways    adapter   endpoints     ready  owner',
        '259f4964  l2bridge  L2Bridge  10.244.1.0/24  10.244.1.1  Ethernet  4 (1 remote)  yes    win-hcn',
        '',
        'pod            interface  addresses      network   state     problem',
        '0e12d1d5a8cfb  eth0       10.244.1.2/24  l2bridge  Attached  -',
        '',
        'endpoint  pod     interface  network   addresses       MAC                namespace  state     health  owner           leftover',
        'f472cb12  gone    eth0       l2bridge  10.244.1.3/24   00-15-5D-52-C0-01  -          Detached  ok      win-hcn         in no namespace',
        'a1e6032f  c0ffee  -          l2bridge  10.244.1.30/24  00-15-5D-52-C0-02  -          Created   ok      another plugin  in no namespace',
        'c3e6032f  -       -          l2bridge  10.244.1.40/24  00-15-5D-52-C0-03  -          Created   ok      unknown         -',
        '',
        'load balancer  network   frontends   ports         backends',
        'd4e6032f       l2bridge  10.96.0.10  80->8080/tcp  10.244.1.2, 10.244.2.7 (remote)',
      ),
      stderr: hidden,
    });
  });

  test('endpoints -o wide --remote prints full ids and all endpoints', async () => {
    const { pod } = await start();
    expect(await ls('endpoints', '-o', 'wide', '--remote')).toEqual(
      success(
        'endpoint                              name                                                                            pod  container                                                         interface  network   addresses       MAC                namespace                             state     health  owner                leftover',
        `5efcf8b5-6b39-5f7c-8ebe-586dde64a108  ${container}_l2bridge_eth0  -    ${container}  eth0       l2bridge  10.244.1.2/24   00-15-5D-52-C0-00  ${pod.netns}  Attached  ok      win-hcn              -`,
        'f472cb12-5818-55ac-8fd0-70832a4a207f  gone_l2bridge_eth0                                                              -    gone                                                              eth0       l2bridge  10.244.1.3/24   00-15-5D-52-C0-01  -                                     Detached  ok      win-hcn              in no namespace',
        'a1e6032f-bbf7-4b5a-880f-667bebc65501  c0ffee_l2bridge                                                                 -    c0ffee                                                            -          l2bridge  10.244.1.30/24  00-15-5D-52-C0-02  -                                     Created   ok      another plugin       in no namespace',
        'b2e6032f-bbf7-4b5a-880f-667bebc65502  kproxy_10.244.2.7                                                               -    -                                                                 -          l2bridge  10.244.2.7      02-11-0A-F4-02-07  -                                     Created   ok      kube-proxy (remote)  -',
        'c3e6032f-bbf7-4b5a-880f-667bebc65503  by-hand                                                                         -    -                                                                 -          l2bridge  10.244.1.40/24  00-15-5D-52-C0-03  -                                     Created   ok      unknown              -',
      ),
    );
  });

  test('endpoints -o json omits remote endpoints', async () => {
    const { pod } = await start();
    const { stdout, ...rest } = await ls('endpoints', '-o', 'json');
    expect(rest).toEqual({ exitCode: 0, stderr: hidden });
    const { version, endpoints } = JSON.parse(stdout);
    expect(version).toBe(1);
    expect(endpoints.map(({ id }: { readonly id: string }) => id.slice(0, 8))).toEqual([
      '5efcf8b5',
      'f472cb12',
      'a1e6032f',
      'c3e6032f',
    ]);
    expect(endpoints.slice(0, 1)).toEqual([
      {
        id: '5efcf8b5-6b39-5f7c-8ebe-586dde64a108',
        name: `${container}_l2bridge_eth0`,
        container,
        interface: 'eth0',
        network: 'l2bridge',
        addresses: ['10.244.1.2/24'],
        macAddress: '00-15-5D-52-C0-00',
        namespace: pod.netns,
        state: 'Attached',
        health: 'ok',
        owner: 'win-hcn',
        remote: false,
      },
    ]);
  });
});

test.each([
  ['networks', 'No networks.'],
  ['services', 'No services.'],
  ['pods --problems', 'No pods.'],
])('ls %s reports an empty list', async (kind, sentence) => {
  node = await startNode();
  expect(await ls(...kind.split(' '))).toEqual(success(sentence));
});

describe('ls exits with', () => {
  test('1 if HCN does not return an object, and lists the others', async () => {
    const { hns } = await start();
    hns.inject({ function: 'HcnQueryEndpointProperties', ordinal: 1, effect: { answer: '{' } });
    hns.inject({ function: 'HcnOpenEndpoint', ordinal: 2, effect: { hresult: 0x80070005 } });
    expect(await ls('endpoints')).toEqual({
      exitCode: 1,
      stdout:
        'endpoint  pod     interface  network   addresses       MAC                namespace  state    health  owner           leftover\n' +
        'a1e6032f  c0ffee  -          l2bridge  10.244.1.30/24  00-15-5D-52-C0-02  -          Created  ok      another plugin  in no namespace\n' +
        'c3e6032f  -       -          l2bridge  10.244.1.40/24  00-15-5D-52-C0-03  -          Created  ok      unknown         -\n',
      stderr:
        'win-hcn: left out: querying endpoint 5efcf8b5-6b39-5f7c-8ebe-586dde64a108: HCN returned "{", expected JSON. ' +
        'The Host Network Service is broken or stopping. Run Get-Service hns to check it. If this persists, drain the node and run Restart-Service hns.\n' +
        'win-hcn: left out: opening endpoint f472cb12-5818-55ac-8fd0-70832a4a207f: HCN returned E_ACCESSDENIED (0x80070005): Access is denied. ' +
        'Run as SYSTEM or as an elevated administrator.\n' +
        hidden,
    });
  });

  test('1 if an unreadable object may need an endpoint, which then is not stale', async () => {
    const { hns } = await start();
    hns.inject({ function: 'HcnQueryNamespaceProperties', ordinal: 'every', effect: { answer: '[]' } });
    hns.inject({ function: 'HcnQueryLoadBalancerProperties', effect: { hresult: 0x80004005 } });
    const { exitCode, stdout, stderr } = await ls('--remote');
    expect({ exitCode, last: stdout.split('\n\n').at(-1) }).toEqual({
      exitCode: 1,
      last: 'No readable services.\n',
    });
    expect(stdout).toMatch(/kube-proxy \(remote\) +-\n/);
    expect(stderr.match(/left out: querying [a-z ]+ /g)).toEqual([
      'left out: querying namespace ',
      'left out: querying namespace ',
      'left out: querying load balancer ',
    ]);
  });
});

describe('ls as a process', () => {
  test('exits with 3 on a machine without HCN', async () => {
    node = await startNode();
    expect(await runBundle({}, '', ['ls'])).toEqual(
      failure(3, 'win-hcn: this machine does not run Windows, and WIN_HCN_LIBRARY does not name a library'),
    );
  });
});
