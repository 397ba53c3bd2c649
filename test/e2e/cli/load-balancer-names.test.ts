// HCN stores no names of load balancers. Their ids are derived from them, and the log has the names.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type InventoryNode, startInventoryNode } from './inventory-node.ts';
import { runCli, success } from './run-cli.ts';

const logFile = 'C:\\ProgramData\\win-hcn\\logs\\win-hcn.log';
const dns = {
  name: 'dns',
  network: 'l2bridge',
  frontendVIPs: ['10.96.0.11'],
  ports: [{ protocol: 'udp', port: 53 }],
  backends: ['10.244.1.2', '10.244.1.3', '10.244.2.9'],
};

let node: InventoryNode;
let files: Record<string, string>;
beforeEach(async () => {
  node = await startInventoryNode();
  files = { 'dns.json': JSON.stringify(dns) };
});
afterEach(() => node.stop());

const run = (command: string) => {
  const openLog = (path: string) => (text: string) => {
    files[path] = (files[path] ?? '') + text;
    return true;
  };
  const clock = () => new Date('2026-03-01T03:00:00Z');
  const system = { ...node.outside, windows: true, logFile, openLog, clock, newRequestId: () => '5eed' };
  return runCli(command.split(' '), { system, files });
};

const loadBalancers = (name: string) => [
  'load balancer  name  network   frontends   ports         backends                                                owner',
  'd4e6032f       -     l2bridge  10.96.0.10  80->8080/tcp  10.244.1.2, 10.244.2.7 (remote)                         unknown',
  `8c621451       ${name.padEnd(4)}  l2bridge  10.96.0.11  53->53/udp    10.244.1.2, 10.244.1.3 (Detached), 10.244.2.9 (remote)  win-hcn`,
];

describe('ls loadbalancers', () => {
  test('shows the name in the file, the network, and the states of backends', async () => {
    await run('debug loadbalancer apply dns.json');
    expect(await run('ls loadbalancers')).toEqual(success(...loadBalancers('dns')));
  });

  test('-o wide shows every state', async () => {
    await run('debug loadbalancer apply dns.json');
    expect(await run('ls loadbalancers -o wide')).toEqual(
      success(
        'load balancer                         name  network   frontends   ports         backends                                                           source VIP  options                             owner',
        'd4e6032f-bbf7-4b5a-880f-667bebc65504  -     l2bridge  10.96.0.10  80->8080/tcp  10.244.1.2 (Attached), 10.244.2.7 (remote)                         -           EnableDirectServerReturn, SourceIP  unknown',
        '8c621451-04d1-5958-8253-70a8337109b0  dns   l2bridge  10.96.0.11  53->53/udp    10.244.1.2 (Attached), 10.244.1.3 (Detached), 10.244.2.9 (remote)  -           -                                   win-hcn',
      ),
    );
  });

  test('shows no name that is not in the log, until the file is applied again', async () => {
    await run('debug loadbalancer apply dns.json');
    delete files[logFile];
    expect(await run('ls loadbalancers')).toEqual(success(...loadBalancers('-')));
    expect(await run('debug loadbalancer apply dns.json')).toEqual(
      success('load balancer "dns" 8c621451-04d1-5958-8253-70a8337109b0 exists as configured'),
    );
    expect(await run('ls loadbalancers')).toEqual(success(...loadBalancers('dns')));
  });

  test('finds the name in a rotated log', async () => {
    await run('debug loadbalancer apply dns.json');
    files[logFile.replace('.log', '-20260301T020000000Z.log')] = files[logFile] ?? '';
    files[logFile] = 'not a log entry: "event":"load balancer"\n';
    expect(await run('ls loadbalancers')).toEqual(success(...loadBalancers('dns')));
  });

  test('ignores a name in the log that does not give the id', async () => {
    await run('debug loadbalancer apply dns.json');
    files[logFile] = (files[logFile] ?? '').replace('"name":"dns"', '"name":"web"');
    expect(await run('ls loadbalancers')).toEqual(success(...loadBalancers('-')));
  });
});

test.each([
  ['dns', 'the log'],
  ['dns', 'no log'],
])('show %s prints the name, with %s', async (key, log) => {
  await run('debug loadbalancer apply dns.json');
  if (log === 'no log') delete files[logFile];
  expect((await run(`show ${key}`)).stdout.split('\n').slice(0, 9)).toEqual([
    'load balancer 8c621451-04d1-5958-8253-70a8337109b0',
    '  name        dns',
    '  network     l2bridge',
    '  frontends   10.96.0.11',
    '  ports       53->53/udp',
    '  backends    10.244.1.2 (Attached), 10.244.1.3 (Detached), 10.244.2.9 (remote)',
    '  source VIP  -',
    '  options     -',
    '  owner       win-hcn',
  ]);
});
