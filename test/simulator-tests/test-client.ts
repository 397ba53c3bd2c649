// A client of the simulated service in the test's own process.

import { afterEach, beforeEach, expect, onTestFinished } from 'vitest';
import type { Answer } from '../simulator/computenetwork.ts';
import * as computenetwork from '../simulator/computenetwork.ts';
import { type Hns, type HnsOptions, startHns } from '../simulator/hns.ts';
import { zeroGuid } from '../simulator/object-id.ts';

const version2 = { SchemaVersion: { Major: 2, Minor: 0 } };
const query2 = JSON.stringify(version2);

export const done = '0x00000000';
export const networkId = '3c6fab4d-6191-4171-a627-dd46f8c2e392';
export const endpointId = '8b1c4a52-0c39-4b8f-a1f7-3f4a2d9e6b01';

/** The result of a call: an HRESULT such as `0x803B0010` and the text of its error record, or the object in V2. */
export interface Outcome {
  readonly hresult: string;
  readonly error?: string;
  readonly id: string;
  readonly document: Record<string, unknown>;
}

/** Starts a service for each test. Afterwards every handle must be closed and every string freed. */
export function hnsAroundEach(options: HnsOptions = {}): { readonly hns: Hns } {
  const running: { hns?: Hns } = {};
  beforeEach(async () => {
    running.hns = await startHns(options);
    process.env['WIN_HCN_SIMULATED_HNS'] = running.hns.address;
  });
  afterEach(async () => {
    const openHandles = running.hns?.dump().openHandles;
    await running.hns?.stop();
    expect({ openHandles, liveStrings: computenetwork.liveStrings() }).toEqual({
      openHandles: 0,
      liveStrings: 0,
    });
  });
  return {
    get hns() {
      if (!running.hns) throw new Error('The service runs only during a test.');
      return running.hns;
    },
  };
}

/** Starts a service for the current test. */
export async function startForTest(options: HnsOptions = {}): Promise<Hns> {
  const hns = await startHns(options);
  onTestFinished(() => hns.stop());
  process.env['WIN_HCN_SIMULATED_HNS'] = hns.address;
  return hns;
}

export function hex(hresult: number): string {
  return `0x${hresult.toString(16).toUpperCase().padStart(8, '0')}`;
}

type Verbs = typeof computenetwork.network;

export async function createNetwork(document: object, id = zeroGuid): Promise<Outcome> {
  const created = await computenetwork.network.create(id, text(document));
  return describe(computenetwork.network, created);
}

export async function createEndpoint(network: string, document: object, id = zeroGuid): Promise<Outcome> {
  const opened = await computenetwork.network.open(network);
  const created = await computenetwork.endpoint.create(opened.handle ?? null, id, text(document));
  if (opened.handle) await computenetwork.network.close(opened.handle);
  return describe(computenetwork.endpoint, created);
}

export async function create(verbs: Verbs, document: object, id = zeroGuid): Promise<Outcome> {
  return describe(verbs, await verbs.create(id, text(document)));
}

export async function modify(verbs: Verbs, id: string, request: object): Promise<Outcome> {
  const opened = await verbs.open(id);
  const modified = await verbs.modify(opened.handle ?? null, JSON.stringify(request));
  return describe(verbs, { ...opened, hresult: modified.hresult, errorRecord: modified.errorRecord });
}

export async function query(verbs: Verbs, id: string, text: string | null = query2): Promise<Outcome> {
  return describe(verbs, await verbs.open(id), text);
}

export async function remove(verbs: Verbs, id: string): Promise<string> {
  return hex((await verbs.delete(id)).hresult);
}

export async function enumerate(verbs: Verbs, filter: object = {}): Promise<string[]> {
  const { value = '' } = await verbs.enumerate(
    JSON.stringify({ ...version2, Filter: JSON.stringify(filter) }),
  );
  return JSON.parse(value) as string[];
}

async function describe(
  verbs: Verbs,
  { hresult, handle, errorRecord }: Answer,
  text: string | null = query2,
) {
  const queried = handle ? await verbs.query(handle, text) : undefined;
  if (handle) await verbs.close(handle);
  const document = JSON.parse(queried?.value ?? '{}') as Record<string, unknown>;
  const record = errorRecord ? (JSON.parse(errorRecord) as { Error: string }) : undefined;
  const id = String(document['ID'] ?? '');
  return { hresult: hex(hresult), ...(record && { error: record.Error }), id, document };
}

/** Adds schema version 2 unless the document has a version; V1 documents have `SchemaVersion: undefined`. */
function text(document: object): string {
  return JSON.stringify({ ...version2, ...document });
}

const natSubnet = {
  IpAddressPrefix: '192.168.100.0/24',
  Routes: [{ NextHop: '192.168.100.1', DestinationPrefix: '0.0.0.0/0' }],
};
export const nat = { Name: 'nat', Type: 'NAT', Ipams: [{ Type: 'Static', Subnets: [natSubnet] }] };
export const l2bridge = { ...nat, Name: 'l2bridge', Type: 'L2Bridge' };
export const overlay = {
  Name: 'flannel.4096',
  Type: 'Overlay',
  Flags: 8,
  Ipams: [
    {
      Type: 'Static',
      Subnets: [
        {
          IpAddressPrefix: '10.244.3.0/24',
          Policies: [{ Type: 'VSID', Settings: { IsolationId: 4096 } }],
          Routes: [{ NextHop: '10.244.3.1', DestinationPrefix: '0.0.0.0/0' }],
        },
      ],
    },
  ],
};
