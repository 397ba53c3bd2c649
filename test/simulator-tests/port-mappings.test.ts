import { describe, expect, it, test } from 'vitest';
import { endpoint } from '../simulator/computenetwork.ts';
import {
  createEndpoint,
  createNetwork,
  hnsAroundEach,
  l2bridge,
  modify,
  nat,
  overlay,
  remove,
} from './test-client.ts';

hnsAroundEach();
const id = '3c6fab4d-6191-4171-a627-dd46f8c2e392';
const pod = '8b1c4a52-0c39-4b8f-a1f7-3f4a2d9e6b01';
const done = '0x00000000';
const taken = '0x803B0013';
const http = { Protocol: 6, InternalPort: 80, ExternalPort: 8080 };
const mapping = (...settings: object[]) => ({
  Policies: settings.map((Settings) => ({ Type: 'PortMapping', Settings })),
});

describe('a port mapping', () => {
  test.for([
    ['NAT', nat, done, 'T hcnerrors_test.go'],
    ['ICS', { Type: 'ICS' }, done, 'I'],
    ['L2Bridge', l2bridge, done, 'I'],
    ['Overlay', overlay, done, 'T hcnerrors_test.go'],
    ['Transparent', { Type: 'Transparent' }, '0x803B0016', 'D HCNHResult.md, I'],
    ['Private', { Type: 'Private' }, '0x803B0016', 'D HCNHResult.md, I'],
    ['Internal', { Type: 'Internal' }, '0x803B0016', 'D HCNHResult.md, I'],
  ] as const)('on $0 returns $2 [$3]', async ([, document, hresult]) => {
    await createNetwork(document, id);
    expect((await createEndpoint(id, mapping(http))).hresult).toBe(hresult);
  });
  test.each([
    ['zero', { ...http, InternalPort: 0 }],
    ['missing', { Protocol: 6, ExternalPort: 8080 }],
  ])('with internal port %s is refused [D HCNHResult.md]', async (_, settings) => {
    await createNetwork(nat, id);
    expect(await createEndpoint(id, mapping(settings))).toMatchObject({
      hresult: '0x803B002D',
      error: 'The internal port must exist and cannot be zero. ',
    });
  });
});

describe('an external port', () => {
  it('belongs to one endpoint on NAT and on Overlay [T hcnerrors_test.go]', async () => {
    for (const document of [nat, overlay]) {
      const { id: made } = await createNetwork(document);
      expect((await createEndpoint(made, mapping(http), pod)).hresult).toBe(done);
      expect(await createEndpoint(made, mapping(http))).toMatchObject({
        hresult: taken,
        error: 'The specified port already exists. ',
      });
      await remove(endpoint, pod);
    }
  });
  it('is available again after its endpoint is deleted or loses the policy [I]', async () => {
    await createNetwork(nat, id);
    await createEndpoint(id, mapping(http), pod);
    await modify(endpoint, pod, { ResourceType: 'Policy', RequestType: 'Remove', Settings: mapping(http) });
    expect((await createEndpoint(id, mapping(http))).hresult).toBe(done);
  });
  it('is mapped once for TCP and once for UDP [T hcnerrors_test.go]', async () => {
    await createNetwork(nat, id);
    expect((await createEndpoint(id, mapping(http, { ...http, Protocol: 17 }))).hresult).toBe(done);
  });
  it('is mapped once for each family [D HNS_Schema.md NatFlags]', async () => {
    await createNetwork(nat, id);
    const both = mapping(http, { ...http, Flags: 2 });
    const { hresult, document } = await createEndpoint(id, both);
    expect({ hresult, Policies: document['Policies'] }).toEqual({ hresult: done, ...both });
    expect((await createEndpoint(id, mapping({ ...http, Flags: 2 }))).hresult).toBe(taken);
  });
  it('is not mapped twice by one endpoint [I]', async () => {
    await createNetwork(nat, id);
    expect((await createEndpoint(id, mapping(http, { ...http, InternalPort: 81 }))).hresult).toBe(taken);
  });
});
