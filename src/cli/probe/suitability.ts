import { CniError, code } from '../../cni/error.ts';
import type { Inventory } from '../../model/inventory.ts';
import { boundAdapter } from '../../model/network-document.ts';
import { isHostNamespace } from '../../model/ownership.ts';
import { attachedTo, isInUse } from '../../model/readiness.ts';
import type { HostAdapter } from '../../net/host-adapter.ts';
import { type Subnet, subnetsBeside } from './names.ts';
import type { Permissions } from './run-rows.ts';

/** The experiments would affect others on this node. */
export class Unsuitable extends CniError {
  override readonly name = 'Unsuitable';
  /** Whether it may be because an earlier probe's network is on the adapter. */
  readonly isCurable: boolean;

  constructor(reason: string, isCurable = false) {
    super(code.hcnFailure, reason);
    this.isCurable = isCurable;
  }
}

/** Returns a function that returns subnets which the node does not use. Throws Unsuitable. */
export function checkNode(
  { adapter, restart }: Permissions,
  inventory: Inventory,
  adapters: readonly HostAdapter[],
): () => Subnet {
  if (restart) {
    const problem = podProblem(inventory);
    if (problem !== undefined) throw new Unsuitable(problem);
  }
  const newSubnet = subnetsBeside(JSON.stringify([inventory.networks, inventory.endpoints, adapters]));
  if (newSubnet === undefined)
    throw new Unsuitable(
      'this node uses addresses in 198.18.0.0/15 and in 100.64.0.0/10: probe needs one of them',
    );
  if (adapter !== undefined) checkAdapter(adapter, adapters, inventory);
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
  const refusal = (reason: string, isCurable = false) =>
    new Unsuitable(`adapter "${name}" ${reason}`, isCurable);
  const user = networks.find((network) => isNamed(boundAdapter(network) ?? ''));
  const adapter = adapters.find(({ alias }) => isNamed(alias));
  if (user !== undefined)
    throw refusal(`is used by network "${user.Name}": the probe would affect its pods. ${another}`);
  if (adapter === undefined) throw refusal('does not exist. Run Get-NetAdapter to list the adapters', true);
  if (adapter.gateways.length > 0)
    throw refusal(`has a default gateway: the probe would interrupt the node's connections. ${another}`);
  if (isOfSwitch(adapter, adapters))
    throw refusal(`belongs to a virtual switch, or has no address. ${another}`, !isVirtual(adapter));
}

const another = 'Use another adapter';

/** Whether an adapter is one of a virtual switch's, or below one: Windows then moves its addresses and its MAC address to the switch. */
function isOfSwitch(adapter: HostAdapter, adapters: readonly HostAdapter[]): boolean {
  const { alias, addresses, mac } = adapter;
  const sharesMac = mac !== undefined && adapters.some((other) => other.alias !== alias && other.mac === mac);
  return isVirtual(adapter) || addresses.length === 0 || sharesMac;
}

function isVirtual({ alias }: HostAdapter): boolean {
  return /^vethernet \(/i.test(alias);
}
