// Other plugins, which run interleaved with win-hcn in their own configuration.

import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { HostComputeNetwork } from '../../src/hcn/documents.ts';
import { networkId } from '../../src/model/identity.ts';
import { loopbackAdapter } from '../windows/loopback-adapter.ts';
import { addAndDelete, type Row, type Scene } from './rows.ts';

/** A plugin's file, and the `type` in its configurations. */
export interface Peer {
  readonly file: string;
  readonly type: string;
}

interface Recorded {
  readonly networksBefore: readonly HostComputeNetwork[];
  readonly config: Readonly<Record<string, unknown>> & { readonly type: string; readonly ipam: Ranges };
}

interface Ranges {
  readonly subnet?: string;
  readonly ranges?: readonly (readonly { readonly subnet: string }[])[];
}

const folder = 'test/e2e/vectors';

/** The configurations that were recorded with such plugins, for the address of this node's adapter. */
const recorded = readdirSync(folder)
  .map((file) =>
    readFileSync(`${folder}/${file}`, 'utf8').replaceAll('192.168.1.5', loopbackAdapter.managementIp),
  )
  .map((text): Recorded => JSON.parse(text));
const types = [...new Set(recorded.map(({ config }) => config.type))].toSorted();

/** Reads FILE=TYPE. */
export function readPeer(text: string): Peer {
  const [file = '', type = '', ...others] = text.split('=');
  if (file === '' || others.length > 0 || !types.includes(type))
    throw new Error(`--peer is FILE=TYPE with one of the types ${types.join(', ')}.`);
  return { file, type };
}

/** The same request to win-hcn and to another plugin. */
export interface Comparison<T> {
  readonly request: 'VERSION' | 'ADD' | 'DEL';
  readonly type: string;
  /** The name of the plugin's file. */
  readonly file: string;
  readonly own: T;
  readonly peer: T;
}

/** Both sides of each comparison. */
export function rowsCompared<T>(comparisons: readonly Comparison<T>[]): readonly T[] {
  return comparisons.flatMap(({ own, peer }) => [own, peer]);
}

/** Requests with the configuration that was recorded with a peer. */
export function comparisonsWith(
  { file, type }: Peer,
  command: readonly string[],
): readonly Comparison<Row>[] {
  const found = recorded.find(({ config }) => config.type === type);
  if (found === undefined) throw new Error(`there is no configuration of ${type}`);
  const { networksBefore } = found;
  // sdnbridge cannot combine its flag loopbackDSR with an address that HNS assigns.
  const config = { ...found.config, optionalFlags: undefined };
  const ipamResult = resultWithin(config.ipam);
  const scene: Scene = {
    prepare: async (node) => {
      for (const network of networksBefore) await node.hcn.createNetwork(networkId(network.Name), network);
      // Creates the network that the plugin would create on the adapter with the default route, which Wine takes from Linux.
      if (networksBefore.length === 0) await addAndDelete(node, config);
    },
  };
  const row = (program: string, request: Comparison<Row>['request']): Row => ({
    name: `${request} of ${program}, type ${type}`,
    scene,
    prepare: async (node) => ({
      command: request,
      config,
      pod: node.newPod(),
      ipamResult,
      ...(request === 'ADD' && { after: 'DEL' }),
      ...(request === 'DEL' && { before: 'ADD' }),
    }),
  });
  return (['VERSION', 'ADD', 'DEL'] as const).map((request) => ({
    request,
    type,
    file: basename(file),
    own: row('win-hcn', request),
    peer: { ...row(basename(file), request), program: command },
  }));
}

/** What an IPAM plugin returns for a pod in the first range. */
function resultWithin({ subnet, ranges }: Ranges): object {
  const [network = ''] = (subnet ?? ranges?.[0]?.[0]?.subnet ?? '').split('/');
  const host = (last: number) => network.replace(/\d+$/, String(last));
  return {
    cniVersion: '0.3.1',
    ips: [{ version: '4', address: `${host(77)}/24`, gateway: host(1) }],
    routes: [{ dst: '0.0.0.0/0' }],
  };
}
