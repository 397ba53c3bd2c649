import { afterEach, expect, test } from 'vitest';
import { type FaultyNode, startHealthyNode } from './faulty-node.ts';

let node: FaultyNode;
afterEach(() => node.stop());

test('doctor compares one pod', async () => {
  node = await startHealthyNode();
  await node.startPod('shop/stock', { dns: { nameservers: ['192.0.2.53'] } });
  expect(await node.run(['doctor', 'stock'])).toEqual({
    exitCode: 0,
    stdout: `0 failed, 1 warning, 0 unknown, 4 passed

WARN     pods                1f63c6ab (pod shop/stock): DNS servers 192.0.2.53, expected 10.96.0.10
                             see: win-hcn show endpoint 1f63c6ab
PASS     endpoint health     0 of 1 degraded
PASS     addresses           1 of 7 addresses and local MAC addresses, no duplicates
PASS     running pods        1 namespace with containers, all with endpoints
PASS     paths               no predicted loss on this node for 1 endpoint: to DNS server 192.0.2.53, to pods such as 10.244.2.1, to other networks (IPv4), from the node
`,
    stderr: '',
  });
  const { stdout } = await node.run(['doctor', 'shop/web']);
  expect(stdout).toContain(
    'PASS     DNS service         load balancers have DNS server 10.96.0.10, UDP and TCP port 53\n',
  );
});

test('doctor shows for one pod what fails on the node', async () => {
  node = await startHealthyNode();
  node.hns.disableForwarding();
  await node.startForeignPod('shop/mail');
  const { exitCode, stdout } = await node.run(['doctor', 'shop/mail']);
  expect(exitCode).toBe(1);
  expect(stdout.match(/^(FAIL|WARN|UNKNOWN|PASS).*/gm)).toEqual([
    expect.stringMatching(/^FAIL {5}IP forwarding /),
    'FAIL     running pods        shop/mail: without an endpoint and so without network: recreate the pod',
  ]);
});

test('doctor has no finding about a pod that HCN does not have', async () => {
  node = await startHealthyNode();
  expect(await node.run(['doctor', 'shop/none'])).toEqual({
    exitCode: 1,
    stdout: '',
    stderr:
      'win-hcn: HCN has no pod "shop/none", or its name is unknown. Run win-hcn ls --remote to list all objects.\n',
  });
});

test('doctor compares the services of the cluster with the load balancers of the node', async () => {
  node = await startHealthyNode();
  const service = (name: string, clusterIP: string, port: number) => [
    { kind: 'Service', metadata: { namespace: 'shop', name }, spec: { clusterIP, ports: [{ port }] } },
    {
      kind: 'EndpointSlice',
      metadata: { namespace: 'shop', labels: { 'kubernetes.io/service-name': name } },
      endpoints: [{ addresses: ['10.244.1.10'] }],
      ports: [{ port: 8080 }],
    },
  ];
  const items = [...service('dns', '10.96.0.10', 53), ...service('cart', '10.96.0.77', 80)];
  const stdin = JSON.stringify({ kind: 'List', items });
  const { stdout } = await node.run(['doctor', '--services', '-'], { stdin });
  expect(stdout).toContain(
    'WARN     services            shop/cart 10.96.0.77:80/tcp: no load balancer of this node has the service: is kube-proxy running?\n',
  );
});
