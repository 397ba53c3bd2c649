import { planAdd } from '../../commands/plan-add.ts';
import type { NetworkConfig } from '../../config/network-config.ts';
import type { JsonObject } from '../../json/members.ts';
import type { Step } from '../../plan/steps.ts';
import type { System } from '../../system.ts';
import { assumedAssignment, openPlugin } from '../plugin-config.ts';

/** What the ADD to plan is asked for. */
export interface AddFlags {
  readonly container: string;
  readonly ifname: string;
  readonly netns?: string;
  readonly namespaceId?: string;
  readonly address?: readonly string[];
  /** CNI_ARGS. */
  readonly args?: string;
}

export interface PlannedAdd {
  readonly steps: readonly Step[];
  /** What the steps leave open. */
  readonly remarks: readonly string[];
}

/** Plans the ADD of a plugin's configuration on this node. Throws as ADD does for what it finds wrong. */
export async function planPlugin(config: JsonObject, flags: AddFlags, system: System): Promise<PlannedAdd> {
  const { container: containerId, ifname, netns, namespaceId, address = [], args } = flags;
  const { config: network, ipam, host } = openPlugin(config, system, { ...(args !== undefined && { args }) });
  const request = {
    containerId,
    ifname,
    ...(netns !== undefined && { netns }),
    ...(namespaceId !== undefined && { namespaceId }),
  };
  const steps = await planAdd(request, network, host, assumedAssignment(address, ipam, network));
  return { steps, remarks: remarksOn(network, flags, ipam) };
}

function remarksOn(
  config: NetworkConfig,
  { netns, address = [] }: AddFlags,
  ipam: string | undefined,
): readonly string[] {
  const open = address.length === 0 && config.addresses.length === 0;
  return [
    ...(open && ipam === undefined ? ['HNS assigns the address.'] : []),
    ...(open && ipam !== undefined
      ? [
          `The IPAM plugin ${ipam} assigns the address, which the endpoint's document then has: --address plans with one.`,
        ]
      : []),
    ...(open && config.loopbackDSR ? ['A policy for loopbackDSR is added once the address is known.'] : []),
    ...(config.hostEndpoint !== undefined
      ? ["The node's interfaces are set to forward, and its endpoint to have no default route."]
      : []),
    ...(netns === undefined
      ? ["The endpoint is then attached to the pod's namespace, which --netns names."]
      : []),
  ];
}
