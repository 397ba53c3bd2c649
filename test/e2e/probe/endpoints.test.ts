import { describe, expect, test } from 'vitest';
import { remoteEndpointRows } from '../../../src/cli/probe/rows/remote-endpoints.ts';
import type { Fault, HnsOptions } from '../../simulator/hns.ts';
import { hresultOf } from '../../simulator/hresults.ts';
import { probeRow, refusal, returning } from './run-probe.ts';

const query = 'HcnQueryEndpointProperties';
const create = 'HcnCreateEndpoint';

/** A new endpoint that HNS could not program. */
const unhealthy: Fault = { function: create, effect: { unhealthy: { state: 5, lastErrorCode: 0x803b0017 } } };

interface Case {
  readonly row: string;
  readonly observed: string;
  readonly options?: HnsOptions;
  readonly faults?: readonly Fault[];
}

const cases: readonly Case[] = [
  { row: 'endpointRoutes', observed: 'inherited' },
  { row: 'endpointRoutes', observed: 'own', faults: [returning(query, { Routes: [] })] },
  { row: 'defaultMembers', observed: 'omitted' },
  { row: 'defaultMembers', observed: 'returned', faults: [returning(query, { Flags: 0 })] },
  { row: 'simultaneousEndpoints', observed: 'ERROR_OBJECT_ALREADY_EXISTS' },
  {
    row: 'simultaneousEndpoints',
    observed: 'ERROR_ALREADY_EXISTS',
    options: { switches: { duplicateEndpoint: hresultOf('ERROR_ALREADY_EXISTS') } },
  },
  {
    row: 'simultaneousEndpoints',
    observed: 'both refused',
    faults: [refusal(create, 'ERROR_BUSY', 'every')],
  },
  { row: 'endpointState', observed: 'created 1, attached 1, detached 4' },
  { row: 'endpointState', observed: 'created 5, attached 5, detached 5', faults: [unhealthy] },
  { row: 'endpointHealth', observed: 'zero' },
  { row: 'endpointHealth', observed: 'not zero', faults: [unhealthy] },
  { row: 'endpointHealth', observed: 'absent', faults: [2, 3, 4].map((nth) => returning(query, {}, nth)) },
  { row: 'gatewayAddress', observed: 'HCN_E_ADDR_INVALID_OR_RESERVED' },
  { row: 'gatewayAddress', observed: 'ERROR_OBJECT_ALREADY_EXISTS', options: { profile: 'ws2019' } },
  { row: 'exhaustedSubnet', observed: 'E_FAIL', faults: [refusal(create, 'E_FAIL', 2)] },
  { row: 'localAfterRemote', observed: 'refused' },
  { row: 'remoteName', observed: 'kept' },
  { row: 'remoteName', observed: 'replaced', faults: [returning(query, { Name: 'Ethernet' }, 2)] },
  { row: 'remoteName', observed: 'E_INVALIDARG', faults: [refusal(create, 'E_INVALIDARG', 2)] },
  { row: 'remoteMacAddress', observed: 'accepted' },
  { row: 'remoteMacAddress', observed: 'refused', faults: [refusal(create, 'E_INVALIDARG', 2)] },
];

describe('probe observes', () => {
  test.each(cases)('$row: $observed', async ({ row, observed, options, faults }) => {
    expect(await probeRow(row, options, faults)).toMatchObject({ id: row, observed });
  });
});

test('simultaneousEndpoints is not tried if HNS chooses the IDs', async () => {
  expect(await probeRow('simultaneousEndpoints', { switches: { callerIds: 'ignored' } })).toMatchObject({
    verdict: 'not tried',
    reason: 'HNS chose another ID',
  });
});

test.each(remoteEndpointRows)(
  'probe does not decide $id if HNS refuses every remote endpoint',
  async ({ id }) => {
    const fault = refusal(create, 'HCN_E_REQUEST_UNSUPPORTED', 'every');
    expect(await probeRow(id, {}, [fault])).toMatchObject({
      verdict: 'not tried',
      reason:
        "creating the experiment's object: HCN returned HCN_E_REQUEST_UNSUPPORTED (0x803b0015): The specified request is unsupported",
    });
  },
);

describe('probe observes how long a new Transparent network refuses static addresses', () => {
  test('until it gives up', async () => {
    expect(await probeRow('earlyStaticAddress', { staticAddressDelayMs: 60_000 })).toMatchObject({
      verdict: 'holds',
      observed: 'HCN_E_INVALID_IP',
      detail: 'still refused after 10000 ms',
    });
  });

  test('unless HNS accepts them at once', async () => {
    expect(await probeRow('earlyStaticAddress')).toMatchObject({
      verdict: 'not tried',
      reason: 'HNS accepted a static address at once',
    });
  });
});
