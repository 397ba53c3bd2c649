import { code } from '../../../cni/error.ts';
import { openConfig } from '../../../config/open-config.ts';
import type { HostComputeNetwork } from '../../../hcn/documents.ts';
import { networkId } from '../../../model/identity.ts';
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
import { type Difference, describeDifference, differenceTable } from '../../../plan/network-differences.ts';
import {
  describeNatNetworks,
  describeOverlap,
  findOverlaps,
  isOnOneSegment,
} from '../../../plan/segments.ts';
import { attachedEndpoints, countAttached } from '../../network/delete-network.ts';
import { quote } from '../../terminal/powershell.ts';
import { countText } from '../../terminal/short-text.ts';
import { fileName } from '../../terminal/windows-path.ts';
import { type Check, type Diagnosis, fail, known, pass, warn } from '../finding.ts';
import { type ExpectedNetwork, expectedNetwork, missingNetwork } from '../plan.ts';
import type { Snapshot } from '../snapshot.ts';

/** Compares the network with the one that ADD and STATUS would plan. */
export const network: Check = {
  name: 'network',
  diagnose: (snapshot) => {
    const expected = expectedNetwork(snapshot);
    if (expected === undefined) return [];
    if (expected.is === 'different') return [diagnoseDifferent(expected, snapshot)];
    if (expected.is === 'refused') return [diagnoseRefused(expected)];
    const { found } = expected;
    if (found === undefined) return [diagnoseMissing(expected, snapshot)];
    const { Name, Type } = found;
    if (!isReady(found))
      return [
        fail(`"${Name}" has no usable ProviderAddress: its traffic cannot leave this node`, {
          see: 'Get-NetIPAddress -AddressFamily IPv4',
        }),
      ];
    return [pass(`"${Name}" (${Type}) matches the configuration`)];
  },
};

function diagnoseRefused({ found, error }: ExpectedNetwork & { readonly is: 'refused' }): Diagnosis {
  const { message, details } = error;
  const see =
    found !== undefined
      ? `win-hcn show network ${quote(found.Name)}`
      : error.code === code.tryAgainLater
        ? 'win-hcn ls networks'
        : 'Get-NetAdapter';
  return fail([message, details].filter(Boolean).join('\n'), { see });
}

/** A network whose creation would take the adapter from the pods of another one fails every ADD. */
function diagnoseMissing(
  { network: planned, inventory, adapters }: ExpectedNetwork & { readonly is: 'planned' },
  { configuration: { used } }: Snapshot,
): Diagnosis {
  const seen = `"${planned.Name}" does not exist yet`;
  const adapter = boundAdapter(planned);
  if (adapter === undefined) return pass(`${seen}; the first ADD creates it`);
  const use = findAdapterUse(planned, inventory.networks, adapters);
  const pods = inventory.networks
    .filter(({ Name }) => use?.users.some((user) => user.Name === Name))
    .map((user) => ({ user, count: attachedEndpoints(user, inventory).pods.length }));
  const [busy] = pods.filter(({ count }) => count > 0);
  if (use !== undefined && busy !== undefined)
    return fail(
      `${usersText(busy.count)} network "${busy.user.Name}"; the configuration asks for "${planned.Name}", and ${describeUse(use)}`,
      { see: 'win-hcn ls networks' },
    );
  const description = use && `${describeUse(use)}: ${describeRefusal(use)}; ${remedyForUse(use)}`;
  if (use?.isExclusive) return fail(`${seen}, and ${description}`, { see: 'win-hcn ls networks' });
  const creation = `${seen}; the first ADD creates it, which interrupts adapter "${adapter}" for a few seconds`;
  return warn([creation, description].filter(Boolean).join('; '), {
    see: `win-hcn network ensure ${quote(used?.path ?? '-')}`,
  });
}

function usersText(count: number): string {
  return `${countText(count, 'pod')} ${count === 1 ? 'uses' : 'use'}`;
}

/** If pods use a network that differs from the configuration, the configuration is probably wrong. */
function diagnoseDifferent(
  { found, inventory, differences, config }: ExpectedNetwork & { readonly is: 'different' },
  snapshot: Snapshot,
): Diagnosis {
  const [first] = differences;
  const difference = first === undefined ? '' : describeDifference(first);
  const seen = `"${found.Name}" differs from the configuration: ${difference}\n${differenceTable(differences)}`;
  const where = placeOf(first, snapshot);
  const attached = attachedEndpoints(found, inventory);
  const others = countAttached(attached);
  const isDisposable = inventory.unreadable === undefined && config.createNetwork !== 'never';
  const advice =
    attached.pods.length > 0
      ? `${usersText(attached.pods.length)} the network: ${where} is probably wrong`
      : others !== ''
        ? `no pod uses the network, but it has ${others}`
        : isDisposable
          ? `no pod uses the network: correct ${where}, or delete the network`
          : `${where} or the network is wrong`;
  return fail(`${seen}\n${advice}`, { see: `win-hcn show network ${quote(found.Name)}` });
}

/** `line 9, column 7 of 10-win-hcn.conflist` */
function placeOf(
  difference: Difference | undefined,
  { configuration: { used, plugin }, executable }: Snapshot,
): string {
  if (difference === undefined || used === undefined || plugin === undefined) return 'the configuration';
  const { property } = difference;
  const key = ['networkType', 'adapter'].find((one) => one === property) ?? 'subnets';
  const path = `${plugin.path}${openConfig(plugin.config, executable).pathOf(`/${key}`)}`;
  const { line, column } = used.positionOf(path, true);
  return `line ${line}, column ${column} of ${fileName(used.path)}`;
}

/** Finds subnets that overlap with another network's on the same adapter: pods of both can get the same address. */
export const overlappingSubnets: Check = {
  name: 'subnets',
  diagnose: (snapshot) => {
    const { networks: existing, endpoints } = known(snapshot.inventory);
    const adapters = known(snapshot.adapters);
    const bound = [...existing, ...missingNetwork(snapshot)].filter(
      (network) => isExternal(network.Type ?? '') && adapterOf(network, adapters) !== undefined,
    );
    if (bound.length < 2) return [];
    const isUsed = ({ ID, Name }: HostComputeNetwork) =>
      Name === snapshot.configuration.network?.name ||
      (ID === networkId(Name) && endpoints.some(({ HostComputeNetwork }) => HostComputeNetwork === ID));
    const all = bound.flatMap((network, index) => findOverlaps(network, bound.slice(0, index), adapters));
    if (all.length === 0) return [pass(`those of ${bound.length} networks on adapters do not overlap`)];
    // On different adapters, equal subnets confuse only the node's routes, which matters for networks with pods.
    const overlaps = all.filter(
      (overlap) => isOnOneSegment(overlap) || isUsed(overlap.network) || isUsed(overlap.other),
    );
    if (overlaps.length === 0)
      return [pass('only those of networks without pods overlap, on different adapters')];
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
