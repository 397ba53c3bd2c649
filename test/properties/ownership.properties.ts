import assert from 'node:assert/strict';
import fc from 'fast-check';
import { staleEndpoints } from '../../src/cli/doctor/checks/endpoints.ts';
import type { Snapshot } from '../../src/cli/doctor/snapshot.ts';
import { queryInventory } from '../../src/cli/inventory/read-inventory.ts';
import { findSubject } from '../../src/cli/show/find-subject.ts';
import { gc } from '../../src/commands/gc.ts';
import { reclaimAddresses } from '../../src/commands/reclaim-addresses.ts';
import { HcnError } from '../../src/hcn/errors.ts';
import { networkId } from '../../src/model/identity.ts';
import { type System, system } from '../../src/system.ts';
import { runCli } from '../e2e/cli/run-cli.ts';
import { smallNode } from '../unit/commands/small-node.ts';
import {
  dialects,
  type KnownEndpoint,
  type NodeObjects,
  namespaces,
  network,
  nodeObjects,
} from './node-objects.ts';
import type { Property } from './property.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
const graceMilliseconds = 5000;

/** A small HCN with these objects, and what the command line needs of a system. */
function startNode({ endpoints, loadBalancers }: NodeObjects) {
  const small = smallNode({
    networks: [{ ID: networkId(network), Name: network, Type: 'L2Bridge', SchemaVersion }],
    endpoints: endpoints.map(({ document }) => document),
    namespaces,
    loadBalancers,
  });
  // The wait of gc takes no time, and no time limit is ever reached.
  const timer: System['timer'] = (milliseconds, call) => {
    if (milliseconds === graceMilliseconds) queueMicrotask(call);
    return { cancel: () => undefined };
  };
  const outside = { loadLibrary: async () => small.library, timer };
  const ids = () => small.all('Endpoint').map(({ ID }) => ID);
  return { ...small, outside, ids };
}

const idsOf = (endpoints: readonly KnownEndpoint[]): readonly string[] =>
  endpoints.map(({ document }) => document.ID);

/** Why an endpoint is left over; undefined if it is not. */
function expectedReason({
  document,
  owner,
  isRemote,
  namespace,
  isBackend,
}: KnownEndpoint): string | undefined {
  if (isRemote) return isBackend ? undefined : 'no load balancer refers to it';
  if (owner !== 'win-hcn' && owner !== 'another plugin') return undefined;
  if (namespace === 'missing') return 'its namespace is gone';
  const isIdle = [1, 4, 6].includes(document.State ?? 0);
  return namespace === 'none' && (owner === 'win-hcn' || isIdle) ? 'in no namespace' : undefined;
}

interface Row {
  readonly id: string;
  readonly owner: string;
  readonly remote: boolean;
  readonly leftover?: string;
}

const facts = ({ id, owner, remote, leftover }: Row): Row => ({
  id,
  owner,
  remote,
  ...(leftover !== undefined && { leftover }),
});

async function rowsOf(words: readonly string[], outside: object): Promise<readonly Row[]> {
  const { stdout } = await runCli([...words, '-o', 'json'], { system: outside });
  const { endpoints }: { readonly endpoints: readonly Row[] } = JSON.parse(stdout);
  return endpoints.map(facts);
}

const holds = (
  name: string,
  check: (objects: NodeObjects) => Promise<void>,
  runs = { test: 150, fuzz: 20_000 },
): Property => ({ name, property: fc.asyncProperty(nodeObjects, check), runs });

export const ownershipProperties: readonly Property[] = [
  holds('ls, show and doctor name the same owners and leftovers', async (objects) => {
    const { outside } = startNode(objects);
    const expected = objects.endpoints.map((endpoint): Row => {
      const leftover = expectedReason(endpoint);
      const { document, owner, isRemote: remote } = endpoint;
      return { id: document.ID, owner, remote, ...(leftover !== undefined && { leftover }) };
    });
    assert.deepEqual(await rowsOf(['ls', 'endpoints', '--remote'], outside), expected);

    const inventory = await queryInventory({ ...system, ...outside });
    const shown = expected.flatMap(({ id }) => {
      const search = findSubject('endpoint', id, inventory);
      assert.ok('found' in search);
      return search.found.endpoints.map(facts);
    });
    assert.deepEqual(shown, expected);

    // doctor leaves remote endpoints to kube-proxy.
    const leftovers = expected.filter(({ leftover, remote }) => leftover !== undefined && !remote);
    const diagnosed = staleEndpoints.diagnose({ inventory: { value: inventory } } as Snapshot);
    assert.deepEqual(
      diagnosed.filter(({ verdict }) => verdict === 'WARN').map(({ fix }) => fix !== undefined),
      leftovers.map(({ owner }) => owner === 'win-hcn'),
    );
  }),

  holds(
    "gc deletes what ls calls a leftover, of win-hcn and with --other-plugins of other plugins, and nothing else's",
    async (objects) => {
      for (const [option, owners] of [
        [[], ['win-hcn']],
        [['--other-plugins'], ['win-hcn', 'another plugin']],
      ] as const) {
        const { outside, ids } = startNode(objects);
        const stale = objects.endpoints.filter((endpoint) => expectedReason(endpoint) !== undefined);
        const deleted = idsOf(stale.filter(({ owner }) => owners.some((one) => one === owner)));
        const before = ids();
        const dryRun = await runCli(['gc', ...option, '-o', 'json'], { system: outside });
        const { endpoints }: { readonly endpoints: readonly (Row & { readonly outcome: string })[] } =
          JSON.parse(dryRun.stdout);
        assert.deepEqual(
          endpoints.filter(({ outcome }) => outcome === 'would be deleted').map(({ id }) => id),
          deleted,
        );
        assert.deepEqual(ids(), before);
        await runCli(['gc', ...option, '--yes'], { system: outside });
        assert.deepEqual(
          ids(),
          before.filter((id) => !deleted.includes(id)),
        );
      }
    },
    { test: 80, fuzz: 10_000 },
  ),

  holds(
    'GC deletes the endpoints of containers that are not valid, of those that its dialect manages, attached ones too',
    async (objects) => {
      for (const [dialect, behavior] of Object.entries(dialects)) {
        const { context, ids } = startNode(objects);
        const valid = objects.endpoints
          .slice(0, 2)
          .map(({ container: containerId }) => ({ containerId, ifname: 'eth0', network }));
        const isValid = ({ container }: KnownEndpoint) =>
          valid.some(({ containerId }) => containerId === container);
        const garbage = objects.endpoints.filter(
          (one) => one.managedBy.some((by) => by === dialect) && !isValid(one),
        );
        const before = ids();
        await gc({ name: network, createNetwork: 'ifMissing', behavior }, valid, context);
        assert.deepEqual(
          ids(),
          before.filter((id) => !idsOf(garbage).includes(id)),
        );
      }
    },
  ),

  holds('ADD reclaims an address from what ls calls stale, with these differences', async (objects) => {
    for (const [dialect, behavior] of Object.entries(dialects)) {
      for (const endpoint of objects.endpoints) {
        const { context, ids } = startNode(objects);
        const before = ids();
        const { document, isRemote, namespace } = endpoint;
        const isStale = expectedReason(endpoint) !== undefined;
        // A configuration reclaims only what it may delete; remote endpoints belong to no configuration.
        const isManaged = isRemote || endpoint.managedBy.some((by) => by === dialect);
        // No person confirms it: what HNS counts as attached stays, and gc deletes it with --yes.
        const isInUse = !isRemote && [2, 3].includes(document.State ?? 0);
        // The IPAM plugin has assigned its address again: an endpoint of a replaced plugin needs no idle state.
        const isReassigned = endpoint.owner === 'another plugin' && namespace === 'none';
        const expected = isManaged && !isInUse && (isStale || isReassigned);
        const refusal = new HcnError('creating endpoint', 0x803b002f, '');
        const [configuration = { IpAddress: '' }] = document.IpConfigurations ?? [];
        const created = {
          ID: 'ffffffff-5e1f-5d8e-9a55-3d3c1a2b4c5d',
          Name: 'new',
          HostComputeNetwork: networkId(network),
          IpConfigurations: [configuration],
          SchemaVersion,
        };
        const done = await reclaimAddresses(refusal, created, { name: network, behavior }, context).catch(
          () => false,
        );
        assert.equal(done, expected);
        assert.deepEqual(
          ids(),
          before.filter((id) => !expected || id !== document.ID),
        );
      }
    }
  }),
];
