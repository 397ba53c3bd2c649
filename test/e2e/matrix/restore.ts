import type { Bench } from './bench.ts';
import { type Found, idsOf, ofNetwork } from './found.ts';
import type { Scenario } from './scenario.ts';

/** Deletes what a scenario leaves by design: the network and its host endpoint. */
export async function restore({ node }: Bench, scenario: Scenario): Promise<void> {
  const { hns, hcn } = node;
  const dump = hns.dump();
  const ids = idsOf(dump, ofNetwork(scenario));
  const { networks, endpoints } = dump;
  const have = ({ ID }: Found): boolean => ids.includes(String(ID));
  for (const { ID, HostComputeNamespace } of endpoints.filter(have)) {
    if (isGuid(HostComputeNamespace)) await hcn.removeEndpoint(HostComputeNamespace, String(ID));
    await hcn.deleteEndpoint(String(ID));
  }
  hns.forgetDeleted();
  for (const { ID } of networks.filter(have)) await hcn.deleteNetwork(String(ID));
  const { config, neighbor } = scenario;
  const wasForwarding = neighbor === undefined || neighbor['hostEndpoint'] !== undefined;
  if (!wasForwarding && config['hostEndpoint'] !== undefined) hns.disableForwarding();
}

function isGuid(id: unknown): id is string {
  return typeof id === 'string' && /[1-9a-f]/.test(id);
}
