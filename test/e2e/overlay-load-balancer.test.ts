import { afterEach, beforeEach, expect, test } from 'vitest';
import { applyLoadBalancer } from '../../src/commands/load-balancer.ts';
import { readLoadBalancer } from '../../src/config/load-balancer-config.ts';
import { endpointId, loadBalancerId, networkId, remoteEndpointId } from '../../src/model/identity.ts';
import { type Node, startNode } from './node.ts';
import { contextWith } from './step-targets.ts';

const config = {
  cniVersion: '1.0.0',
  name: 'overlay',
  type: 'win-hcn',
  networkType: 'Overlay',
  adapter: 'Ethernet',
  subnets: [{ subnet: '192.168.0.0/16', vsid: 4096 }],
  acls: [{ action: 'Allow', direction: 'Out' }],
  defaultAction: 'Allow',
  args: { cni: { ips: ['192.168.0.2/24'] } },
};
const loadBalancer = {
  name: 'dns',
  network: 'overlay',
  frontendVIPs: ['10.96.0.10'],
  sessionAffinity: 'SourceIP',
  ports: [{ protocol: 'udp', port: 53 }],
  backends: ['100.1.2.3'],
};

const SchemaVersion = { Major: 2, Minor: 0 };
const network = networkId('overlay');
const remote = remoteEndpointId(network, '100.1.2.3');

let node: Node;
beforeEach(async () => {
  node = await startNode();
});
afterEach(() => node.stop());

test('creates an Overlay network, an endpoint with an allow-all ACL, and a load balancer with an external backend', async () => {
  const pod = node.newPod();
  expect(await node.add(config, pod)).toMatchObject({
    exitCode: 0,
    json: { ips: [{ address: '192.168.0.2/24', gateway: '192.168.0.1' }] },
  });
  expect(await applyLoadBalancer(readLoadBalancer(loadBalancer), contextWith(node.hcn))).toBe('created');
  const { networks, endpoints, loadBalancers } = node.hns.dump();
  expect(networks).toMatchObject([
    {
      ID: network,
      Name: 'overlay',
      Type: 'Overlay',
      Policies: [
        { Type: 'NetAdapterName', Settings: { NetworkAdapterName: 'Ethernet' } },
        { Type: 'DrMacAddress' },
        { Type: 'ProviderAddress', Settings: { ProviderAddress: '10.0.0.4' } },
        { Type: 'HostRoute', Settings: {} },
      ],
      Ipams: [
        {
          Subnets: [
            {
              IpAddressPrefix: '192.168.0.0/16',
              Policies: [{ Type: 'VSID', Settings: { IsolationId: 4096 } }],
              Routes: [{ NextHop: '192.168.0.1', DestinationPrefix: '0.0.0.0/0' }],
            },
          ],
        },
      ],
    },
  ]);
  const allow = (Direction: string, Priority: number) => ({
    Type: 'ACL',
    Settings: { Action: 'Allow', Direction, Priority, RuleType: 'Switch' },
  });
  expect(endpoints).toMatchObject([
    {
      ID: endpointId({ containerId: pod.containerId, ifname: 'eth0', network: 'overlay' }),
      HostComputeNetwork: network,
      HostComputeNamespace: pod.netns,
      IpConfigurations: [{ IpAddress: '192.168.0.2', PrefixLength: 24 }],
      Routes: [{ NextHop: '192.168.0.1', DestinationPrefix: '0.0.0.0/0' }],
      Policies: [
        allow('Out', 1000),
        allow('In', 65500),
        allow('Out', 65500),
        { Type: 'ProviderAddress', Settings: { ProviderAddress: '10.0.0.4' } },
      ],
    },
    {
      ID: remote,
      HostComputeNetwork: network,
      IpConfigurations: [{ IpAddress: '100.1.2.3' }],
      MacAddress: '02-11-64-01-02-03',
      Flags: 1,
    },
  ]);
  expect(loadBalancers).toEqual([
    {
      ID: loadBalancerId('dns'),
      HostComputeEndpoints: [remote],
      FrontendVIPs: ['10.96.0.10'],
      PortMappings: [{ Protocol: 17, InternalPort: 53, ExternalPort: 53, DistributionType: 2 }],
      SchemaVersion,
    },
  ]);
});
