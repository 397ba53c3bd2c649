import { afterEach, expect, test } from 'vitest';
import { hastyClock } from '../clock.ts';
import { type Node, startNode } from '../node.ts';
import { config, doctorEnvironment } from './doctor-node.ts';
import { runCli } from './run-cli.ts';

let node: Node;
afterEach(() => node.stop());

const SchemaVersion = { Major: 2, Minor: 0 };

/** Runs doctor, and other work when it reads namespaces, after the endpoints. */
async function doctorDuring(work: () => Promise<void>): Promise<string> {
  node.hns.inject({ function: 'HcnEnumerateNamespaces', effect: { hold: 'before' } });
  const run = runCli(['doctor'], doctorEnvironment(node));
  while (!node.hns.standing.includes('HcnEnumerateNamespaces'))
    await new Promise((resolve) => setTimeout(resolve, 1));
  await work();
  node.hns.release();
  return (await run).stdout;
}

const linesOf = (check: string, stdout: string) =>
  stdout.split('\n').filter((line) => line.slice(9).startsWith(`${check}  `));

test('doctor does not report a pod and a service that are created while it reads', async () => {
  node = await startNode({}, () => hastyClock(1));
  await node.add(config);
  const stdout = await doctorDuring(async () => {
    const pod = node.newPod('0123456789abcdef');
    expect((await node.add(config, pod)).exitCode).toBe(0);
    node.hns.attachContainer(pod.netns, pod.containerId);
    const network = String(node.hns.dump().networks[0]?.['ID']);
    const backend = 'b2e6032f-bbf7-4b5a-880f-667bebc65502';
    await node.hcn.createEndpoint(network, backend, {
      Name: 'remote',
      HostComputeNetwork: network,
      IpConfigurations: [{ IpAddress: '10.244.9.7' }],
      MacAddress: '02-11-0a-f4-09-07',
      Flags: 1,
      SchemaVersion,
    });
    await node.hcn.createLoadBalancer('d4e6032f-bbf7-4b5a-880f-667bebc65502', {
      HostComputeEndpoints: [backend],
      FrontendVIPs: ['10.96.0.10'],
      PortMappings: [{ Protocol: 17, InternalPort: 53, ExternalPort: 53 }],
      SchemaVersion,
    });
  });
  expect([...linesOf('running pods', stdout), ...linesOf('load balancers', stdout)]).toEqual([
    'PASS     running pods        1 namespace with containers, all with endpoints',
    'PASS     load balancers      1 load balancer: backends and sources exist, no frontend is of a pod',
  ]);
});

test('doctor reports a pod without an endpoint that it finds in both looks', async () => {
  node = await startNode({}, () => hastyClock(1));
  await node.add(config);
  const stdout = await doctorDuring(async () => {
    const pod = node.newPod('0123456789abcdef');
    node.hns.attachContainer(pod.netns, pod.containerId);
  });
  expect(linesOf('running pods', stdout)).toEqual([
    'WARN     running pods        0123456789abc: without an endpoint and so without network: recreate the pod',
  ]);
});

test('doctor does not judge pods without endpoints if the second look fails', async () => {
  node = await startNode({}, () => hastyClock(1));
  await node.add(config);
  node.hns.attachContainer(node.newPod('0123456789abcdef').netns, '0123456789abcdef');
  node.hns.inject({ function: 'HcnEnumerateEndpoints', ordinal: 2, effect: { hresult: 0x80070006 } });
  const { stdout } = await runCli(['doctor'], doctorEnvironment(node));
  expect(linesOf('running pods', stdout)).toEqual([
    expect.stringContaining('UNKNOWN  running pods        listing endpoints: '),
  ]);
});
