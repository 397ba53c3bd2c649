// nerdctl 2.3 on Windows: SetupNetworking and CleanupNetworking of pkg/containerutil/container_network_manager_windows.go.

import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nerdctlConflist } from '../cluster/agents/nat-networks.ts';
import { changes, onlyMac } from './expected.ts';
import { linux, wine } from './hosts.ts';
import { type Node, startNode } from './node.ts';

const { plugins, ...list } = JSON.parse(readFileSync('conflist-examples/nerdctl.conflist', 'utf8'));
const example = { ...list, plugins: [{ ...plugins[0], dns: { nameservers: ['10.0.0.53'] } }] };
/** The file that nerdctl writes for its default network. It declares no capabilities. */
const generated = nerdctlConflist('nat', '10.4.0.0/24', '10.4.0.1', { 'nerdctl/default-network': 'true' });

const id = '27157d866c9ea519d931a2cf112db5037656d84b7f81ed7d160a7dd00b084a89';
/** What nerdctl run -p 8080:80 passes. */
const portMappings = [{ HostPort: 8080, ContainerPort: 80, Protocol: 'tcp', HostIP: '0.0.0.0' }];
const mapped = [{ Type: 'PortMapping', Settings: { Protocol: 6, InternalPort: 80, ExternalPort: 8080 } }];

interface Row {
  readonly file: string;
  readonly conflist: object;
  readonly endpoint: object;
}
const rows: readonly Row[] = [
  {
    file: 'nerdctl.conflist and its key dns',
    conflist: example,
    endpoint: { Dns: { ServerList: ['10.0.0.53'] }, Policies: mapped },
  },
  {
    file: "nerdctl's own file, which has no capabilities",
    conflist: generated,
    endpoint: { Dns: {} },
  },
];

describe.for([linux, wine])('go-cni as in nerdctl, with $name as nat', (host) => {
  describe.skipIf(host.missing !== undefined)('for a container', () => {
    let node: Node;
    beforeEach(async () => {
      node = await startNode(host, {}, 'nat');
    });
    afterEach(() => node.stop());

    test.each(rows)('creates network and endpoint, and deletes the endpoint, with $file', async (row) => {
      const { hns } = node;
      const netns = hns.createNamespace();
      const container = { id, conflist: row.conflist, netns, labels: { IgnoreUnknown: '1' } };
      const [set] = await node.gocni({ ...container, portMappings }, ['setup']);
      expect(set?.result).toMatchObject({
        Interfaces: {
          eth0: {
            IPConfigs: [{ IP: '10.4.0.2', Gateway: '10.4.0.1' }],
            Mac: onlyMac(hns),
            Sandbox: netns,
          },
        },
      });
      expect(hns.dump().endpoints).toEqual([
        {
          ID: expect.any(String),
          Name: `${id}_nat`,
          HostComputeNetwork: hns.dump().networks[0]?.['ID'],
          HostComputeNamespace: netns,
          IpConfigurations: [{ IpAddress: '10.4.0.2', PrefixLength: 24 }],
          Routes: [{ NextHop: '10.4.0.1', DestinationPrefix: '0.0.0.0/0' }],
          MacAddress: expect.stringMatching(/^00-15-5D/),
          Health: expect.any(Object),
          State: expect.any(Number),
          SchemaVersion: { Major: 2, Minor: 0 },
          ...row.endpoint,
        },
      ]);
      expect(await node.gocni(container, ['remove'])).toEqual([{ command: 'remove' }]);
      expect(changes(hns)).toEqual([
        'HcnCreateNetwork',
        'HcnCreateEndpoint',
        'HcnModifyNamespace',
        'HcnModifyNamespace',
        'HcnDeleteEndpoint',
      ]);
      expect(hns.dump()).toMatchObject({ networks: [{ Name: 'nat' }], endpoints: [] });
      await expect.poll(() => hns.dump()).toMatchObject({ openHandles: 0, clients: 0 });
    });
  });
});
