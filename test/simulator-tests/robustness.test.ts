import fc from 'fast-check';
import { expect, it } from 'vitest';
import { dispatch } from '../simulator/dispatch.ts';
import { Handles } from '../simulator/handles.ts';
import { initialState } from '../simulator/hns.ts';
import { HnsError } from '../simulator/hresults.ts';
import { zeroGuid } from '../simulator/object-id.ts';
import { endpoint, loadBalancer, namespace, network } from '../simulator/schema/documents.ts';
import { endpointPolicies, networkPolicies } from '../simulator/schema/policy-settings.ts';
import type { Schema } from '../simulator/schema/schema.ts';
import { networkV1 } from '../simulator/schema/v1.ts';

/** Documents of the right shape with plausible and with absurd values. */
function documentOf(schema: Schema): fc.Arbitrary<unknown> {
  switch (schema.kind) {
    case 'any':
      return fc.jsonValue({ maxDepth: 2 });
    case 'string':
      return fc.constantFrom(
        '',
        'a',
        '10.0.0.0/24',
        '10.0.0.1',
        'fd00::/64',
        'fd00::1',
        '00-15-5D-00-00-00',
        'Any',
        '80,81',
      );
    case 'boolean':
      return fc.boolean();
    case 'guid':
      return mostly(fc.constant(zeroGuid), 'not a GUID', '3C6FAB4D-6191-4171-A627-DD46F8C2E392');
    case 'unsigned':
      return mostly(fc.constantFrom(0, 1, 24, 33, 200), 65536, -1, 1.5);
    case 'enumeration':
      return mostly(fc.constantFrom(...schema.names.keys()), 0, 99, 'Any');
    case 'array':
      return fc.array(documentOf(schema.items), { maxLength: 2 });
    case 'object': {
      const members = [...schema.members].map(([name, { schema: member }]) => [
        name,
        mostly(documentOf(member), null, [], {}, 'a', 7),
      ]);
      return fc.record(Object.fromEntries(members), { requiredKeys: [] });
    }
  }
}

function mostly(values: fc.Arbitrary<unknown>, ...others: unknown[]): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 60, arbitrary: values }, { weight: 1, arbitrary: fc.constantFrom(...others) });
}

function policiesOf(types: typeof networkPolicies): fc.Arbitrary<unknown> {
  const each = [...types].map(([Type, { settings }]) =>
    fc.record({ Type: fc.constant(Type), Settings: documentOf(settings) }),
  );
  return fc.record({ Policies: fc.array(fc.oneof(...each), { maxLength: 2 }) });
}

const backend = '8b1c4a52-0c39-4b8f-a1f7-3f4a2d9e6b01';
const version2 = { SchemaVersion: { Major: 2 } };
const version1 = { SchemaVersion: undefined, Type: 'private', Policies: [], MacPools: undefined };
const bridge = {
  ...version2,
  Type: 'NAT',
  Ipams: [
    {
      Subnets: [
        { IpAddressPrefix: '10.9.0.0/24', Routes: [{ NextHop: '10.9.0.1', DestinationPrefix: '0.0.0.0/0' }] },
      ],
    },
  ],
};

it.each([
  ['HcnCreateNetwork', documentOf(network), version2],
  ['HcnCreateNetwork', policiesOf(networkPolicies), version2],
  ['HcnCreateNetwork', documentOf(networkV1), version1],
  ['HcnCreateEndpoint', documentOf(endpoint), version2],
  ['HcnCreateEndpoint', policiesOf(endpointPolicies), version2],
  ['HcnCreateNamespace', documentOf(namespace), version2],
  ['HcnCreateLoadBalancer', documentOf(loadBalancer), { ...version2, HostComputeEndpoints: [backend] }],
] as const)(
  '%s returns an answer for every document, and created objects can be queried',
  (name, documents, more) => {
    const state = initialState({ profile: 'ws2025' });
    const handles = new Handles();
    const call = (called: string, handle: number, document: unknown, guid = zeroGuid) =>
      dispatch(state, handles, {
        client: 1,
        handle,
        guid,
        function: called,
        strings: [JSON.stringify(document)],
      });
    const { handle: parent = 0 } = call('HcnCreateNetwork', 0, { ...bridge, Name: 'parent' });
    call('HcnCreateEndpoint', parent, version2, backend);
    let created = 0;
    const property = fc.property(documents, (document) => {
      try {
        const { handle = 0 } = call(name, parent, { ...(document as object), ...more });
        const kind = name.replace('HcnCreate', '');
        for (const Major of [1, 2]) call(`HcnQuery${kind}Properties`, handle, { SchemaVersion: { Major } });
        created += 1;
        call(`HcnDelete${kind}`, 0, {}, handles.objectOf(handle)?.id);
      } catch (error) {
        if (!(error instanceof HnsError)) throw error;
        expect(error.hresult).toBeGreaterThan(0x8000_0000);
      }
    });
    fc.assert(property, { numRuns: 400, seed: 1 });
    expect(created).toBeGreaterThan(5);
  },
);
