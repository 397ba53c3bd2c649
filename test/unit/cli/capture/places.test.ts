import { expect, test } from 'vitest';
import { captureTraffic, filterOptions } from '../../../../src/cli/capture/filters.ts';
import { placesOf } from '../../../../src/cli/capture/places.ts';
import type { Destination } from '../../../../src/cli/traffic/destination.ts';
import type { ObservedEndpoint } from '../../../../src/hcn/documents.ts';

const SchemaVersion = { Major: 2, Minor: 0 };

function endpoint(Name: string, changes: Partial<ObservedEndpoint> = {}): ObservedEndpoint {
  return {
    ID: `id-${Name}`,
    Name,
    HostComputeNetwork: 'n',
    HostComputeNamespace: '7c806792-3d8f-4c7b-9e51-0d4f6a3b2c1d',
    MacAddress: '00-15-5D-52-C0-00',
    SchemaVersion,
    ...changes,
  };
}

const adapter = {
  index: 5,
  alias: 'Ethernet',
  description: 'Microsoft Hyper-V Network Adapter',
  mac: '00-0D-3A-00-00-04',
  mediaType: 6,
  mtu: 1500,
  metric: 0,
  isUp: true,
  addresses: [],
  gateways: [],
};
const web = endpoint('web', { IpConfigurations: [{ IpAddress: '10.244.1.2' }] });
const [mac, nodeMac] = ['0x00155D52C000', '0x000D3A000004'];

test.each<[string, string, string, Readonly<Record<string, string>>, string]>([
  ['Miniport', 'vmsmp.sys', 'x', { physaddress: mac, ifindex: '31' }, 'adapter of endpoint web'],
  ['VmsMiniport', 'vmswitch.sys', 'web', {}, 'port of endpoint web on n'],
  ['Filter', 'wfplwfs.sys', 'x', { miniportifindex: '31' }, 'wfplwfs.sys of endpoint web'],
  ['11', 'tcpip.sys', 'x', { 'ip address': '10.244.1.2' }, 'TCP/IP of endpoint web'],
  ['11', 'tcpip.sys', 'x', { 'ip address': '10.0.0.4' }, 'TCP/IP of the node'],
  ['Miniport', 'netvsc.sys', 'Ethernet', { ifindex: '5', physaddress: nodeMac }, 'adapter Ethernet'],
  ['Miniport', 'netvsc.sys', 'x', { physaddress: nodeMac }, 'adapter Ethernet'],
  ['Miniport', 'netvsc.sys', 'x', {}, 'adapter x'],
  ['Protocol', 'rspndr.sys', 'x', { miniportifindex: '5' }, 'rspndr.sys on Ethernet'],
  ['Protocol', 'rspndr.sys', 'x', {}, 'rspndr.sys'],
  ['VmsNic', 'vmswitch.sys', 'x', { ifindex: '5' }, 'virtual switch x, port of Ethernet'],
  ['VmsNic', 'vmswitch.sys', 'x', { vmswitchname: 'l2', physaddress: nodeMac }, 'virtual switch l2'],
])('a component %s of %s named %s with %j is %s', (type, driver, name, properties, where) => {
  const endpoints = [
    endpoint('remote', { Flags: 1 }),
    endpoint('leftover', { HostComputeNamespace: '' }),
    // An adapter of the node has its name, but another MAC address.
    endpoint('Ethernet'),
    web,
  ].filter(({ Name }) => Name !== 'Ethernet' || name === 'Ethernet');
  const values = (all: Readonly<Record<string, string>>) =>
    new Map(Object.entries(all).map(([key, value]) => [key, [value]]));
  const components = [
    { id: 1, name, type, driver, properties: values(properties) },
    // The pod's adapter, so that its index is known.
    ...[{ ifindex: '31', physaddress: mac }].map((known) => ({
      ...{ id: 2, name: 'a', type: 'Miniport', driver: 'vmsmp.sys', properties: values(known) },
    })),
  ];
  const inventory = { networks: [], endpoints, namespaces: [], loadBalancers: [] };
  expect(placesOf(components, { inventory, adapters: [adapter] }).get(1)?.where).toBe(where);
});

test.each<[string, string, readonly Destination[] | undefined, boolean, readonly string[] | string]>([
  ['all traffic', '10.244.1.2', undefined, false, ['-m 00-15-5D-52-C0-00', '-i 10.244.1.2']],
  [
    'traffic inside VXLAN on an Overlay network',
    '10.244.1.2',
    [{ address: '10.0.0.9', protocol: 1 }],
    true,
    ['-t ICMP -i 10.244.1.2 10.0.0.9 -e', '-m 00-15-5D-52-C0-00 -d ARP -e'],
  ],
  [
    'neighbor discovery of IPv6',
    'fd00:10::2',
    [{ address: 'fd00::1', protocol: 132 }],
    false,
    ['-t 132 -i fd00:10::2 fd00::1', '-m 00-15-5D-52-C0-00 -t ICMPv6'],
  ],
  [
    'all traffic of the pod if there are more than eight',
    '10.244.1.2',
    [1, 2, 3, 4, 5, 6, 7, 8].map((last) => ({ address: `10.0.0.${last}` })),
    false,
    ['-m 00-15-5D-52-C0-00', '-i 10.244.1.2'],
  ],
  ['no family', '10.244.1.2', [{ address: 'fd00::1' }], false, 'the pod has no IPv6 address'],
])('the filters match %s', (_, IpAddress, destinations, isOverlay, expected) => {
  const pod = endpoint('web', { IpConfigurations: [{ IpAddress }] });
  const traffic = captureTraffic([pod], destinations, isOverlay, () => []);
  const found =
    'problem' in traffic ? traffic.problem : traffic.filters.map((one) => filterOptions(one).join(' '));
  expect(found).toEqual(expected);
});
