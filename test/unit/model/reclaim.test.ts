import { describe, expect, test } from 'vitest';
import { type AddressHolder, reasonToHold, sharedAddress } from '../../../src/model/reclaim.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
const ID = '0b5e1c9a-5e1f-4d8e-9a55-3d3c1a2b4c5d';
const HostComputeNamespace = 'c08cb7b8-9b3c-408e-8e30-5e16a3aeb444';
const network = '22222222-2222-3333-4444-555555555555';

describe('the address that two endpoints share', () => {
  const endpoint = (...addresses: readonly string[]) => ({
    Name: 'c0ffee_cbr0_eth0',
    HostComputeNetwork: network,
    IpConfigurations: addresses.map((IpAddress) => ({ IpAddress })),
    SchemaVersion,
  });

  test.each([
    [['10.244.3.9'], ['10.244.3.9'], '10.244.3.9'],
    [['10.244.3.9', 'fd00:3::9'], ['10.244.3.8', 'fd00:3::9'], 'fd00:3::9'],
    [['fd00:3::9'], ['10.244.3.8', 'fd00:3::9'], 'fd00:3::9'],
    [['10.244.3.9'], ['10.244.3.8'], undefined],
    [[], ['10.244.3.8'], undefined],
  ])('one that wants %j and one that has %j share %s', (wanted, had, shared) => {
    expect(sharedAddress(endpoint(...wanted), endpoint(...had))).toBe(shared);
  });
});

describe('who holds an address', () => {
  const holder = (more: Partial<AddressHolder>, endpoint: object = {}): AddressHolder => ({
    endpoint: { ID, Name: 'gone_cbr0_eth0', HostComputeNetwork: network, SchemaVersion, ...endpoint },
    address: '10.244.3.9',
    isManaged: true,
    namespaceExists: true,
    ...more,
  });
  const balancer = (id: string, ...endpoints: readonly string[]) => ({
    ID: id,
    HostComputeEndpoints: endpoints,
    PortMappings: [],
    SchemaVersion,
  });
  const inNamespace = { HostComputeNamespace };
  const runCli = `endpoint "gone_cbr0_eth0" (${ID}), which win-hcn did not make, has address 10.244.3.9 and is in no namespace: if nobody needs it, win-hcn endpoint delete ${ID} --yes deletes it`;
  const atWork = `endpoint "gone_cbr0_eth0" (${ID}) in namespace ${HostComputeNamespace} has address 10.244.3.9: its pod must go first, or the IPAM plugin has lost its records`;

  test.each<[string, AddressHolder, string | undefined]>([
    ['in no namespace, if it is ours', holder({ namespaceExists: false }), undefined],
    [
      'in a namespace that is gone, if it is ours',
      holder({ namespaceExists: false }, inNamespace),
      undefined,
    ],
    ['in a namespace that exists', holder({}, inNamespace), atWork],
    [
      "in no namespace, if it is somebody else's",
      holder({ isManaged: false, namespaceExists: false }),
      runCli,
    ],
    [
      "in a namespace that is gone, if it is somebody else's",
      holder({ isManaged: false, namespaceExists: false }, inNamespace),
      atWork,
    ],
    [
      'on another node, if no load balancer refers to it',
      holder({ isManaged: false }, { Flags: 1 }),
      undefined,
    ],
  ])('%s', (_, given, reason) => {
    expect(reasonToHold(given, [balancer('7f9f2c8e-4f53-4a1e-8a52-52b6b2a3c9d1', network)])).toBe(reason);
  });

  test('on another node stays while load balancers refer to it', () => {
    const users = ['7f9f2c8e-4f53-4a1e-8a52-52b6b2a3c9d1', '8f9f2c8e-4f53-4a1e-8a52-52b6b2a3c9d1'];
    const loadBalancers = users.map((id) => balancer(id, network, ID));
    expect(reasonToHold(holder({ isManaged: false }, { Flags: 1 }), loadBalancers)).toBe(
      `10.244.3.9 is the address of remote endpoint ${ID}, which load balancers refer to (${users.join(', ')}): kube-proxy takes it for a pod on another node, and removes it when it knows better`,
    );
  });
});
