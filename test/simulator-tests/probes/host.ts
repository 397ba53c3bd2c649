// Probes for the variants of the host.

import { loadIpHelper } from '../../../src/iphlpapi/load-ip-helper.ts';
import { namespace, network } from '../../simulator/computenetwork.ts';
import type { Hns } from '../../simulator/hns.ts';
import { buildLinuxStub } from '../../simulator/stub/build.ts';
import {
  createEndpoint,
  createNetwork,
  done,
  endpointId,
  enumerate,
  l2bridge,
  modify,
  networkId,
  overlay,
  query,
  remove,
} from '../test-client.ts';
import type { Probe } from './probe.ts';

const helper = loadIpHelper(buildLinuxStub());
const late = { adapterRelease: 'after a refusal', hostAttach: 'after refusals' } as const;

function hostNamespace(hns: Hns): string {
  return String(hns.dump().namespaces[0]?.['ID']);
}

async function attachments(hns: Hns): Promise<string[]> {
  await createNetwork(overlay, networkId);
  await createEndpoint(networkId, {}, endpointId);
  const Settings = { EndpointId: endpointId };
  const request = { ResourceType: 'Endpoint', RequestType: 'Add', Settings };
  const attach = async () => (await modify(namespace, hostNamespace(hns), request)).hresult;
  return [await attach(), await attach(), await attach(), await attach()];
}

async function replacements(): Promise<string[]> {
  await createNetwork(overlay, networkId);
  await remove(network, networkId);
  const first = await createNetwork(overlay);
  const second = await createNetwork({ ...overlay, Name: 'second' });
  return [first.hresult, second.hresult];
}

export const hostProbes: readonly Probe[] = [
  {
    name: 'objectsAfterRestart',
    see: async (hns) => {
      await createNetwork({ ...overlay, Flags: 0 }, networkId);
      await createEndpoint(networkId, { HostComputeNamespace: hns.createNamespace() }, endpointId);
      await createEndpoint(networkId, {}, networkId);
      hns.restart();
      const { networks, endpoints, namespaces } = hns.dump();
      return [networks.length, endpoints.map(({ ID }) => ID), namespaces.length];
    },
    expected: { kept: [1, [endpointId, networkId], 2], 'lost in part': [1, [networkId], 2] },
  },
  {
    name: 'adapterRelease',
    see: replacements,
    expected: { 'at once': [done, done], 'after a refusal': ['0x803B0006', done] },
  },
  {
    name: 'unreleasedAdapter',
    options: { switches: late },
    see: replacements,
    expected: (code) => [code, done],
  },
  {
    name: 'networkListing',
    see: async () => {
      await createNetwork(overlay, networkId);
      const again = await createNetwork(overlay);
      const found = await query(network, networkId);
      const lists = [await enumerate(network), await enumerate(network), await enumerate(network)];
      return [again.hresult, found.hresult, ...lists.map(({ length }) => length)];
    },
    expected: { 'at once': ['0x803B0010', done, 1, 1, 1], late: ['0x803B0010', done, 0, 0, 1] },
  },
  {
    name: 'providerInterface',
    see: async () => {
      await createNetwork(overlay);
      const listed = async () =>
        (await helper.readAdapters()).some(({ alias }) => alias === 'vEthernet (Ethernet)');
      return [await listed(), await listed(), await listed()];
    },
    expected: { 'at once': [true, true, true], late: [false, false, true] },
  },
  {
    name: 'hostEndpointAlias',
    see: async (hns) => {
      await createNetwork(l2bridge, networkId);
      await createEndpoint(networkId, { Name: 'bridge_ep' }, endpointId);
      const Settings = { EndpointId: endpointId };
      const request = { ResourceType: 'Endpoint', RequestType: 'Add', Settings };
      await modify(namespace, hostNamespace(hns), request);
      return (await helper.readAdapters()).map(({ alias }) => alias);
    },
    expected: {
      derived: ['Ethernet', 'vEthernet (Ethernet)', 'vEthernet (bridge_ep)'],
      other: ['Ethernet', 'vEthernet (Ethernet)', `vEthernet (Container NIC ${endpointId.slice(0, 8)})`],
    },
  },
  {
    name: 'hostAttach',
    see: attachments,
    expected: {
      'at once': [done, '0x803B002B', '0x803B002B', '0x803B002B'],
      'after refusals': ['0x80070022', '0x80070022', done, '0x803B002B'],
    },
  },
  {
    name: 'earlyHostAttach',
    options: { switches: late },
    see: attachments,
    expected: (code) => [code, code, done, '0x803B002B'],
  },
];
