import { describe, expect, test } from 'vitest';
import { readClusterNode } from '../../../../src/cli/network/cluster-node.ts';
import { type Underlay, wayTo } from '../../../../src/cli/network/way-to-node.ts';
import { nodeObject, vxlanNode } from './node-list.ts';

const data = 'flannel.alpha.coreos.com/backend-data';
const macAddress = '00-15-5D-00-00-02';
const given = { name: 'win-2', podCIDRs: ['10.244.2.0/24'], address: '10.0.0.5' };

function way(object: object, underlay: Underlay) {
  const node = readClusterNode(object);
  if (node === undefined) throw new Error('not a node');
  return wayTo('10.244.2.0/24', node, underlay);
}

describe('the VNI of a node', () => {
  const toVni = (vni: unknown, vsid?: number) =>
    way(vxlanNode({ ...given, mac: '00:15:5d:00:00:02', vni }), { type: 'Overlay', vsid });

  test.each([4096, 16_777_214])('%i is used if the network has none', (vsid) => {
    expect(toVni(vsid)).toEqual({
      remote: { subnet: '10.244.2.0/24', providerAddress: '10.0.0.5', macAddress, vsid },
    });
  });

  test('of the network is the default', () => {
    expect(toVni(4096, 4096)).toEqual({
      remote: { subnet: '10.244.2.0/24', providerAddress: '10.0.0.5', macAddress },
    });
  });

  test.each([0, 4095])('%i is too small for Windows', (vni) => {
    expect(toVni(vni)).toEqual({
      reason: `has VNI ${vni}: Windows requires 4096 or greater on all nodes`,
    });
  });

  test.each([-1, 4096.5, 16_777_215, null])('%j is invalid', (vni) => {
    expect(toVni(vni)).toEqual({ reason: `has an invalid VNI in annotation ${data}: ${vni}` });
  });
});

test.each([
  [60, 'x'.repeat(60)],
  [61, `${'x'.repeat(57)}...`],
])('a backend name of %i characters is printed as %s', (length, printed) => {
  const annotations = { 'flannel.alpha.coreos.com/backend-type': 'x'.repeat(length) };
  expect(way(nodeObject({ ...given, annotations }), { type: 'L2Bridge', onLink: [] })).toEqual({
    reason: `uses flannel's backend ${printed}, expected host-gw for an L2Bridge network`,
  });
});

test('the next hop is the first InternalIP of the family', () => {
  const node = {
    metadata: { name: 'win-2' },
    status: {
      addresses: ['fd00::5', '10.0.0.5', '10.0.0.6'].map((address) => ({ address, type: 'InternalIP' })),
    },
  };
  expect(way(node, { type: 'L2Bridge', onLink: [{ address: '10.0.0.1', length: 24 }] })).toEqual({
    remote: { subnet: '10.244.2.0/24', nextHop: '10.0.0.5' },
  });
});

describe('the VTEP of a node', () => {
  const withData = (value: object) =>
    way(vxlanNode({ ...given, annotations: { [data]: JSON.stringify(value) } }), {
      type: 'Overlay',
      vsid: 4096,
    });

  test.each([
    [{ VNI: 4096 }, `has no VtepMAC in annotation ${data} yet`],
    [{ VNI: 4096, VtepMAC: '' }, `has no VtepMAC in annotation ${data} yet`],
    [{ VNI: 4096, VtepMAC: 5 }, `has an invalid VtepMAC in annotation ${data}: 5`],
    [{ VtepMAC: '00:15:5d:00:00:02' }, `has an invalid VNI in annotation ${data}: null`],
  ])('%j is refused', (value, reason) => {
    expect(withData(value)).toEqual({ reason });
  });
});

test('the next hop may be in any subnet of the interface', () => {
  const onLink = ['10.7.0.1', '10.0.0.1', '10.8.0.1'].map((address) => ({ address, length: 24 }));
  expect(way(nodeObject(given), { type: 'L2Bridge', onLink })).toEqual({
    remote: { subnet: '10.244.2.0/24', nextHop: '10.0.0.5' },
  });
});
