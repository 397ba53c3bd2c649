import { describe, expect, test } from 'vitest';
import { CniError, code } from '../../../src/cni/error.ts';
import { HcnError, HcnInvalidResponse } from '../../../src/hcn/errors.ts';
import { OpenObjects } from '../../../src/hcn/open-objects.ts';
import { readEndpoint, readLoadBalancer } from '../../../src/hcn/read-document.ts';
import { type SmallHcnOptions, smallHcn } from './small-hcn.ts';

const requested = '070ede33-25ca-53d9-9556-72c268cfd259';
const generated = '0b5e1c9a-5e1f-4d8e-9a55-3d3c1a2b4c5d';
const network = { kind: 'Network', id: '22222222-2222-3333-4444-555555555555', pointer: 1 } as const;
const SchemaVersion = { Major: 2, Minor: 0 };
const endpoint = { ID: requested, Name: 'c0ffee_cbr0_eth0', HostComputeNetwork: network.id, SchemaVersion };

/** The objects of an HCN. Default: one endpoint. */
function opened(options: SmallHcnOptions = { endpoints: [endpoint] }) {
  const { library, calls } = smallHcn(options);
  return { library, calls, objects: new OpenObjects(library) };
}

/** The objects of an HCN after the creation of an endpoint with this name. */
async function created(options: SmallHcnOptions, name: string | undefined = endpoint.Name) {
  const { library, calls, objects } = opened(options);
  const { value } = await library.createEndpoint(network, requested, JSON.stringify({ ...endpoint }));
  objects.keepCreated(value, name);
  return { library, calls, objects };
}

const generating = { chooseId: () => generated };

/** HNS restarted, or another program deleted the object. */
const staleCodes: readonly (readonly [string, number])[] = [
  ['E_HANDLE', 0x80070006],
  ['HCN_E_OBJECT_USED_AFTER_UNLOAD', 0x803b0031],
];

describe('an object', () => {
  test('that does not exist is undefined', async () => {
    const { objects } = opened({});
    expect(await objects.find('Endpoint', requested, readEndpoint)).toBeUndefined();
    expect(await objects.open('Namespace', requested)).toBeUndefined();
  });

  test('that existed before and is absent is error 11', async () => {
    const { objects, library } = opened({});
    const use = objects.mustUse('Endpoint', requested, (handle) => library.modify(handle, '{}'));
    await expect(use).rejects.toThrow(
      new CniError(
        code.tryAgainLater,
        `endpoint ${requested} was deleted during this request, or HNS restarted and lost it. Retry.`,
      ),
    );
    await expect(use).rejects.toMatchObject({ code: 11 });
  });

  describe.each(staleCodes)('whose handle is no longer valid: %s', (_, hresult) => {
    const stale = (names: RegExp, times: number) => (call: string, nth: number) =>
      names.test(call) && nth <= times ? hresult : undefined;

    test('is opened again for a query', async () => {
      const { objects, calls } = opened({ endpoints: [endpoint], fault: stale(/^query/, 1) });
      expect(await objects.find('Endpoint', requested, readEndpoint)).toMatchObject({ ID: requested });
      expect(calls).toEqual([
        `open Endpoint ${requested}`,
        `query Endpoint ${requested}`,
        `open Endpoint ${requested}`,
        `query Endpoint ${requested}`,
      ]);
    });

    test('is opened again for the creation of an endpoint, and kept', async () => {
      const networks = [{ ID: network.id, Name: 'cbr0', SchemaVersion }];
      const { hcn, calls } = smallHcn({ networks, fault: stale(/^create/, 1) });
      const document = { ...endpoint, Policies: [] };
      await hcn.createEndpoint(network.id, requested, document);
      expect(await hcn.findEndpoint(requested)).toMatchObject({ ID: requested });
      expect(calls).toEqual([
        `open Network ${network.id}`,
        `create Endpoint ${requested}`,
        `open Network ${network.id}`,
        `create Endpoint ${requested}`,
        `query Endpoint ${requested}`,
      ]);
    });

    test('is undefined if it no longer exists', async () => {
      const { objects, library, calls } = opened({ endpoints: [endpoint], fault: stale(/^query/, 1) });
      await objects.open('Endpoint', requested);
      await library.delete('Endpoint', requested);
      expect(await objects.find('Endpoint', requested, readEndpoint)).toBeUndefined();
      expect(calls.at(-1)).toBe(`open Endpoint ${requested}`);
    });
  });

  test('is not opened again after a failure of the service, whose outcome is unknown', async () => {
    const fault = (call: string) => (call.startsWith('modify') ? 0x800706be : undefined);
    const { hcn, calls } = smallHcn({ endpoints: [endpoint], fault });
    await expect(hcn.addPolicies(requested, [])).rejects.toMatchObject({ code: 11 });
    expect(calls).toEqual([`open Endpoint ${requested}`, `modify Endpoint ${requested} Add Policy`]);
  });
});

describe('a created object', () => {
  test('is found by its requested id without opening it', async () => {
    const { objects, calls } = await created({});
    expect(await objects.find('Endpoint', requested, readEndpoint)).toMatchObject({ ID: requested });
    expect(calls).toEqual([`create Endpoint ${requested}`, `query Endpoint ${requested}`]);
  });

  test('with an id generated by HNS is found by both ids, without opening it', async () => {
    const { objects, calls } = await created(generating);
    expect(await objects.find('Endpoint', requested, readEndpoint)).toMatchObject({ ID: generated });
    expect(await objects.find('Endpoint', generated, readEndpoint)).toMatchObject({ ID: generated });
    expect(await objects.find('Endpoint', requested, readEndpoint)).toMatchObject({ ID: generated });
    expect(calls.filter((call) => call.startsWith('open'))).toEqual([]);
  });

  test.each([
    ['with another id and another name', 'another_cbr0_eth0'],
    ['with another id and no name', undefined],
  ])('that is returned %s is an invalid response', async (_, Name) => {
    const answer = JSON.stringify({ ...endpoint, ID: generated, Name });
    const { objects } = await created({
      fault: (call) => (call.startsWith('query') ? { answer } : undefined),
    });
    await expect(objects.find('Endpoint', requested, readEndpoint)).rejects.toThrow(HcnInvalidResponse);
  });

  test('of a kind without names is found with any id generated by HNS', async () => {
    const { library, objects } = opened(generating);
    const document = { HostComputeEndpoints: [], PortMappings: [], SchemaVersion };
    const { value } = await library.create('LoadBalancer', requested, JSON.stringify(document));
    objects.keepCreated(value, undefined);
    expect(await objects.find('LoadBalancer', requested, readLoadBalancer)).toMatchObject({ ID: generated });
  });

  test.each([
    ['deleted', undefined],
    ['not deleted, by a refusal', 0x80004005],
  ])('that is %s is opened again, not used through its old handle', async (_, fault) => {
    const { hcn, calls } = smallHcn({
      endpoints: [endpoint],
      fault: (call) => (call.startsWith('delete') ? fault : undefined),
    });
    await hcn.findEndpoint(requested);
    const deletion = hcn.deleteEndpoint(requested).catch(() => undefined);
    expect(await deletion).toBe(fault === undefined ? true : undefined);
    await hcn.findEndpoint(requested);
    expect(calls.slice(2, 4)).toEqual([`delete Endpoint ${requested}`, `open Endpoint ${requested}`]);
  });

  test.each([
    ['requested', {}, requested],
    ['generated', generating, generated],
  ])('with a %s id counts as created until its handle is no longer valid', async (_, options, actual) => {
    let stale = 0;
    const fault = (call: string) => (call.startsWith('query') && stale-- > 0 ? 0x803b0031 : undefined);
    const { objects } = await created({ ...options, fault });
    await objects.find('Endpoint', requested, readEndpoint);
    await objects.find('Endpoint', actual, readEndpoint);
    expect(objects.isCreated('Endpoint', actual)).toBe(true);
    stale = 1;
    await objects.find('Endpoint', actual, readEndpoint);
    expect(objects.isCreated('Endpoint', actual)).toBe(false);
  });
});

describe('HCN_E_POLICY_NOT_FOUND', () => {
  const fault = () => 0x803b0008;

  test('means for a load balancer that it does not exist', async () => {
    expect(await opened({ fault }).objects.open('LoadBalancer', requested)).toBeUndefined();
  });

  test('is a failure for an endpoint', async () => {
    await expect(opened({ fault }).objects.open('Endpoint', requested)).rejects.toThrow(HcnError);
  });
});
