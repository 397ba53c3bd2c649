import { beforeEach, describe, expect, it, test } from 'vitest';
import { endpoint, hnsCall, namespace } from '../simulator/computenetwork.ts';
import type { Fault } from '../simulator/faults.ts';
import { createEndpoint, createNetwork, hnsAroundEach, modify, nat, query } from './test-client.ts';

const service = hnsAroundEach();
const network = '3c6fab4d-6191-4171-a627-dd46f8c2e392';
const id = '8b1c4a52-0c39-4b8f-a1f7-3f4a2d9e6b01';

beforeEach(async () => {
  await createNetwork(nat, network);
});

async function states(): Promise<unknown[]> {
  const answers = await Promise.all([query(endpoint, id), query(endpoint, id, null)]);
  return answers.map(({ document }) => document['State']);
}

async function inSandbox(...containers: string[]): Promise<string> {
  const HostComputeNamespace = service.hns.createNamespace();
  await createEndpoint(network, { HostComputeNamespace }, id);
  for (const container of containers) service.hns.attachContainer(HostComputeNamespace, container);
  return HostComputeNamespace;
}

describe('the state of an endpoint, in V2 and V1, is', () => {
  it('1 when it is created [S hnsendpoint.go]', async () => {
    await createEndpoint(network, {}, id);
    expect(await states()).toEqual([1, 1]);
  });
  it('2 with a container in its namespace [S hnsendpoint.go]', async () => {
    await inSandbox('291cd4892b99');
    expect(await states()).toEqual([2, 2]);
  });
  it('2 after an attach through V1 [S hnsendpoint.go]', async () => {
    await createEndpoint(network, {}, id);
    await hnsCall('POST', `/endpoints/${id}/attach`, '{"SystemType":"Host","CompartmentId":1}');
    expect(await states()).toEqual([2, 2]);
  });
  it('3 when containers share it, and Health names them [S hnsendpoint.go]', async () => {
    await inSandbox('291cd4892b99', '5e0f8c2a7d11');
    expect(await states()).toEqual([3, 3]);
    expect((await query(endpoint, id)).document).toMatchObject({
      Health: { Extra: { SharedContainers: ['291cd4892b99', '5e0f8c2a7d11'] } },
    });
  });
  it('4 after a detach through V1 [S hnsendpoint.go]', async () => {
    await createEndpoint(network, {}, id);
    await hnsCall('POST', `/endpoints/${id}/attach`, '{}');
    await hnsCall('POST', `/endpoints/${id}/detach`, '{}');
    expect(await states()).toEqual([4, 4]);
  });
  it('4 after it was removed from its namespace [I]', async () => {
    const sandbox = await inSandbox();
    const Settings = { EndpointId: id };
    await modify(namespace, sandbox, { ResourceType: 'Endpoint', RequestType: 'Remove', Settings });
    expect(await states()).toEqual([4, 4]);
  });
});

describe('an unhealthy endpoint', () => {
  test.each([
    ['a state', { state: 5 }, 5, 0],
    ['an error code', { lastErrorCode: 0x803b0007 }, 1, 2151350279],
    ['both', { state: 5, lastErrorCode: 0x803b0017 }, 5, 2151350295],
  ])('is accepted and comes back with %s', async (_, unhealthy, State, LastErrorCode) => {
    service.hns.inject({ function: 'HcnCreateEndpoint', effect: { unhealthy } });
    const { hresult, document } = await createEndpoint(network, {}, id);
    expect({ hresult, document }).toMatchObject({
      hresult: '0x00000000',
      document: { State, Health: { Data: { LastErrorCode } } },
    });
    const { document: v1 } = await query(endpoint, id, null);
    expect(v1).toMatchObject({ State, Health: { LastErrorCode } });
  });
  it('can be an existing one, chosen by its id', async () => {
    await createEndpoint(network, {}, id);
    const other = await createEndpoint(network, {});
    const unhealthy = { id: id.toUpperCase(), state: 5 };
    service.hns.inject({ function: 'HcnOpenEndpoint', effect: { unhealthy } });
    expect(await states()).toEqual([5, 5]);
    expect((await query(endpoint, other.id)).document['State']).toBe(1);
  });
  it('can be the created one only, and stays unhealthy when attached', async () => {
    const healthy = await createEndpoint(network, {});
    const fault: Fault = { function: 'HcnCreateEndpoint', effect: { unhealthy: { state: 5 } } };
    service.hns.inject(fault);
    await inSandbox('291cd4892b99');
    expect(await states()).toEqual([5, 5]);
    expect((await query(endpoint, healthy.id)).document['State']).toBe(1);
  });
  it('can be created through V1 too', async () => {
    service.hns.inject({ function: 'HNSCall', effect: { unhealthy: { state: 5 } } });
    const { value = '' } = await hnsCall('POST', '/endpoints/', JSON.stringify({ VirtualNetwork: network }));
    const { Output } = JSON.parse(value) as { Output: { ID: string } };
    expect((await query(endpoint, Output.ID)).document['State']).toBe(5);
  });
});
