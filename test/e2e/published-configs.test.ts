import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { publishedConfigs } from '../unit/config/published-configs.ts';
import { type Node, type Pod, startNode } from './node.ts';

const networkId = 'aaaaaaaa-0000-4000-8000-000000000000';
const nodeEndpoint = 'node_ep';

describe.each(publishedConfigs)(
  '$source',
  ({ config, before, pod: expected, ignored = [], policies = [], dns = {}, macPrefix = '00-15-5D' }) => {
    let node: Node;
    let pod: Pod;

    beforeEach(async () => {
      node = await startNode({ adapters: [{ name: 'Ethernet', managementIp: '192.168.1.5' }] });
      if (before !== undefined) {
        await node.hcn.createNetwork(networkId, before);
        const isNetworkGateway = JSON.stringify(before).includes(`"NextHop":"${expected.gateway}"`);
        if (!isNetworkGateway) await createNodeEndpoint();
      }
      node.ipam.prefix = expected.within;
      node.ipam.prefix6 = expected.gateway6 === undefined ? undefined : '10::';
      pod = node.newPod();
    });
    afterEach(() => node.stop());

    /** A gateway other than the network's is the node's own endpoint. */
    const createNodeEndpoint = () =>
      node.hcn.createEndpoint(networkId, 'bbbbbbbb-0000-4000-8000-000000000000', {
        Name: nodeEndpoint,
        HostComputeNetwork: networkId,
        IpConfigurations: [{ IpAddress: expected.gateway }],
        SchemaVersion: { Major: 2, Minor: 0 },
      });
    const dump = () => {
      const { endpoints, networks } = node.hns.dump();
      return { endpoints: endpoints.filter(({ Name }) => Name !== nodeEndpoint), networks };
    };

    const run = (command: string, more = {}) => node.cni(command, { config: { ...config, ...more }, pod });

    test('ADD creates an endpoint on the network, and DEL deletes it', async () => {
      const log = ignored.map((path) => `win-hcn: ${path} is not supported and is ignored\n`).join('');
      expect(await run('ADD')).toMatchObject({ exitCode: 0, log });
      const { endpoints, networks } = dump();
      const routes = [
        { NextHop: expected.gateway, DestinationPrefix: '0.0.0.0/0' },
        ...(expected.gateway6 === undefined
          ? []
          : [{ NextHop: expected.gateway6, DestinationPrefix: '::/0' }]),
      ];
      expect(networks).toHaveLength(1);
      expect(endpoints).toMatchObject([
        {
          Name: `${pod.containerId}_${networks[0]?.['Name']}`,
          HostComputeNetwork: networks[0]?.['ID'],
          HostComputeNamespace: pod.netns,
          IpConfigurations: expect.arrayContaining([
            { IpAddress: expect.stringContaining(expected.within), PrefixLength: expected.length },
          ]),
          Routes: routes.map((one) => expect.objectContaining(one)),
          MacAddress: expect.stringMatching(`^${macPrefix}`),
        },
      ]);
      const { Policies = [], Dns } = endpoints[0] ?? {};
      expect({ Policies, Dns }).toEqual({ Policies: policies, Dns: dns });
      expect(await run('DEL')).toMatchObject({ exitCode: 0, stdout: '' });
      expect(dump()).toMatchObject({ endpoints: [], networks });
      expect(node.ipam.leases.size).toBe(0);
    });
  },
);
