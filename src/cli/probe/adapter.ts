import type { Inventory } from '../../model/inventory.ts';
import { boundAdapter } from '../../model/network-document.ts';
import type { HostAdapter } from '../../net/host-adapter.ts';

/** Why networks cannot be created on an adapter without affecting others; undefined if they can. */
export function adapterProblem(
  name: string,
  adapters: readonly HostAdapter[],
  { networks }: Pick<Inventory, 'networks'>,
): string | undefined {
  const isNamed = (alias: string) => alias.toLowerCase() === name.toLowerCase();
  const adapter = adapters.find(({ alias }) => isNamed(alias));
  if (adapter === undefined)
    return `adapter "${name}" does not exist. Run Get-NetAdapter to list the adapters`;
  const user = networks.find((network) => isNamed(boundAdapter(network) ?? ''));
  if (user !== undefined)
    return `adapter "${name}" is used by network "${user.Name}": the probe would affect its pods. Use another adapter`;
  if (isOfSwitch(adapter, adapters))
    return `adapter "${name}" belongs to a virtual switch, or has no address. Use another adapter`;
  return undefined;
}

/** Whether an adapter is one of a virtual switch's, or below one: Windows then moves its addresses and its MAC address to the switch. */
function isOfSwitch({ alias, addresses, mac }: HostAdapter, adapters: readonly HostAdapter[]): boolean {
  const sharesMac = mac !== undefined && adapters.some((other) => other.alias !== alias && other.mac === mac);
  return /^vethernet \(/i.test(alias) || addresses.length === 0 || sharesMac;
}
