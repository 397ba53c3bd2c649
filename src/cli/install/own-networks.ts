import { HcnMissing } from '../../hcn/errors.ts';
import { isOwnNetwork } from '../../model/ownership.ts';
import { readInventory } from '../inventory/read-inventory.ts';
import { attachedEndpoints, countAttached } from '../network/delete-network.ts';
import type { Session } from '../terminal/session.ts';
import { type Configuration, readOurs } from './configurations.ts';

/** A network of a configuration for win-hcn. */
export interface ConfiguredNetwork {
  readonly configuration: Configuration;
  /** How many pods win-hcn has attached to the network. */
  readonly pods: number;
  /** Why the network must stay, as a sentence; undefined if it can be deleted. */
  readonly reason: string | undefined;
}

/** Finds the existing networks of configurations. Rejects if HNS does not list them. */
export async function findNetworks(
  configurations: readonly Configuration[],
  session: Session,
): Promise<readonly ConfiguredNetwork[]> {
  if (configurations.length === 0) return [];
  const inventory = await readInventory(session).catch((error: unknown) => {
    // Without the library of HCN there are no networks.
    if (error instanceof HcnMissing) return undefined;
    throw error;
  });
  const files = configurations.map((configuration) => ({ configuration, ...readOurs(configuration.bytes) }));
  return (inventory?.networks ?? []).flatMap((network) => {
    const file = files.find((one) => one.network === network.Name);
    if (inventory === undefined || file === undefined) return [];
    const attached = attachedEndpoints(network, inventory);
    const pods = attached.pods.filter(({ owner }) => owner === 'win-hcn').length;
    const hint = pods > 0 ? '' : ' win-hcn gc, before you uninstall, deletes leftovers.';
    const count = countAttached(attached);
    const usage = count && `it has ${count}.${hint}`;
    const reason = isOwnNetwork(network) && file.isCreated ? usage : 'another program created it.';
    const kept = reason === '' ? undefined : `Network "${network.Name}" is not deleted: ${reason}`;
    return [{ configuration: file.configuration, pods, reason: kept }];
  });
}
