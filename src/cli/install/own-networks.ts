import { pluginName } from '../../config/open-config.ts';
import { HcnMissing } from '../../hcn/errors.ts';
import { isOwnNetwork } from '../../model/ownership.ts';
import { executeSteps } from '../../steps/execute.ts';
import type { Step } from '../../steps/step.ts';
import { checkPlugin } from '../conflist/check-plugin.ts';
import { readConfFile } from '../conflist/conf-file.ts';
import { endpointRow } from '../inventory/endpoint-row.ts';
import { readInventory } from '../inventory/read-inventory.ts';
import { attachedEndpoints, countAttached } from '../network/attached-endpoints.ts';
import { interruption } from '../network/delete-network.ts';
import { deleteWithLoadBalancers, loadBalancersOfNetwork } from '../network/network-deletion.ts';
import { type SourceVipRelease, sourceVipReleaseIn } from '../network/source-vip-release.ts';
import { describeImpact, openContext } from '../plugin/change.ts';
import { failureMessage, type Session } from '../terminal/session.ts';
import { executableName } from './layout.ts';
import type { OwnConfiguration } from './plan-configuration.ts';

/** The networks of configurations that are removed: those to delete, and what the user must know about all. */
export interface OwnNetworks {
  readonly deletions: readonly NetworkDeletion[];
  readonly remarks: readonly string[];
  /** How many pods win-hcn has attached to a network of these configurations. */
  readonly pods: number | 'unknown';
}

/** A network to delete, its load balancers, and how to release the address of its source VIP; undefined if none is reserved. */
export interface NetworkDeletion {
  readonly loadBalancers: readonly Step<'delete load balancer'>[];
  readonly step: Step<'delete unused network'>;
  readonly release: SourceVipRelease | undefined;
}

/** The steps of a deletion. */
export function stepsOf({ loadBalancers, step, release }: NetworkDeletion): readonly Step[] {
  return [...loadBalancers, step, ...(release === undefined ? [] : [releaseStep(release)])];
}

function releaseStep({ plugin }: SourceVipRelease): Step<'release addresses'> {
  return { do: 'release addresses', plugin };
}

interface ReadNetworks extends OwnNetworks {
  readonly pods: number;
}

/**
 * Finds the networks that win-hcn created for configurations and that have no endpoints but those of the node, and counts the pods on
 * all networks of these configurations. `cniPath` contains their IPAM plugins.
 */
export async function findOwnNetworks(
  configurations: readonly OwnConfiguration[],
  cniPath: string,
  session: Session,
): Promise<OwnNetworks> {
  const networks = configurations.flatMap((one) => networksOf(one, cniPath, session));
  if (networks.length === 0) return { deletions: [], remarks: [], pods: 0 };
  try {
    return await readNetworks(networks, session);
  } catch (error) {
    const reason = failureMessage(error, false).split('\n')[0];
    return {
      deletions: [],
      // Without the library of HCN there are no pods.
      pods: error instanceof HcnMissing ? 0 : 'unknown',
      remarks: [
        `Networks are not deleted: ${reason}. Delete them later with win-hcn network delete NAME --yes.`,
      ],
    };
  }
}

/** A network of a configuration. `isCreated`: the configuration creates it if it is missing. */
interface ConfiguredNetwork {
  readonly name: string;
  readonly isCreated: boolean;
  readonly release: SourceVipRelease | undefined;
}

function networksOf(
  { name, bytes }: OwnConfiguration,
  cniPath: string,
  session: Session,
): readonly ConfiguredNetwork[] {
  const { plugins } = readConfFile(name, bytes, executableName);
  return plugins
    .filter(({ type }) => pluginName(type) === 'win-hcn')
    .flatMap((plugin) => {
      const { network } = checkPlugin(plugin, executableName);
      if (network === undefined) return [];
      const release = sourceVipReleaseIn([plugin.config], { cniPath }, session);
      return [
        {
          name: network.name,
          isCreated: network.createNetwork === 'ifMissing',
          release: release?.reserved.is === 'absent' ? undefined : release,
        },
      ];
    });
}

async function readNetworks(
  configured: readonly ConfiguredNetwork[],
  session: Session,
): Promise<ReadNetworks> {
  const isCreated = (name: string) => configured.some((one) => one.name === name && one.isCreated);
  const inventory = await readInventory(session);
  const isUnreadable = inventory.unreadable?.some(({ kind }) => kind === 'Endpoint') === true;
  const found = inventory.networks
    .filter(({ Name }) => configured.some(({ name }) => name === Name))
    .map((network): ReadNetworks => {
      const { ID: id, Name: name } = network;
      const attached = attachedEndpoints(network, inventory);
      const pods = attached.pods.filter(({ owner }) => owner === 'win-hcn').length;
      if (!isCreated(name)) return { deletions: [], remarks: [], pods };
      const count = countAttached(attached);
      if (count !== '')
        return { deletions: [], remarks: [keptText(name, count, attached.pods.length)], pods };
      if (!isOwnNetwork(network))
        return {
          deletions: [],
          pods,
          remarks: [`Network "${name}" is not deleted: another program created it.`],
        };
      if (isUnreadable)
        return {
          deletions: [],
          pods,
          remarks: [`Network "${name}" is not deleted: unreadable endpoints may be attached to it.`],
        };
      const hosts = inventory.endpoints
        .filter(({ HostComputeNetwork }) => HostComputeNetwork === id)
        .map((endpoint) => endpointRow(endpoint, inventory));
      const loadBalancers = loadBalancersOfNetwork(network, inventory);
      return {
        deletions: [
          {
            loadBalancers: loadBalancers.steps,
            step: { do: 'delete unused network', id, name, hostEndpoints: hosts.map((row) => row.id) },
            release: configured.find((one) => one.name === name && one.release !== undefined)?.release,
          },
        ],
        remarks: [...loadBalancers.impact, ...hosts.flatMap(describeImpact), ...interruption(network)],
        pods,
      };
    });
  return {
    pods: found.reduce((sum, { pods }) => sum + pods, 0),
    deletions: found.flatMap(({ deletions }) => deletions),
    remarks: [...new Set(found.flatMap(({ remarks }) => remarks))],
  };
}

function keptText(name: string, attached: string, pods: number): string {
  const kept = `Network "${name}" is not deleted: it has ${attached}.`;
  return pods > 0 ? kept : `${kept} win-hcn gc, before you uninstall, deletes leftovers.`;
}

/**
 * Deletes a network after its load balancers, unless an endpoint was created on it in the meantime, then releases the address of its
 * source VIP. Returns a sentence about what remains; undefined if nothing does.
 */
export async function deleteOwnNetwork(
  { loadBalancers, step, release }: NetworkDeletion,
  { system }: Session,
): Promise<string | undefined> {
  const isDeleted = await deleteWithLoadBalancers(step, loadBalancers, openContext(system));
  if (!isDeleted) return `Network "${step.name}" is not deleted: an endpoint was created on it.`;
  if (release === undefined) return undefined;
  try {
    await executeSteps(release.targets).apply(releaseStep(release));
    return undefined;
  } catch (error) {
    return `The address of the source VIP of network "${step.name}" stays reserved: ${failureMessage(error, false)}`;
  }
}
