import { boundAdapter } from '../../../model/network-document.ts';
import { isReady } from '../../../model/readiness.ts';
import {
  adapterOf,
  describeRefusal,
  describeUse,
  findAdapterUse,
  remedyForUse,
} from '../../../plan/adapter-use.ts';
import { isExternal } from '../../../plan/network-adapter.ts';
import { comparedProperties } from '../../../plan/network-differences.ts';
import {
  describeNatNetworks,
  describeOverlap,
  findOverlaps,
  isOnOneSegment,
} from '../../../plan/segments.ts';
import { attachedEndpoints } from '../../network/delete-network.ts';
import { quote } from '../../terminal/powershell.ts';
import { countText } from '../../terminal/short-text.ts';
import { type Check, type Diagnosis, fail, known, pass, warn } from '../finding.ts';
import { expectedNetwork, missingNetwork, type PlannedNetwork, type RefusedNetwork } from '../plan.ts';
import { isInForce } from '../runtime.ts';
import type { Snapshot } from '../snapshot.ts';

/** Compares the network with the one that ADD and STATUS would plan. */
export const network: Check = {
  name: 'network',
  diagnose: (snapshot) => {
    const expected = expectedNetwork(snapshot);
    if (expected === undefined) return [];
    if ('error' in expected) return [diagnoseRefused(expected)];
    const { found } = expected;
    if (found === undefined) return [diagnoseMissing(expected, snapshot)];
    const { Name, Type } = found;
    if (!isReady(found))
      return [
        fail(`"${Name}" has no usable ProviderAddress: its traffic cannot leave this node`, {
          see: 'Get-NetIPAddress -AddressFamily IPv4',
        }),
      ];
    const compared = comparedProperties(expected.config, boundAdapter(expected.network));
    return [pass(`"${Name}" (${Type}) as configured: ${compared}`)];
  },
};

/** If pods use a network that differs from the configuration, the configuration is probably wrong. */
function diagnoseRefused({ found, inventory, error: { message, details } }: RefusedNetwork): Diagnosis {
  const count = found === undefined ? 0 : (attachedEndpoints(found, inventory)['pod endpoint']?.length ?? 0);
  const pods =
    count === 0 ? [] : [`${countText(count, 'pod')} on the network: the configuration may be wrong`];
  const see = found === undefined ? 'Get-NetAdapter' : `win-hcn show network ${quote(found.Name)}`;
  // ADD's advice is also for a network without pods.
  const advice = count === 0 ? details : details?.replace(/, or delete the network.*/, '');
  return fail([message, advice, ...pods].filter(Boolean).join('\n'), { see });
}

/** A network whose creation would take the adapter from the pods of another one fails every ADD. */
function diagnoseMissing(
  { network: planned, inventory, adapters }: PlannedNetwork,
  snapshot: Snapshot,
): Diagnosis {
  const seen = `"${planned.Name}" does not exist yet`;
  const adapter = boundAdapter(planned);
  if (adapter === undefined) return pass(`${seen}; the first ADD creates it`);
  const use = findAdapterUse(planned, inventory.networks, adapters);
  if (use === undefined)
    return warn(
      `${seen}; the first ADD creates it, which interrupts adapter "${adapter}" for a few seconds`,
      { see: `win-hcn network ensure ${quote(snapshot.configuration.used?.path ?? '-')}` },
    );
  const users = inventory.networks.filter(({ Name }) => use.users.some((user) => user.Name === Name));
  const count = users.flatMap((user) => attachedEndpoints(user, inventory)['pod endpoint'] ?? []).length;
  const pods = count === 0 ? '' : ` (${countText(count, 'pod')})`;
  const report = isInForce(snapshot) && (use.isExclusive || count > 0) ? fail : warn;
  const remedy = count === 0 ? remedyForUse(use) : 'the configuration may be wrong';
  return report(`${seen}, and ${describeUse(use)}${pods}: ${describeRefusal(use)}; ${remedy}`, {
    see: 'win-hcn ls networks',
  });
}

/** Finds subnets that overlap with another network's on the same adapter: pods of both can get the same address. */
export const overlappingSubnets: Check = {
  name: 'subnets',
  diagnose: (snapshot) => {
    const { networks: existing } = known(snapshot.inventory);
    const adapters = known(snapshot.adapters);
    const bound = [...existing, ...missingNetwork(snapshot)].filter(
      (network) => isExternal(network.Type ?? '') && adapterOf(network, adapters) !== undefined,
    );
    if (bound.length < 2) return [];
    const overlaps = bound
      .flatMap((network, index) => findOverlaps(network, bound.slice(0, index), adapters))
      .filter(isOnOneSegment);
    if (overlaps.length === 0)
      return [pass(`${bound.length} networks on adapters, no overlaps on a segment`)];
    return overlaps.map((overlap) => warn(describeOverlap(overlap), { see: 'win-hcn ls networks' }));
  },
};

/** Warns about several NAT networks. */
export const natNetworks: Check = {
  name: 'NAT networks',
  diagnose: ({ inventory }) => {
    const text = describeNatNetworks(known(inventory).networks);
    return text === undefined ? [] : [warn(text, { see: 'win-hcn ls networks' })];
  },
};
