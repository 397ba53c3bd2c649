import { describe, expect, test } from 'vitest';
import type { HostComputeNetwork } from '../../../src/hcn/documents.ts';
import { describeRefusal, describeUse, findAdapterUse, remedyForUse } from '../../../src/plan/adapter-use.ts';
import { hostAdapters } from './host-adapters.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
const named = (NetworkAdapterName: string) => ({ Type: 'NetAdapterName', Settings: { NetworkAdapterName } });
const provider = (ProviderAddress: string) => ({ Type: 'ProviderAddress', Settings: { ProviderAddress } });
const network = (Type: string, Name: string, ...Policies: readonly object[]) =>
  ({ ID: '22222222-2222-3333-4444-555555555555', Name, Type, Policies, SchemaVersion }) as HostComputeNetwork;

const bridge = network('L2Bridge', 'cbr0', named('Ethernet'));
const overlay = network('Overlay', 'vxlan0', provider('10.0.0.4'));
const transparent = network('transparent', 'lan', named('ETHERNET'));

const use = (created: HostComputeNetwork, ...others: readonly HostComputeNetwork[]) =>
  findAdapterUse(created, others, hostAdapters);

const nat = network('NAT', 'nat', named('Ethernet'));
const elsewhere = network('Overlay', 'storage', named('Ethernet 2'));

describe('the adapter of a network to create', () => {
  test.each([
    ['a network of its type', bridge, network('l2bridge', 'cbr1', named('ethernet'))],
    ['a network of a type that has no adapter', bridge, nat],
    ['a network on another adapter', bridge, elsewhere],
    ['any network if it is unknown itself', overlay, bridge],
  ])('is not in use by %s', (_, created, other) => {
    expect(use(created, other)).toBeUndefined();
  });

  test('is described with its users, what HNS does and what to do', () => {
    const certain = use(bridge, overlay, transparent);
    const likely = use(bridge, overlay);
    if (certain === undefined || likely === undefined) throw new Error('not in use');
    expect(describeUse(certain)).toBe(
      'adapter "Ethernet" is in use by Overlay network "vxlan0", transparent network "lan"',
    );
    expect(describeRefusal(certain)).toBe('HNS does not put L2Bridge network "cbr0" on it');
    expect(describeRefusal(likely)).toBe('HNS may refuse to put L2Bridge network "cbr0" on it');
    expect(remedyForUse(certain)).toBe(
      'set "adapter" to another adapter, or delete "vxlan0" if nothing uses it: win-hcn network delete vxlan0',
    );
  });
});
