import { describe, expect, test } from 'vitest';
import { finishEndpoint } from '../../../src/commands/finish-endpoint.ts';
import { readNetworkConfig } from '../../../src/config/read-config.ts';
import type { ObservedEndpoint } from '../../../src/hcn/documents.ts';
import type { Assignment } from '../../../src/plan/endpoint-addresses.ts';
import { example } from '../../e2e/example.ts';
import { smallHost } from './small-host.ts';

const id = '070ede33-25ca-53d9-9556-72c268cfd259';
const chosen = '0b5e1c9a-5e1f-4d8e-9a55-3d3c1a2b4c5d';
const network = '22222222-2222-3333-4444-555555555555';
const document = {
  Name: 'c0ffee_cbr0_eth0',
  HostComputeNetwork: network,
  Policies: [{ Type: 'ACL' }, { Type: 'OutBoundNAT' }],
  SchemaVersion: { Major: 2, Minor: 0 },
};
const made: ObservedEndpoint = {
  ...document,
  ID: chosen,
  IpConfigurations: [{ IpAddress: '10.244.1.5', PrefixLength: 24 }],
};
const adding = `modify Endpoint ${chosen} Add Policy`;

/** Finishes an endpoint as HNS made it, and says what calls and notices that took. */
async function finished(
  endpoint: ObservedEndpoint,
  changes: object = {},
  assignment: Assignment = undefined,
) {
  const { host, undo, calls, notices } = smallHost({ endpoints: [endpoint] });
  const config = readNetworkConfig(example('l2bridge', changes));
  const step = { do: 'create endpoint', network, id, document } as const;
  await finishEndpoint({ step, config, assignment }, endpoint, host, undo);
  return { calls, notices };
}

describe('an endpoint as HNS made it', () => {
  test('and as it was sent needs nothing more', async () => {
    expect(await finished(made)).toEqual({ calls: [], notices: [] });
  });

  test('that cannot be used is error 100, with the first reason as its message and the others in its details', async () => {
    await expect(finished({ ...made, IpConfigurations: [], State: 5 })).rejects.toMatchObject({
      code: 100,
      message: expect.stringMatching(/^HNS reports the endpoint as degraded\. /),
      details: 'HNS created the endpoint without an address: add a subnet to the network',
    });
  });

  test('that differs in something harmless is used, with a notice', async () => {
    const { notices } = await finished({ ...made, Policies: [{ Type: 'ACL' }] });
    expect(notices).toEqual(['HNS returned fewer OutBoundNAT policies for the endpoint than were sent']);
  });
});

describe('loopbackDSR', () => {
  test('is added once HNS has assigned the address, by the id that HNS gave the endpoint', async () => {
    const { calls } = await finished(made, { loopbackDSR: true });
    expect(calls).toEqual([`open Endpoint ${chosen}`, adding]);
  });

  test('is not added where the address was known before', async () => {
    const assignment = { ips: [], routes: [], dns: {} };
    const { calls } = await finished(made, { loopbackDSR: true }, assignment);
    expect(calls).toEqual([]);
  });
});
