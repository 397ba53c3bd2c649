import { hresultOf } from '../simulator/hresults.ts';
import { nat, overlay } from './configurations.ts';
import type { Scenario } from './scenario.ts';

const pod = (name: string) => `pod ${name} 10.244.1.10`;

/** Creates a network on the node's adapter, as another program does. */
const other = (Name: string, Type: string, IpAddressPrefix: string, Policies: readonly object[] = []) => ({
  Name,
  Type,
  Policies: [{ Type: 'NetAdapterName', Settings: { NetworkAdapterName: 'Ethernet' } }],
  Ipams: [{ Type: 'Static', Subnets: [{ IpAddressPrefix, Policies }] }],
  SchemaVersion: { Major: 2, Minor: 0 },
});

/** Reports on the creation of networks. */
export const networks: readonly Scenario[] = [
  {
    report: 'microsoft/hcsshim#95',
    says: 'HNS refuses a network right after the deletion of another one, until the adapter is free again.',
    hns: {
      switches: { adapterRelease: 'after a refusal', unreleasedAdapter: hresultOf('ERROR_NOT_FOUND') },
    },
    play: async ({ add, del, cli, hns, expect }) => {
      await add('one', '10.244.1.10');
      await del('one', 'ok');
      await cli('network delete l2bridge --yes', 0, 'was deleted');
      await add('two', '10.244.1.10');
      expect('networks', hns.takeInterruptions(), { creations: 2, deletions: 1 });
    },
    left: `network l2bridge; ${pod('two')}`,
  },
  {
    report: 'openshift/windows-machine-config-operator#603',
    says: 'A deleted overlay network needs seconds before the next one can take its adapter.',
    hns: { switches: { adapterRelease: 'after a refusal' } },
    play: async ({ cli }) => {
      await cli('network ensure net.conf --yes', 0, 'was created');
      await cli('network delete l2bridge --yes', 0, 'was deleted');
      await cli('network ensure net.conf --yes', 0, 'was created');
    },
    left: 'network l2bridge',
  },
  {
    report: 'microsoft/hcsshim#850',
    says: 'HNS refuses a network because its name exists, and does not list a network of that name.',
    hns: { switches: { networkListing: 'late', callerIds: 'ignored' } },
    seeds: 5,
    play: ({ add }) => Promise.all([add('one', '10.244.1.1…'), add('two', '10.244.1.1…')]),
    left: 'network l2bridge; pod one 10.244.1.1…; pod two 10.244.1.1…',
  },
  {
    report: 'Azure/azure-container-networking#3297',
    says: 'Of two pods that start at once on a new node, one fails because the other one has created the network.',
    hns: { switches: { concurrentNetworks: 'some refused' } },
    seeds: 5,
    play: async ({ add, hns, expect }) => {
      await Promise.all(['one', 'two', 'three'].map((name) => add(name, '10.244.1.1…')));
      expect('networks', hns.takeInterruptions(), { creations: 1, deletions: 0 });
    },
    left: 'network l2bridge; pod one 10.244.1.1…; pod two 10.244.1.1…; pod three 10.244.1.1…',
  },
  {
    report: 'containerd/containerd#13288',
    says: 'A runner came up without the network nat, and HNS refuses to create one with an empty subnet.',
    config: { ...nat, subnets: undefined },
    play: async ({ add, refuse }) => {
      await refuse('HcnCreateNetwork', 'ERROR_NOT_FOUND');
      await add(
        'web',
        '100: creating NAT network "nat" … ERROR_NOT_FOUND (0x80070490) … For NAT, set "subnets"…',
      );
    },
    left: 'of web: namespace',
  },
  {
    report: 'microsoft/Windows-Containers#486',
    says: 'With two NAT networks, HNS on Windows Server 2022 hangs when a third container publishes a port.',
    config: nat,
    play: async ({ hcn, event, cli, add }) => {
      const dev = { Name: 'dev', Type: 'NAT', SchemaVersion: { Major: 2, Minor: 0 } };
      await event('Docker creates dev', () => hcn.createNetwork('d0c4e732-8b1a-4f6d-9c55-3e7a1f2b9d04', dev));
      await cli('config plan net.conf', 0, 'are NAT networks: with more than one, HNS may hang');
      await add('web', '172.28.0.2');
      await cli('doctor', 0, 'WARN', '"dev" and "nat" are NAT networks … use one NAT network for all pods');
    },
    left: 'network dev; network nat; pod web 172.28.0.2',
  },
  {
    report: 'projectcalico/calico#8465',
    says: "A node's NAT network has a VLAN that nobody configured.",
    hns: { switches: { natVlan: 'shown' } },
    config: nat,
    play: async ({ add, status, cli }) => {
      await add('web', '172.28.0.2');
      await add('api', '172.28.0.3');
      await status('ok');
      await cli('doctor', 0);
    },
    left: 'network nat; pod web 172.28.0.2; pod api 172.28.0.3',
  },
  {
    report: 'microsoft/SDN#498',
    says: "A new l2bridge or overlay network resets the adapter's static address to 169.254.x.x.",
    play: async ({ cli, add }) => {
      await cli(
        'network ensure net.conf',
        1,
        'Ethernet',
        'the adapter may lose a static address',
        'No changes made',
      );
      await add('web', '10.244.1.10');
      await cli('network ensure net.conf', 0, 'exists as configured');
    },
    left: `network l2bridge; ${pod('web')}`,
  },
  {
    report: 'microsoft/SDN#300',
    says: "HNS finds no adapter for an l2bridge network: a transparent switch has the node's only one.",
    play: async ({ hns, event, add, cli }) => {
      const document = other('vSwitch01', 'Transparent', '10.0.0.0/24');
      await event('the administrator creates vSwitch01', () => hns.others.createNetwork(document));
      await add(
        'web',
        '100: adapter "Ethernet" is in use by Transparent network "vSwitch01", so HNS refused … delete vSwitch01',
      );
      await cli('network ensure net.conf --yes', 1, 'set "adapter" to another adapter');
    },
    left: 'network vSwitch01; of web: namespace',
  },
  {
    report: 'microsoft/SDN#269',
    says: 'HNS finds no adapter for an overlay network on a node with another type of network.',
    config: overlay,
    play: async ({ hns, event, add, cli }) => {
      const document = other('l2', 'L2Bridge', '10.9.0.0/24');
      await event('a script creates l2', () => hns.others.createNetwork(document));
      await add(
        'web',
        '100: adapter "Ethernet" is in use by L2Bridge network "l2" … win-hcn network delete l2',
      );
      await cli('doctor', 0, 'in use by L2Bridge network "l2": HNS may refuse');
    },
    left: 'network l2; of web: namespace',
  },
  {
    report: 'flannel-io/flannel#1111',
    says: 'An overlay network needs a second, external overlay network on the same adapter.',
    config: overlay,
    play: async ({ hns, event, add }) => {
      const vsid = [{ Type: 'VSID', Settings: { IsolationId: 9999 } }];
      const document = other('External', 'Overlay', '192.168.255.0/30', vsid);
      await event('a script creates External', () => hns.others.createNetwork(document));
      await add('web', '10.245.1.2');
    },
    left: 'network External; network overlay; pod web 10.245.1.2',
  },
  {
    report: 'flannel-io/flannel#1066',
    says: 'flannel waits for the ManagementIP of a new network, which HNS never shows.',
    hns: { switches: { managementAddressQuery: 'refused' } },
    play: async ({ add, status }) => {
      await add('web', '10.244.1.10');
      await status('ok');
    },
    left: `network l2bridge; ${pod('web')}`,
  },
];
