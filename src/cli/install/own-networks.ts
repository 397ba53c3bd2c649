import type { NetworkConfig } from '../../config/network-config.ts';
import { pluginName } from '../../config/open-config.ts';
import type { Step } from '../../steps/step.ts';
import { describeImpact, openContext } from '../change.ts';
import { readConfFile } from '../doctor/runtime/conf-files.ts';
import { endpointRow } from '../inventory/endpoint-row.ts';
import { readInventory } from '../inventory/read-inventory.ts';
import { countText } from '../inventory/short-text.ts';
import { attachedEndpoints, countAttached } from '../network/attached-endpoints.ts';
import { interruption } from '../network/delete-network.ts';
import { failureMessage, type Session } from '../session.ts';
import { checkPlugin } from '../validate/check-plugin.ts';
import { executableName } from './layout.ts';
import type { OwnConfiguration } from './plan-configuration.ts';

/** The networks of configurations that are removed: those to delete, and what the user must know about all. */
export interface OwnNetworks {
  readonly steps: readonly Step<'delete unused network'>[];
  readonly remarks: readonly string[];
}

/** Finds the networks that win-hcn created for configurations and that have no endpoints but those of the node. */
export async function findOwnNetworks(
  configurations: readonly OwnConfiguration[],
  session: Session,
): Promise<OwnNetworks> {
  const names = new Set(configurations.flatMap(networkNames));
  if (names.size === 0) return { steps: [], remarks: [] };
  try {
    return await readNetworks(names, session);
  } catch (error) {
    const reason = failureMessage(error, false).split('\n')[0];
    return {
      steps: [],
      remarks: [
        `Networks are not deleted: ${reason}. Delete them later with win-hcn network delete NAME --yes.`,
      ],
    };
  }
}

function networkNames({ name, bytes }: OwnConfiguration): readonly string[] {
  const { plugins } = readConfFile(name, bytes, executableName);
  return plugins
    .filter(({ type }) => pluginName(type) === 'win-hcn')
    .map((plugin): NetworkConfig | undefined => checkPlugin(plugin, executableName).network)
    .flatMap((network) => (network?.createNetwork === 'ifMissing' ? [network.name] : []));
}

async function readNetworks(names: ReadonlySet<string>, session: Session): Promise<OwnNetworks> {
  const inventory = await readInventory(session);
  const isUnreadable = inventory.unreadable?.some(({ kind }) => kind === 'Endpoint') === true;
  const found = inventory.networks
    .filter(({ Name }) => names.has(Name))
    .map((network): OwnNetworks => {
      const { ID: id, Name: name } = network;
      const attached = attachedEndpoints(network, inventory);
      const count = countAttached(attached);
      if (count !== '') return { steps: [], remarks: [keptText(name, count, attached.pods.length)] };
      if (isUnreadable)
        return {
          steps: [],
          remarks: [`Network "${name}" is not deleted: unreadable endpoints may be attached to it.`],
        };
      const hosts = inventory.endpoints
        .filter(({ HostComputeNetwork }) => HostComputeNetwork === id)
        .map((endpoint) => endpointRow(endpoint, inventory));
      return {
        steps: [{ do: 'delete unused network', id, name, hostEndpoints: hosts.map((row) => row.id) }],
        remarks: [...hosts.flatMap(describeImpact), ...interruption(network)],
      };
    });
  return {
    steps: found.flatMap(({ steps }) => steps),
    remarks: [...new Set(found.flatMap(({ remarks }) => remarks))],
  };
}

function keptText(name: string, attached: string, pods: number): string {
  const kept = `Network "${name}" is not deleted: it has ${attached}.`;
  if (pods === 0) return `${kept} win-hcn gc, before you uninstall, deletes leftovers.`;
  const their = pods === 1 ? 'its pod' : `its ${countText(pods, 'pod')}`;
  return `${kept} Without win-hcn.exe, containerd cannot delete ${their}: drain the node before you uninstall.`;
}

/** Deletes a network, unless an endpoint was created on it in the meantime. */
export async function deleteOwnNetwork(
  step: Step<'delete unused network'>,
  { system }: Session,
): Promise<string | undefined> {
  const { hcn, changes } = openContext(system);
  await changes.apply(step);
  const isLeft = (await hcn.findNetworkById(step.id)) !== undefined;
  return isLeft ? `Network "${step.name}" is not deleted: an endpoint was created on it.` : undefined;
}
