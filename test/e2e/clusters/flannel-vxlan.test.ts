import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addLease, delegateOf, startVxlan } from '../../cluster/agents/flannel.ts';
import { linuxAddress } from '../../cluster/segment.ts';
import { runCli } from '../cli/run-cli.ts';
import { type Node, startNode } from '../node.ts';

const environment = {
  FLANNEL_NETWORK: '10.244.0.0/16',
  FLANNEL_SUBNET: '10.244.1.1/24',
  FLANNEL_IPMASQ: 'true',
};
const config = delegateOf('vxlan', environment);
const linux = { subnet: '10.244.0.0/24', publicIp: linuxAddress, vtepMac: 'ba:c1:6f:91:17:c7' };

let node: Node;
let network: string;
beforeEach(async () => {
  node = await startNode();
  network = startVxlan(node.hns, '10.244.1.0/24');
  addLease(node.hns, network, linux);
});
afterEach(() => node.stop());

describe("a pod on flannel's network flannel.4096", () => {
  test("has the node's provider address and a MAC address from its own, as win-overlay's pods", async () => {
    expect((await node.add(config)).json).toMatchObject({
      interfaces: [{ mac: '0e:2a:0a:f4:01:0a' }],
      ips: [{ address: '10.244.1.10/24', gateway: '10.244.1.1' }],
    });
    expect(node.hns.dump().endpoints).toMatchObject([
      {
        Policies: [
          { Type: 'OutBoundNAT', Settings: { Exceptions: ['10.96.0.0/12', '10.244.0.0/16'] } },
          { Type: 'OutBoundNAT', Settings: { Destinations: ['10.244.1.10'] } },
          { Type: 'SDNRoute', Settings: { DestinationPrefix: '10.96.0.0/12', NeedEncap: true } },
          { Type: 'ProviderAddress', Settings: { ProviderAddress: '10.0.0.4' } },
        ],
      },
    ]);
  });

  test("comes and goes without a change to flannel's network and its remote subnets", async () => {
    const before = node.hns.dump().networks;
    const pod = node.newPod();
    const added = await node.add(config, pod);
    expect(await node.check({ ...config, prevResult: added.json }, pod)).toMatchObject({ exitCode: 0 });
    expect(await node.del(config, pod)).toMatchObject({ exitCode: 0, stdout: '' });
    expect(node.hns.dump()).toMatchObject({ networks: before, endpoints: [] });
  });
});

describe("network sync on flanneld's network", () => {
  const own = { cniVersion: '1.0.0', name: 'flannel.4096', type: 'win-hcn', networkType: 'Overlay' };
  const files = { 'net.conf': JSON.stringify({ ...own, createNetwork: 'never', remoteSubnets: [] }) };
  const sync = () => runCli(['network', 'sync', 'net.conf', '--yes'], { files, system: node.outside });

  test('is refused, and changes nothing', async () => {
    const before = node.hns.dump().networks;
    const { exitCode, stderr } = await sync();
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringContaining('flanneld') });
    expect(node.hns.dump().networks).toEqual(before);
  });
});

test('after a reboot, which ends the network, ADD waits until flanneld has created it', async () => {
  await node.add(config);
  node.hns.reboot();
  const pod = node.newPod();
  expect(await node.add(config, pod)).toMatchObject({ exitCode: 1, json: { code: 11 } });
  startVxlan(node.hns, '10.244.1.0/24');
  expect(await node.add(config, pod)).toMatchObject({ exitCode: 0 });
});
