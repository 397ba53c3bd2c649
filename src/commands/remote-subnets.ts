import { CniError, code } from '../cni/error.ts';
import { describeNodeRoute, newInterface } from '../net/node-route.ts';
import { findUplink } from '../plan/host-endpoint.ts';
import type { IdentifiedNetwork } from '../plan/network-plan.ts';
import {
  policyDifferences,
  type RemoteSubnetDifference,
  routeDifferences,
} from '../plan/remote-subnet-differences.ts';
import {
  encapsulatedSubnets,
  isSameRemoteSubnet,
  type RemoteSubnetKeys,
  remoteSubnetPolicy,
  routeChanges,
  routedSubnets,
} from '../plan/remote-subnets.ts';
import type { Step } from '../steps/step.ts';
import type { CommandContext } from './command-context.ts';

/** How long the interface of a new virtual switch may take to appear. */
const interfaceMilliseconds = 10_000;

/**
 * Adds the missing remote subnets of a network that no pod uses yet, one at a time, as every other client does. A failure is an error: pods
 * could not reach other nodes. The rollback leaves them, as it leaves the network.
 */
export async function setRemoteSubnets(
  config: RemoteSubnetKeys,
  network: IdentifiedNetwork,
  context: CommandContext,
): Promise<void> {
  const { changes } = context;
  const apply = async (step: Step): Promise<void> => {
    await changes.apply(step);
    changes.keep(step);
  };
  for (const remote of encapsulatedSubnets(config)) {
    const policy = remoteSubnetPolicy(remote, network);
    if (network.Policies?.some((one) => isSameRemoteSubnet(one, policy))) continue;
    await apply({ do: 'add remote subnet', id: network.ID, name: network.Name, policy });
  }
  const routed = routedSubnets(config);
  if (routed.length === 0) return;
  const index = await findInterface(network, context);
  const routes = await context.ipHelper.readRoutes();
  for (const change of routeChanges(routed, index, routes)) {
    if (change.difference === 'additional') continue;
    for (const other of change.others)
      context.notice(`the ${describeNodeRoute(other)}, which another program created, is not changed`);
    for (const route of change.remove) await apply({ do: 'delete route', route });
    for (const route of change.add) await apply({ do: 'create route', route });
  }
}

/**
 * Compares the remote subnets of a network with those that the configuration asks for; additional ones are no difference. Reads the
 * node's routes only for an L2Bridge network.
 */
export async function findRemoteSubnetProblems(
  config: RemoteSubnetKeys,
  network: IdentifiedNetwork,
  { ipHelper }: Pick<CommandContext, 'ipHelper'>,
): Promise<readonly string[]> {
  if (config.remoteSubnets.length === 0) return [];
  let differences: readonly RemoteSubnetDifference[];
  if (routedSubnets(config).length === 0) differences = policyDifferences(config, network);
  else {
    const uplink = findUplink(network, await ipHelper.readAdapters());
    if (uplink === undefined) return ['no interface of the node has an address on it'];
    differences = routeDifferences(config, uplink.index, await ipHelper.readRoutes());
  }
  return differences.filter(({ difference }) => difference !== 'additional').map(({ text }) => text);
}

/** The index of the interface with the node's address on a network. Throws code 11 if it does not appear within 10 s. */
async function findInterface(
  network: IdentifiedNetwork,
  { ipHelper, changes }: CommandContext,
): Promise<number> {
  const index = await changes.waitFor(
    interfaceMilliseconds,
    async () => findUplink(network, await ipHelper.readAdapters())?.index,
    async () => newInterface,
  );
  if (index !== undefined) return index;
  throw new CniError(
    code.tryAgainLater,
    `no interface of the node has an address on network "${network.Name}": its routes to remote subnets cannot be created`,
    { details: 'check Get-NetIPAddress and Get-NetAdapter -IncludeHidden' },
  );
}
