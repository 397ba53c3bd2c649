import { boundAdapter } from '../../model/network-document.ts';
import { queryInventory, readAdapters } from '../inventory/read-inventory.ts';
import type { Session } from '../session.ts';

/** Why networks cannot be created on an adapter without affecting others; undefined if they can. Throws what HCN throws. */
export async function adapterProblem(name: string, { system }: Session): Promise<string | undefined> {
  const adapters = await readAdapters(system, 10);
  const isNamed = (alias: string) => alias.toLowerCase() === name.toLowerCase();
  if (!adapters.some(({ alias }) => isNamed(alias)))
    return `adapter "${name}" does not exist. Run Get-NetAdapter to list the adapters`;
  const { networks } = await queryInventory(system);
  const user = networks.find((network) => isNamed(boundAdapter(network) ?? ''));
  if (user !== undefined)
    return `adapter "${name}" is used by network "${user.Name}": the probe would affect its pods. Use another adapter`;
  if (adapters.some(({ alias }) => alias.toLowerCase() === `vethernet (${name.toLowerCase()})`))
    return `adapter "${name}" is used by a virtual switch. Use another adapter`;
  return undefined;
}
