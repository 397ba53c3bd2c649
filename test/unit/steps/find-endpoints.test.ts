import { describe, expect, test } from 'vitest';
import { findReplacedEndpoint } from '../../../src/steps/find-endpoints.ts';
import { smallHcn } from '../hcn/small-hcn.ts';

const attachment = { containerId: 'c0ffee', ifname: 'eth0', network: 'cbr0' };

const first = '0b5e1c9a-5e1f-4d8e-9a55-3d3c1a2b4c5d';
const second = '2f6b1f0e-7a11-4d0c-9b58-0d6f6b3f7a01';

const dropInName = 'c0ffee_cbr0';

/** An HCN with endpoints of these ids and names. */
function hcnWith(...endpoints: readonly (readonly [id: string, name: string])[]) {
  return smallHcn({ endpoints: endpoints.map(([ID, Name]) => ({ ID, Name })) });
}

describe('the endpoint of a replaced plugin', () => {
  test('is an error that names both if there are two', async () => {
    const { hcn } = hcnWith([first, dropInName], [second, dropInName]);
    await expect(findReplacedEndpoint(attachment, hcn)).rejects.toMatchObject({
      code: 100,
      message: '2 endpoints are named "c0ffee_cbr0"',
      details: `inspect each with win-hcn show endpoint ID, then delete the right one with win-hcn debug endpoint delete ID --yes: ${first}, ${second}`,
    });
  });
});
