import { CniError, code } from '../../cni/error.ts';
import { type Limits, limitHcnCalls, limitsPerCall, newLimit } from '../../hcn/deadline.ts';
import { isFailure } from '../../hcn/hresults.ts';
import { type ComputeNetworkLibrary, type Handle, interceptHcnCalls } from '../../hcn/library.ts';
import type { Inventory } from '../../model/inventory.ts';
import { boundAdapter } from '../../model/network-document.ts';
import { isHostNamespace } from '../../model/ownership.ts';
import { attachedTo, isInUse } from '../../model/readiness.ts';
import type { HostAdapter } from '../../net/host-adapter.ts';
import type { System } from '../../system.ts';
import { queryInventory, readAdapters } from '../inventory/read-inventory.ts';
import { findLeftovers, type Leftover, without } from './leftovers.ts';
import { isProbeAlias, type Subnet, subnetsBeside } from './names.ts';
import type { Permissions } from './run.ts';

/** The time limit of one call, which may be slow on a busy node. */
export const callLimits = limitsPerCall(30);

/** The experiments would affect others on this node. */
export class Unsuitable extends CniError {
  override readonly name = 'Unsuitable';

  constructor(reason: string) {
    super(code.hcnFailure, reason);
  }
}

/** The objects of a node. */
export interface NodeObjects {
  /** Those of earlier probes. */
  readonly leftovers: readonly Leftover[];
  /** All others. */
  readonly others: Inventory;
}

/** Reads all objects of HCN. Throws as queryInventory does. */
export async function readObjects(system: System): Promise<NodeObjects> {
  const inventory = await readAndClose(system, callLimits);
  const leftovers = findLeftovers(inventory);
  return { leftovers, others: without(inventory, leftovers) };
}

/** Closes all objects: a probe runs for minutes, and whether an open handle delays the deletion of a pod's namespace is uncertain. */
async function readAndClose(system: System, limits: Limits): Promise<Inventory> {
  const opened: Handle[] = [];
  const limit = newLimit(limits, system.timer, system.now);
  const { close } = interceptHcnCalls(system.loadLibrary, limitHcnCalls(limit));
  const loadLibrary = async (): Promise<ComputeNetworkLibrary> => {
    const library = await system.loadLibrary();
    return {
      ...library,
      open: async (kind, id) => {
        const response = await library.open(kind, id);
        if (!isFailure(response.hresult)) opened.push(response.value);
        return response;
      },
    };
  };
  const inventory = await queryInventory({ ...system, loadLibrary }, limits);
  for (const handle of opened) await close(handle);
  return inventory;
}

/** Returns a function that returns subnets which the node does not use. Throws Unsuitable if experiments would affect others. */
export async function checkNode(
  { adapter, restart }: Permissions,
  others: Inventory,
  system: System,
): Promise<() => Subnet> {
  const problem = restart ? podProblem(others) : undefined;
  if (problem !== undefined) throw new Unsuitable(problem);
  const adapters = (await readAdapters(system)).filter(({ alias }) => !isProbeAlias(alias));
  const newSubnet = subnetsBeside(JSON.stringify([others.networks, others.endpoints, adapters]));
  if (newSubnet === undefined)
    throw new Unsuitable(
      'this node uses addresses in 198.18.0.0/15 and in 100.64.0.0/10: probe needs one of them',
    );
  if (adapter !== undefined) checkAdapter(adapter, adapters, others);
  return newSubnet;
}

/** Why HNS must not be restarted: pods may lose their endpoints; undefined without pods. */
export function podProblem({ endpoints, namespaces, unreadable = [] }: Inventory): string | undefined {
  const host = new Set(namespaces.filter(isHostNamespace).map(({ ID }) => ID));
  const pods = endpoints.filter((endpoint) => {
    const namespace = attachedTo(endpoint);
    return namespace === undefined ? isInUse(endpoint) : !host.has(namespace);
  }).length;
  const count = pods + unreadable.filter(({ kind }) => kind === 'Endpoint').length;
  if (count === 0) return undefined;
  const [subject, object] = count === 1 ? ['1 endpoint is', 'it'] : [`${count} endpoints are`, 'them'];
  return `${subject} attached to pods or unreadable, and a restart of HNS may delete ${object}. Drain the node before --restart-hns`;
}

/** Throws Unsuitable if networks cannot be created on an adapter without affecting others. */
function checkAdapter(
  name: string,
  adapters: readonly HostAdapter[],
  { networks }: Pick<Inventory, 'networks'>,
): void {
  const isNamed = (alias: string) => alias.toLowerCase() === name.toLowerCase();
  const refusal = (reason: string) => new Unsuitable(`adapter "${name}" ${reason}`);
  const user = networks.find((network) => isNamed(boundAdapter(network) ?? ''));
  const adapter = adapters.find(({ alias }) => isNamed(alias));
  if (user !== undefined)
    throw refusal(`is used by network "${user.Name}": the probe would affect its pods. ${another}`);
  if (adapter === undefined) throw refusal('does not exist. Run Get-NetAdapter to list the adapters');
  if (adapter.gateways.length > 0)
    throw refusal(`has a default gateway: the probe would interrupt the node's connections. ${another}`);
  if (isOfSwitch(adapter, adapters))
    throw refusal(`belongs to a virtual switch, or has no address. ${another}`);
}

const another = 'Use another adapter';

/** Whether an adapter is one of a virtual switch's, or below one: Windows then moves its addresses and its MAC address to the switch. */
function isOfSwitch({ alias, addresses, mac }: HostAdapter, adapters: readonly HostAdapter[]): boolean {
  const sharesMac = mac !== undefined && adapters.some((other) => other.alias !== alias && other.mac === mac);
  return /^vethernet \(/i.test(alias) || addresses.length === 0 || sharesMac;
}
