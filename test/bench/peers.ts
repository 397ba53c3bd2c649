// Other plugins, which run in turn with win-hcn in their own configuration.

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

/** ADD and DEL of win-hcn and of a peer with the same configuration. */
export function peerRows({ file, type }: Peer, command: readonly string[]): readonly Row[] {
  const found = recorded.find(({ config }) => config.type === type);
  if (found === undefined) throw new Error(`there is no configuration of ${type}`);
  const { networksBefore } = found;
  // sdnbridge cannot combine its flag loopbackDSR with an address that HNS assigns.
  const config = { ...found.config, optionalFlags: undefined };
  const scene: Scene = {
    prepare: async (node) => {
      for (const network of networksBefore) await node.hcn.createNetwork(networkId(network.Name), network);
      // Creates the network that the plugin would create on the adapter with the default route, which Wine takes from Linux.
      if (networksBefore.length === 0) await addAndDelete(node, config);
    },
  };
  const ipamResult = resultWithin(config.ipam);
  const row = (program: string, name: 'ADD' | 'DEL', peer?: readonly string[]): Row => ({
    name: `${name} of ${program}, type ${type}`,
    scene,
    ...(peer && { peer }),
    prepare: async (node) => ({
      command: name,
      config,
      pod: node.newPod(),
      ipamResult,
      ...(name === 'ADD' ? { after: 'DEL' } : { before: 'ADD' }),
    }),
  });
  return (['ADD', 'DEL'] as const).flatMap((name) => [
    row('win-hcn', name),
    row(basename(file), name, command),
  ]);
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
