import { describe, expect, test } from 'vitest';
import { type AddressHolder, reasonToHold, removalNotice } from '../../../src/model/reclaim.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
const ID = '0b5e1c9a-5e1f-4d8e-9a55-3d3c1a2b4c5d';
const HostComputeNamespace = 'c08cb7b8-9b3c-408e-8e30-5e16a3aeb444';
const network = '22222222-2222-3333-4444-555555555555';

describe('ADD may delete an address holder', () => {
  const holder = (more: Partial<AddressHolder>, endpoint: object = {}): AddressHolder => ({
    endpoint: { ID, Name: 'gone_cbr0_eth0', HostComputeNetwork: network, SchemaVersion, ...endpoint },
    address: '10.244.3.9',
    network: 'l2bridge',
    isManaged: true,
    namespaceExists: false,
    ...more,
  });
  const balancer = (id: string, ...endpoints: readonly string[]) => ({
    ID: id,
    HostComputeEndpoints: endpoints,
    PortMappings: [],
    SchemaVersion,
  });
  const balancers = ['7f9f2c8e-4f53-4a1e-8a52-52b6b2a3c9d1', '8f9f2c8e-4f53-4a1e-8a52-52b6b2a3c9d1'];
  const attached = { HostComputeNamespace };
  const unmanaged = { isManaged: false };
  const name = `endpoint "gone_cbr0_eth0" (${ID})`;
  const held = `${name} has address 10.244.3.9 and`;
  const podFirst = 'delete its pod first, or repair the records of the IPAM plugin';
  const inNamespace = `${held} is in namespace ${HostComputeNamespace}: ${podFirst}`;

  test.each<[string, AddressHolder, string | undefined]>([
    ['on another node, without a load balancer', holder(unmanaged, { Flags: 1, ID: network }), undefined],
    ['not in an existing namespace', holder({ namespaceExists: true }, attached), inNamespace],
    ['not in state AttachedSharing', holder({}, { State: 3 }), `${held} is in use: ${podFirst}`],
    [
      'not of another program, in no namespace',
      holder(unmanaged),
      `${held} was not created by win-hcn. If it is unused, run win-hcn debug endpoint delete ${ID} --yes`,
    ],
    [
      'not of kube-proxy, the source VIP',
      holder(unmanaged, { Name: 'l2bridge_source_vip' }),
      `endpoint "l2bridge_source_vip" (${ID}) has address 10.244.3.9 and is the source VIP of kube-proxy: win-hcn debug endpoint delete ${ID} --yes, then win-hcn network ensure FILE --yes, replace it`,
    ],
    [
      'not on another node, with load balancers',
      holder(unmanaged, { Flags: 1 }),
      `remote ${held} is a backend of load balancers: kube-proxy deletes it when the pod on the other node is gone`,
    ],
  ])('%s', (_, given, reason) => {
    const loadBalancers = balancers.map((id) => balancer(id, ID));
    expect(reasonToHold(given, loadBalancers)).toBe(reason);
  });

  test('and then logs its name and address', () => {
    expect(removalNotice(holder({}))).toBe(`deleted leftover ${name} with address 10.244.3.9`);
  });
});
