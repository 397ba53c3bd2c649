import { expect, test } from 'vitest';
import { findTarget } from '../../../../src/cli/trace/ends.ts';
import type { ObservedEndpoint } from '../../../../src/hcn/documents.ts';
import { bridgeState } from '../../../cluster/states.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
const pod = (ID: string, Name: string, ...addresses: readonly string[]): ObservedEndpoint => ({
  ID,
  Name,
  HostComputeNetwork: 'bridge-1',
  HostComputeNamespace: `namespace of ${ID}`,
  IpConfigurations: addresses.map((IpAddress) => ({ IpAddress, PrefixLength: 24 })),
  SchemaVersion,
});
const bridge = bridgeState(1, {
  others: [
    pod('both', 'a91100_cbr0', '10.244.1.6', 'fd00::6'),
    pod('none', 'b92200_cbr0'),
    pod('api', 'd94400_cbr0', '10.244.1.7'),
    { ...pod('far', 'c93300_cbr0', '10.244.2.6'), Flags: 1 },
  ],
});
const inventory = {
  ...bridge.inventory,
  pods: new Map([
    ['a91100', { name: 'shop/api', added: '' }],
    ['b92200', { name: 'shop/new', added: '' }],
    ['d94400', { name: 'test/api', added: '' }],
  ]),
};
const useAddress =
  'pods of other nodes and services need their address (kubectl get pods,services --all-namespaces -o wide)';

test.each<[string, ReturnType<typeof findTarget>]>([
  ['10.244.2.7:80', { found: [{ address: '10.244.2.7', port: 80, protocol: 6 }] }],
  [
    'shop/api:80',
    {
      found: [
        { address: '10.244.1.6', port: 80, protocol: 6 },
        { address: 'fd00::6', port: 80, protocol: 6 },
      ],
    },
  ],
  ['shop/api:70000', undefined],
  ['8.8.8.8:99999', undefined],
  ['[fd00::1]:99999', undefined],
  ['8.8.8.8/xyz', undefined],
  ['shop/api:', { problem: `HCN has no pod "shop/api:", or its name is unknown; ${useAddress}` }],
  ['x\nshop/api:80', { problem: `HCN has no pod "x\nshop/api:80", or its name is unknown; ${useAddress}` }],
  ['shop/new:80', { problem: `shop/new has no address; ${useAddress}` }],
  ['api', { problem: '"api" matches 2 pods: add the namespace (shop/api, test/api)', isAmbiguous: true }],
])('the destination %j of a trace', (text, expected) => {
  expect(findTarget(text, inventory)).toEqual(expected);
});
