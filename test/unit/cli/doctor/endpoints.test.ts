import { describe, expect, test } from 'vitest';
import { duplicateAddresses, staleEndpoints } from '../../../../src/cli/doctor/checks/endpoints.ts';
import type { ObservedEndpoint, ObservedNetwork } from '../../../../src/hcn/documents.ts';
import { endpointId, endpointName, networkId } from '../../../../src/model/identity.ts';
import { bridge, diagnosed, endpoint, hostNamespace, node, pods, second, withAddress } from './snapshot.ts';

/** The diagnosis of one endpoint with the same address on each network. */
function duplicates(...networks: readonly ObservedNetwork[]): readonly string[] {
  const endpoints = networks.map(({ ID, Name }) =>
    withAddress(Name, '10.244.1.2', { HostComputeNetwork: ID }),
  );
  const given = node({ networks: [...networks], endpoints });
  return diagnosed(duplicateAddresses, given);
}

describe('addresses', () => {
  test('fail if endpoints of this node share one on two networks of one adapter', () => {
    expect(duplicates(pods, second('L2Bridge'))).toEqual([
      'FAIL several endpoints of this node have 10.244.1.2: fd6bec0f on "pods", fd6bec0f on "second" | see: win-hcn show ip 10.244.1.2',
    ]);
  });

  test.each<[string, ObservedNetwork, ObservedNetwork]>([
    ['with different VLANs', bridge('one', 7), bridge('other', 8)],
    ['of different adapters', pods, second('L2Bridge', { adapter: 'Ethernet 2' })],
  ])('pass on networks %s', (_, ...networks) => {
    expect(duplicates(...networks)).toEqual(['PASS 2 addresses and local MAC addresses, no duplicates']);
  });

  test('pass for a remote endpoint on another network of the adapter', () => {
    const endpoints = [
      withAddress('local', '10.244.1.7'),
      withAddress('remote', '10.244.1.7', { HostComputeNetwork: networkId('second'), Flags: 1 }),
    ];
    const given = node({ networks: [pods, second('L2Bridge')], endpoints });
    expect(duplicateAddresses.diagnose(given)).toMatchObject([{ verdict: 'PASS' }]);
  });

  test('fail if two endpoints of this node share one on the same network', () => {
    const endpoints = [
      withAddress('a', '10.244.1.7'),
      withAddress('b', '10.244.1.7'),
      withAddress('c', '10.244.1.7', { HostComputeNetwork: networkId('other') }),
    ];
    expect(diagnosed(duplicateAddresses, node({ endpoints }))).toEqual([
      'FAIL several endpoints of this node have 10.244.1.7: fd6bec0f on "pods", fd6bec0f on "pods" | see: win-hcn show ip 10.244.1.7',
    ]);
  });
});

const attachment = { containerId: 'gone', ifname: 'eth0', network: pods.Name };
const ours = endpoint('', { ID: endpointId(attachment), Name: endpointName(attachment) });
const theirs = endpoint('2', { Name: 'c0ffee_pods', State: 1 });

test('leftovers have the commands that list or delete them', () => {
  expect(diagnosed(staleEndpoints, node({ endpoints: [ours, theirs] }))).toEqual([
    'WARN leftover of win-hcn, in no namespace | 0651ec30 (container gone) | fix: win-hcn gc --yes',
    'WARN leftover of another plugin, in no namespace | fd6bec0f (container c0ffee) | see: win-hcn gc --other-plugins',
  ]);
});

test('leftovers pass only for endpoints whose owner is known', () => {
  const byHand = (State: number) => endpoint('3', { Name: 'by-hand', State });
  const remote = withAddress('4', '10.244.2.7', { Flags: 1, MacAddress: '02-11-0A-F4-02-07' });
  const own = { ...ours, HostComputeNamespace: hostNamespace };
  expect(diagnosed(staleEndpoints, node({ endpoints: [own, byHand(1), remote] }))).toEqual([
    'PASS 0 of 1 local endpoint',
    'UNKNOWN in no namespace; who created it is unknown | fd6bec0f | see: win-hcn show endpoint fd6bec0f',
  ]);
  expect(diagnosed(staleEndpoints, node({ endpoints: [byHand(2), remote] }))).toEqual([]);
});

test('addresses of one pod are compared with those of all', () => {
  const endpoints = ['1', '2', '3'].map((id) => withAddress(id, `10.244.1.${id === '3' ? 2 : id}`));
  const of = (given: ObservedEndpoint | undefined) =>
    diagnosed(duplicateAddresses, { ...node({ endpoints }), selected: new Set([given?.ID ?? '']) });
  expect(of(endpoints[0])).toEqual(['PASS 1 of 3 addresses and local MAC addresses, no duplicates']);
  expect(of(endpoints[1])).toEqual([
    expect.stringMatching(/^FAIL several endpoints of this node have 10.244.1.2/),
  ]);
});
