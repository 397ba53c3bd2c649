import { CniError, code } from '../../cni/error.ts';
import type { ObservedEndpoint, ObservedNetwork } from '../../hcn/documents.ts';
import { isSourceVip } from '../../model/identity.ts';
import type { Inventory } from '../../model/inventory.ts';
import { boundAdapter } from '../../model/network-document.ts';
import { loadBalancerDeletion } from '../../plan/load-balancer.ts';
import { isExternal } from '../../plan/network-adapter.ts';
import type { Step } from '../../steps/step.ts';
import { isPath, readConfigName } from '../conflist/config-file.ts';
import { type EndpointRow, endpointRow } from '../inventory/endpoint-row.ts';
import { readInventory } from '../inventory/read-inventory.ts';
import { resolveObject } from '../inventory/resolve-object.ts';
import { confirmChange, describeImpact } from '../plugin/change.ts';
import type { YesFlag } from '../terminal/options.ts';
import { printable } from '../terminal/output.ts';
import { quote } from '../terminal/powershell.ts';
import type { Session } from '../terminal/session.ts';
import { countText } from '../terminal/short-text.ts';
import { type CniPathFlag, readSourceVipRelease } from './source-vip.ts';

/** The options of `network delete`. */
export interface DeleteFlags extends CniPathFlag, YesFlag {}

/** Deletes the network of a file, or with a name or an ID, and its load balancers, unless an endpoint other than the node's is on it. */
export async function deleteNetwork(
  given: string,
  { yes = false, ...cniPath }: DeleteFlags,
  session: Session,
): Promise<void> {
  const isFile = isPath(given);
  const name = isFile ? readConfigName(given, session) : undefined;
  if (isFile && name === undefined) return;
  const release = isFile ? readSourceVipRelease(given, cniPath, session) : undefined;
  const inventory = await readInventory(session);
  const network = findNetwork(given, name, inventory, session);
  if (network === undefined) return;
  const { ID: id, Name, Type } = network;
  const described = `network "${printable(Name)}" ${id}`;
  const refusal = (problem: string) =>
    new CniError(code.tryAgainLater, `${described} is not deleted: ${problem}`);
  const count = countAttached(attachedEndpoints(network, inventory));
  if (count !== '')
    throw refusal(
      `it has ${count}. Delete the pods or drain the node, then delete leftovers with win-hcn gc. ` +
        `win-hcn show network ${quote(printable(Name))} lists the endpoints`,
    );
  if (inventory.unreadable?.some(({ kind }) => kind === 'Endpoint'))
    throw refusal('unreadable endpoints may be attached to it');
  const rows = rowsOn(network, inventory);
  const done = await confirmChange(
    async ({ hcn, changes }) => {
      const hostEndpoints = rows.map((row) => row.id);
      // Restores the load balancers if the network stays.
      await changes.transaction(async () => {
        for (const step of loadBalancersOf(network, inventory)) await changes.apply(step);
        await changes.apply({ do: 'delete unused network', id, name: Name, hostEndpoints });
        if ((await hcn.findNetworkById(id)) !== undefined)
          throw refusal('an endpoint was created on it in the meantime');
      });
      if (release !== undefined) await changes.apply({ do: 'release addresses', plugin: release.plugin });
    },
    {
      ...(release !== undefined && { targets: release.targets, ipam: release.plugin }),
      impact: [...rows.flatMap(describeImpact), ...interruption(network)],
      yes,
      progress: `deleting ${Type} network "${Name}"`,
    },
    session,
  );
  if (done === undefined) return;
  session.print(`${described} was deleted`);
  const vip = rows.find((row) => isSourceVip(row, Name));
  if (vip !== undefined && release === undefined)
    session.printStderr(
      `win-hcn: an IPAM plugin still reserves ${vip.addresses.join(', ')} of the source VIP: to release it, run win-hcn network delete with the configuration file`,
    );
}

/** Returns undefined, after reporting it, if a file's network does not exist. Throws CniError for more than one: HNS may accept two of one name. */
function findNetwork(
  given: string,
  name: string | undefined,
  { networks }: Inventory,
  session: Session,
): ObservedNetwork | undefined {
  if (name === undefined) return resolveObject('network', given, networks);
  const named = networks.filter(({ Name }) => Name === name);
  if (named.length > 0) return resolveObject('network', name, named);
  session.print(`HCN has no network "${name}": nothing to delete`);
  return undefined;
}

/** The kinds of endpoints that keep a network from being deleted. */
const attachedKinds = ['pod endpoint', 'leftover', 'remote endpoint', 'other endpoint'] as const;
type AttachedKind = (typeof attachedKinds)[number];

/** The endpoints on a network except for those of the node, by kind. */
export function attachedEndpoints(network: Pick<ObservedNetwork, 'ID'>, inventory: Inventory) {
  const others = rowsOn(network, inventory).filter(({ owner }) => owner !== 'node');
  return Object.groupBy(others, kindOf);
}

function rowsOn({ ID }: Pick<ObservedNetwork, 'ID'>, inventory: Inventory): readonly EndpointRow[] {
  return inventory.endpoints
    .filter(({ HostComputeNetwork }) => HostComputeNetwork === ID)
    .map((endpoint) => endpointRow(endpoint, inventory));
}

function kindOf({ leftover, remote, namespace }: EndpointRow): AttachedKind {
  if (leftover !== undefined) return 'leftover';
  if (remote) return 'remote endpoint';
  return namespace === undefined ? 'other endpoint' : 'pod endpoint';
}

/** `1 pod endpoint, 2 leftovers and 1 other endpoint`; empty without endpoints. */
function countAttached(endpoints: ReturnType<typeof attachedEndpoints>): string {
  const counts = attachedKinds.flatMap((kind) => {
    const { length } = endpoints[kind] ?? [];
    return length === 0 ? [] : countText(length, kind);
  });
  return new Intl.ListFormat('en-GB').format(counts);
}

/** What the deletion of a network interrupts, in sentences. */
function interruption(network: ObservedNetwork): readonly string[] {
  if (!isExternal(network.Type)) return [];
  const adapter = boundAdapter(network);
  const through = adapter === undefined ? "the network's adapter" : `adapter "${adapter}"`;
  return [`Connections to the node through ${through}, such as RDP and SSH, can be interrupted.`];
}

/**
 * The steps that delete the load balancers of a network before it: Windows Server 2019 keeps them, and cannot delete them afterwards
 * (Azure/aks-engine#3956). They are those whose backends are all on the network; if it is the node's only network, also those whose
 * backends are gone.
 */
function loadBalancersOf(
  { ID }: Pick<ObservedNetwork, 'ID'>,
  { endpoints, networks, loadBalancers }: Inventory,
): readonly Step<'delete load balancer'>[] {
  return loadBalancers.flatMap((one) => {
    const backends = endpoints.filter((endpoint) => one.HostComputeEndpoints.includes(endpoint.ID));
    const isOn = ({ HostComputeNetwork }: ObservedEndpoint) => HostComputeNetwork === ID;
    const isOfNetwork = backends.length > 0 ? backends.every(isOn) : networks.length === 1;
    return isOfNetwork ? [loadBalancerDeletion(one, backends)] : [];
  });
}
