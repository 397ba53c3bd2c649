import { describe, expect, test } from 'vitest';
import { endpointId } from '../../../src/model/identity.ts';
import {
  findEndpointByKey,
  findEndpointsNamed,
  findOtherEndpoints,
  findReplacedEndpoint,
} from '../../../src/steps/find-endpoints.ts';
import { smallHcn } from '../hcn/small-hcn.ts';

const attachment = { containerId: 'c0ffee', ifname: 'eth0', network: 'cbr0' };
const derived = endpointId(attachment);
const derivedOfAnother = endpointId({ ...attachment, containerId: 'decaf' });
const first = '0b5e1c9a-5e1f-4d8e-9a55-3d3c1a2b4c5d';
const second = '2f6b1f0e-7a11-4d0c-9b58-0d6f6b3f7a01';
const otherCase = '3f6b1f0e-7a11-4d0c-9b58-0d6f6b3f7a01';
const gone = '4f6b1f0e-7a11-4d0c-9b58-0d6f6b3f7a01';
const name = 'c0ffee_cbr0_eth0';
const dropInName = 'c0ffee_cbr0';

/** An HCN with endpoints of these ids and names. */
function hcnWith(...endpoints: readonly (readonly [id: string, name: string])[]) {
  return smallHcn({ endpoints: endpoints.map(([ID, Name]) => ({ ID, Name })) });
}

const ids = (found: readonly { readonly ID: string }[]) => found.map(({ ID }) => ID);

test('endpoints found by name have an id of HNS, exactly this name, and still exist', async () => {
  const all = [
    [first, name],
    [derivedOfAnother, name],
    [otherCase, name.toUpperCase()],
    [second, name],
  ];
  const { hcn } = smallHcn({
    endpoints: [...all, [gone, name]].map(([ID = '', Name]) => ({ ID, Name })),
    fault: (call) => (call === `open Endpoint ${gone}` ? 0x803b0002 : undefined),
  });
  expect(ids(await findEndpointsNamed(name, hcn))).toEqual([first, second]);
});

describe('an endpoint found by id or name', () => {
  test('is the one with the id, without a search', async () => {
    const { hcn, calls } = hcnWith([derived, name], [first, name]);
    expect(await findEndpointByKey({ id: derived, name }, hcn)).toMatchObject({ ID: derived });
    expect(calls).toEqual([`open Endpoint ${derived}`, `query Endpoint ${derived}`]);
  });

  test('is else the one with the name', async () => {
    const { hcn } = hcnWith([first, name]);
    expect(await findEndpointByKey({ id: derived, name }, hcn)).toMatchObject({ ID: first });
  });
});

test('the other endpoints of an attachment are those with a generated id, and the one of a replaced plugin', async () => {
  const { hcn } = hcnWith([first, name], [second, dropInName]);
  expect(ids(await findOtherEndpoints(attachment, hcn))).toEqual([first, second]);
});

describe('the endpoint of a replaced plugin', () => {
  test('is named after the container and the network', async () => {
    const { hcn } = hcnWith([first, name], [second, dropInName]);
    expect(await findReplacedEndpoint(attachment, hcn)).toMatchObject({ ID: second });
  });

  test('is an error that names both if there are two', async () => {
    const { hcn } = hcnWith([first, dropInName], [second, dropInName]);
    await expect(findReplacedEndpoint(attachment, hcn)).rejects.toMatchObject({
      code: 100,
      message: '2 endpoints are named "c0ffee_cbr0"',
      details: `inspect each with win-hcn show endpoint ID, then delete the right one with win-hcn debug endpoint delete ID --yes: ${first}, ${second}`,
    });
  });
});
