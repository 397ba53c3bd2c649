import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readClusterNode } from '../../../src/cli/nodes/cluster-node.ts';
import { wayTo } from '../../../src/cli/nodes/node-tunnel.ts';
import { normalizeConfig } from '../../../src/config/open-config.ts';
import { readNetworkConfig } from '../../../src/config/read-config.ts';
import { settingsOf } from '../../../src/model/network-document.ts';
import { formatMac } from '../../../src/net/mac.ts';
import { type Node, startNode } from '../node.ts';
import { failure, type Printed, runCli, success } from './run-cli.ts';

const overlay = {
  cniVersion: '1.0.0',
  name: 'vxlan0',
  type: 'win-hcn',
  networkType: 'Overlay',
  subnets: [{ subnet: '10.244.1.0/24', vsid: 4096 }],
};
const l2bridge = {
  ...overlay,
  name: 'cbr0',
  networkType: 'L2Bridge',
  adapter: 'Ethernet 2',
  subnets: [{ subnet: '10.244.9.0/24' }],
};
const podCidrs = (subnets: string) =>
  `win-hcn: spec.podCIDRs of node win1 must be ${subnets}: flannel reads them there\n`;

const onLink = { address: '10.0.0.0', length: 24 };

let node: Node;
beforeEach(async () => {
  const names = ['Ethernet', 'Ethernet 2'];
  const adapters = names.map((name, index) => ({ name, managementIp: `10.0.${index}.4` }));
  node = await startNode({ adapters });
});
afterEach(() => node.stop());

/** The node's DrMacAddress, which the simulated service makes up. */
const drMac = async (): Promise<string> => {
  const network = await node.hcn.findNetwork('vxlan0');
  return String(settingsOf(network?.Policies, 'DrMacAddress')?.['Address']);
};

const describeNode = (...words: readonly string[]): Promise<Printed> =>
  runCli(['node', 'describe', ...words], {
    files: { 'net.conf': JSON.stringify(overlay) },
    system: node.outside,
  });

describe('node describe', () => {
  test('shows how other nodes reach the pods of each network', async () => {
    await node.add({ ...overlay, adapter: 'Ethernet' });
    await node.add(l2bridge);
    await node.add({ ...overlay, name: 'nat', networkType: 'NAT', subnets: undefined });
    expect(await describeNode()).toEqual(
      success(
        'network  type      subnet         next hop  provider address  MAC                VSID',
        `vxlan0   Overlay   10.244.1.0/24            10.0.0.4          ${await drMac()}  4096`,
        'cbr0     L2Bridge  10.244.9.0/24  10.0.1.4',
      ),
    );
  });

  test('prints entries that another node takes as its remoteSubnets', async () => {
    await node.add({ ...overlay, adapter: 'Ethernet' });
    const { stdout, exitCode } = await describeNode('net.conf', '-o', 'yaml');
    const entry = {
      subnet: '10.244.1.0/24',
      providerAddress: '10.0.0.4',
      macAddress: await drMac(),
      vsid: 4096,
    };
    expect([exitCode, parse(stdout)]).toEqual([0, [entry]]);
    expect(JSON.parse((await describeNode('vxlan0', '-o', 'json')).stdout)).toEqual([entry]);
    const other = {
      ...overlay,
      subnets: [{ subnet: '10.244.2.0/24', vsid: 4096 }],
      remoteSubnets: parse(stdout),
    };
    expect(readNetworkConfig(normalizeConfig(other)).remoteSubnets).toEqual([entry]);
  });

  test.each([
    ['Overlay', overlay],
    ['L2Bridge', { ...l2bridge, adapter: 'Ethernet' }],
  ] as const)(
    "tells another node that reads kubectl's JSON the same as the entry, on %s",
    async (type, config) => {
      await node.add(config);
      const [entry] = parse((await describeNode('-o', 'yaml')).stdout);
      const { metadata } = JSON.parse((await describeNode('-o', 'manifest')).stdout);
      const spec = { podCIDR: entry.subnet, podCIDRs: [entry.subnet] };
      const addresses = [{ type: 'InternalIP', address: '10.0.0.4' }];
      const other = readClusterNode({ metadata, spec, status: { addresses } });
      const underlay = type === 'Overlay' ? { type, vsid: undefined } : { type, onLink: [onLink] };
      const way = other && wayTo(entry.subnet, other, underlay);
      expect(way).toEqual({ remote: entry });
    },
  );

  test("prints the command that annotates the node for flannel's other nodes", async () => {
    await node.add({ ...overlay, adapter: 'Ethernet' });
    expect(await describeNode('-o', 'kubectl')).toEqual({
      ...success(
        'kubectl annotate node win1 --overwrite flannel.alpha.coreos.com/kube-subnet-manager=true ' +
          'flannel.alpha.coreos.com/backend-type=vxlan ' +
          `'flannel.alpha.coreos.com/backend-data={"VNI":4096,"VtepMAC":"${formatMac(await drMac())}"}' ` +
          'flannel.alpha.coreos.com/public-ip=10.0.0.4',
      ),
      stderr: podCidrs('10.244.1.0/24'),
    });
  });

  test('requires the name of the Kubernetes node if the host name is none', async () => {
    await node.add({ ...overlay, adapter: 'Ethernet' });
    const printed = await runCli(['node', 'describe', '-o', 'kubectl'], {
      hostName: "o'brien",
      system: node.outside,
    });
    expect(printed).toEqual(
      failure(
        2,
        'win-hcn: host name "o\'brien" is not the name of a Kubernetes node: specify it with --node-name',
      ),
    );
  });

  test('prints a manifest with the same annotations', async () => {
    await node.add(l2bridge);
    const { stdout } = await describeNode('cbr0', '-o', 'manifest', '--node-name', 'node-7.example');
    expect(JSON.parse(stdout)).toEqual({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: {
        name: 'node-7.example',
        annotations: {
          'flannel.alpha.coreos.com/kube-subnet-manager': 'true',
          'flannel.alpha.coreos.com/backend-type': 'host-gw',
          'flannel.alpha.coreos.com/backend-data': 'null',
          'flannel.alpha.coreos.com/public-ip': '10.0.1.4',
        },
      },
    });
  });

  test('says what HNS has not set yet, and prints no command', async () => {
    await node.stop();
    node = await startNode({ providerAddressDelayMs: 60_000 });
    await node.hcn.createNetwork('aaaaaaaa-0000-4000-8000-000000000000', {
      Name: 'vxlan0',
      Type: 'Overlay',
      Ipams: [
        {
          Type: 'Static',
          Subnets: [
            {
              IpAddressPrefix: '10.244.1.0/24',
              Policies: [{ Type: 'VSID', Settings: { IsolationId: 4096 } }],
              Routes: [{ NextHop: '10.244.1.1', DestinationPrefix: '0.0.0.0/0' }],
            },
          ],
        },
      ],
      SchemaVersion: { Major: 2, Minor: 0 },
    });
    expect(await describeNode('vxlan0', '-o', 'kubectl')).toEqual(
      failure(
        1,
        'win-hcn: network "vxlan0" has no provider address yet: HNS sets it seconds after the creation of the network',
        'win-hcn: network "vxlan0" has no DrMacAddress yet: HNS sets it seconds after the creation of the network',
      ),
    );
  });

  test('needs one network for flannel', async () => {
    await node.add({ ...overlay, adapter: 'Ethernet' });
    await node.add(l2bridge);
    expect(await describeNode('-o', 'kubectl')).toEqual(
      failure(2, 'win-hcn: flannel supports one network for each node: specify one of vxlan0, cbr0'),
    );
  });

  test('says why there is nothing to describe', async () => {
    expect(await describeNode()).toEqual(failure(1, 'win-hcn: HCN has no Overlay or L2Bridge network'));
    await node.add({ ...overlay, name: 'nat', networkType: 'NAT', subnets: undefined });
    expect(await describeNode('nat')).toEqual(
      failure(
        1,
        'win-hcn: network "nat" is of type NAT: only pods on Overlay and L2Bridge networks are reached through remote subnets',
      ),
    );
    expect(await describeNode('net.conf')).toMatchObject({ exitCode: 1, stdout: '' });
  });
});
