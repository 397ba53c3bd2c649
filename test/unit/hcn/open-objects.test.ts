import { describe, expect, test } from 'vitest';
import { HcnError, HcnInvalidResponse } from '../../../src/hcn/errors.ts';
import { describeObject, openObjects } from '../../../src/hcn/open-objects.ts';
import { readEndpoint, readLoadBalancer } from '../../../src/hcn/read-document.ts';
import { type SmallHcnOptions, smallHcn } from './small-hcn.ts';

const asked = '070ede33-25ca-53d9-9556-72c268cfd259';
const chosen = '0b5e1c9a-5e1f-4d8e-9a55-3d3c1a2b4c5d';
const network = { kind: 'Network', id: '22222222-2222-3333-4444-555555555555', pointer: 1 } as const;
const SchemaVersion = { Major: 2, Minor: 0 };
const endpoint = { ID: asked, Name: 'c0ffee_cbr0_eth0', HostComputeNetwork: network.id, SchemaVersion };

/** The objects of an HCN with one endpoint, or as given. */
function opened(options: SmallHcnOptions = { endpoints: [endpoint] }) {
  const { library, calls } = smallHcn(options);
  return { library, calls, objects: openObjects(library) };
}

/** The objects of an HCN in which an endpoint has just been created under this name. */
async function created(options: SmallHcnOptions, name: string | undefined = endpoint.Name) {
  const { library, calls, objects } = opened(options);
  const { value } = await library.createEndpoint(network, asked, JSON.stringify({ ...endpoint }));
  objects.keepCreated(value, name);
  return { library, calls, objects };
}

const choosing = { chooseId: () => chosen };

function invalidHandle(call: string): number | undefined {
  return call.startsWith('query') ? 0x803b0031 : undefined;
}

describe('an object', () => {
  test('is opened once, however often it is found', async () => {
    const { objects, calls } = opened();
    await objects.find('Endpoint', asked, readEndpoint);
    expect(await objects.find('Endpoint', asked, readEndpoint)).toMatchObject({ ID: asked });
    expect(calls).toEqual([`open Endpoint ${asked}`, `query Endpoint ${asked}`, `query Endpoint ${asked}`]);
  });

  test('that does not exist is undefined', async () => {
    const { objects } = opened({});
    expect(await objects.find('Endpoint', asked, readEndpoint)).toBeUndefined();
    expect(await objects.open('Namespace', asked)).toBeUndefined();
  });

  test('that must exist but is absent is an HcnError', async () => {
    const { objects } = opened({});
    await expect(objects.mustOpen('Endpoint', asked)).rejects.toThrow(HcnError);
    await expect(objects.mustOpen('Endpoint', asked)).rejects.toThrow(
      `opening endpoint ${asked}, which existed before`,
    );
  });

  test('that was recreated after it was opened is opened again', async () => {
    const fault = (call: string, nth: number) => (nth === 1 ? invalidHandle(call) : undefined);
    const { objects, calls } = opened({ endpoints: [endpoint], fault });
    expect(await objects.find('Endpoint', asked, readEndpoint)).toMatchObject({ ID: asked });
    expect(calls).toEqual([
      `open Endpoint ${asked}`,
      `query Endpoint ${asked}`,
      `open Endpoint ${asked}`,
      `query Endpoint ${asked}`,
    ]);
  });

  test('whose handle stays invalid is an HcnError after one retry', async () => {
    const { objects, calls } = opened({ endpoints: [endpoint], fault: invalidHandle });
    await expect(objects.find('Endpoint', asked, readEndpoint)).rejects.toThrow('0x803b0031');
    expect(calls).toHaveLength(4);
  });

  test('that was forgotten is opened again', async () => {
    const { objects, calls } = opened();
    await objects.open('Endpoint', asked);
    objects.forget('Endpoint', asked);
    await objects.open('Endpoint', asked);
    expect(calls).toEqual([`open Endpoint ${asked}`, `open Endpoint ${asked}`]);
  });

  test('that has another id is an invalid response, even with the expected name', async () => {
    const answer = JSON.stringify({ ...endpoint, ID: chosen });
    const { objects } = opened({
      endpoints: [endpoint],
      fault: (call) => (call.startsWith('query') ? { answer } : undefined),
    });
    await expect(objects.find('Endpoint', asked, readEndpoint)).rejects.toThrow(
      new HcnInvalidResponse(
        `querying endpoint ${asked}: HCN returned endpoint ${chosen} instead. The Host Network Service is broken or stopping: ` +
          'check it with Get-Service hns, and restart it with Restart-Service hns.',
      ),
    );
  });
});

describe('a created object', () => {
  test('is found by its requested id without opening it', async () => {
    const { objects, calls } = await created({});
    expect(await objects.find('Endpoint', asked, readEndpoint)).toMatchObject({ ID: asked });
    expect(calls).toEqual([`create Endpoint ${asked}`, `query Endpoint ${asked}`]);
  });

  test('with an id chosen by HNS is found by both ids, without opening it', async () => {
    const { objects, calls } = await created(choosing);
    expect(await objects.find('Endpoint', asked, readEndpoint)).toMatchObject({ ID: chosen });
    expect(await objects.find('Endpoint', chosen, readEndpoint)).toMatchObject({ ID: chosen });
    expect(await objects.find('Endpoint', asked, readEndpoint)).toMatchObject({ ID: chosen });
    expect(calls.filter((call) => call.startsWith('open'))).toEqual([]);
  });

  test('with an id chosen by HNS and a name in other case is found', async () => {
    const answer = JSON.stringify({ ...endpoint, ID: chosen.toUpperCase(), Name: 'C0FFEE_CBR0_ETH0' });
    const { objects } = await created({
      fault: (call) => (call.startsWith('query') ? { answer } : undefined),
    });
    expect(await objects.find('Endpoint', asked, readEndpoint)).toMatchObject({ ID: chosen });
  });

  test.each([
    ['with another id and another name', 'another_cbr0_eth0'],
    ['with another id and no name', undefined],
  ])('that is returned %s is an invalid response', async (_, Name) => {
    const answer = JSON.stringify({ ...endpoint, ID: chosen, Name });
    const { objects } = await created({
      fault: (call) => (call.startsWith('query') ? { answer } : undefined),
    });
    await expect(objects.find('Endpoint', asked, readEndpoint)).rejects.toThrow(HcnInvalidResponse);
  });

  test('of a kind without names is found with any id chosen by HNS', async () => {
    const { library, objects } = opened(choosing);
    const document = { HostComputeEndpoints: [], PortMappings: [], SchemaVersion };
    const { value } = await library.create('LoadBalancer', asked, JSON.stringify(document));
    objects.keepCreated(value, undefined);
    expect(await objects.find('LoadBalancer', asked, readLoadBalancer)).toMatchObject({ ID: chosen });
  });

  test('that is deleted and forgotten is undefined', async () => {
    const { library, objects } = await created({});
    await library.delete('Endpoint', asked);
    objects.forget('Endpoint', asked);
    expect(await objects.find('Endpoint', asked, readEndpoint)).toBeUndefined();
  });

  test('that another program deleted is undefined', async () => {
    const { library, objects } = await created({});
    await library.delete('Endpoint', asked);
    expect(await objects.find('Endpoint', asked, readEndpoint)).toBeUndefined();
  });
});

describe('HCN_E_POLICY_NOT_FOUND', () => {
  const fault = () => 0x803b0008;

  test('means for a load balancer that it does not exist', async () => {
    expect(await opened({ fault }).objects.open('LoadBalancer', asked)).toBeUndefined();
  });

  test('is a failure for an endpoint', async () => {
    await expect(opened({ fault }).objects.open('Endpoint', asked)).rejects.toThrow(HcnError);
  });
});

describe('an enumeration', () => {
  test('returns the ids of the objects with these members', async () => {
    const other = { ...endpoint, ID: chosen, Name: 'other_cbr0_eth0' };
    const { objects } = opened({ endpoints: [endpoint, other] });
    expect(await objects.enumerate('Endpoint', { Name: 'other_cbr0_eth0' })).toEqual([chosen]);
    expect(await objects.enumerate('Endpoint')).toEqual([asked, chosen]);
  });

  test('that fails is an error with the kind and the filter', async () => {
    const { objects } = opened({ fault: () => 0x80004005 });
    await expect(objects.enumerate('LoadBalancer')).rejects.toThrow(
      'listing load balancers: HCN returned E_FAIL',
    );
    await expect(objects.enumerate('Endpoint', { Name: 'nat' })).rejects.toThrow(
      'listing endpoints with {"Name":"nat"}: HCN returned E_FAIL',
    );
  });
});

test('a load balancer is two words in messages', () => {
  expect(describeObject('LoadBalancer', asked)).toBe(`load balancer ${asked}`);
});
