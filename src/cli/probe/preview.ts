import { kindName } from '../../hcn/open-objects.ts';
import type { Part } from './context.ts';
import type { Leftover } from './leftovers.ts';
import { classOf, type NetworkClass, networkLimits } from './networks.ts';
import type { Counts, NetworkType } from './observation.ts';
import type { Row } from './row.ts';
import { inOrder, networkTypeOf, obstacle, type Permissions, pauseMilliseconds } from './run-rows.ts';

/** What a run creates at most, as its rows declare it: also what HNS is expected to refuse. */
export interface Plan {
  readonly rows: number;
  readonly networks: Readonly<Record<NetworkClass, number>>;
  readonly externalTypes: readonly NetworkType[];
  readonly objects: Required<Counts>;
}

export function planOf(rows: readonly Row[], permissions: Permissions, hasOtherNat: boolean): Plan {
  const permitted = inOrder(rows, permissions).filter(
    (row) => obstacle(row, permissions, hasOtherNat) === undefined,
  );
  const networks = { Private: 0, NAT: 0, external: 0 };
  const objects = { Endpoint: 0, Namespace: 0, LoadBalancer: 0 };
  const externalTypes: NetworkType[] = [];
  let current: NetworkType | undefined;
  let parts = new Set<Part<unknown>>();
  const add = (counts: Counts, type: NetworkType | undefined): void => {
    for (const kind of ['Endpoint', 'Namespace', 'LoadBalancer'] as const) objects[kind] += counts[kind] ?? 0;
    const kind = classOf(type);
    networks[kind] = Math.min(networks[kind] + (counts.Network ?? 0), networkLimits[kind]);
  };
  const use = (type: NetworkType): void => {
    if (type === current) return;
    parts = new Set();
    current = type;
    add({ Network: 1 }, type);
    if (classOf(type) === 'external') externalTypes.push(type);
  };
  for (const row of permitted) {
    const type = networkTypeOf(row.on, permissions);
    if (row.after !== undefined && externalTypes.length === 0) use(row.after);
    if (type !== undefined) use(type);
    for (const part of row.uses ?? []) {
      if (parts.has(part)) continue;
      parts.add(part);
      add(part.creates, type);
    }
    add(row.creates ?? {}, type);
  }
  const Network = networks.Private + networks.NAT + networks.external;
  return { rows: permitted.length, networks, externalTypes, objects: { ...objects, Network } };
}

/** What a run does to the node, in sentences. `leftovers` are those of an earlier probe, which it deletes first. */
export function previewText(
  rows: readonly Row[],
  permissions: Permissions,
  { leftovers, hasOtherNat }: { readonly leftovers: readonly Leftover[]; readonly hasOtherNat: boolean },
): string {
  const { adapter, nat, restart } = permissions;
  const plan = planOf(rows, permissions, hasOtherNat);
  const { networks, objects, externalTypes } = plan;
  const freed = leftovers.flatMap((leftover) => leftover.adapter ?? []);
  const lines = (condition: boolean, ...texts: readonly string[]) => (condition ? texts : []);
  const isExternal = networks.external > 0;
  return [
    ...leftoverTexts(leftovers, freed),
    `probe runs ${counted(plan.rows, 'experiment')}, and creates at most`,
    ...lines(networks.Private > 0, `  ${counted(networks.Private, 'Private network')}`),
    ...lines(
      networks.NAT > 0,
      `  ${counted(networks.NAT, 'NAT or Internal network')}, each of which adds an interface to the node`,
    ),
    ...lines(
      isExternal,
      `  ${counted(networks.external, 'network')} on adapter "${adapter}", one at a time: ${externalTypes.join(', ')}`,
    ),
    `  ${counted(objects.Endpoint, 'endpoint')}, ${counted(objects.Namespace, 'namespace')}, ${counted(objects.LoadBalancer, 'load balancer')}`,
    `and deletes them. This takes about ${minutesOf(plan, restart)}.`,
    `After a timeout, it may create some again, but at most ${networkLimits.Private} Private networks.`,
    ...lines(
      nat && hasOtherNat,
      'Experiments on NAT networks are skipped: another program has a NAT network, and with two, HNS may hang.',
    ),
    "A pod's request may wait for one call of probe, usually less than a second" +
      (isExternal ? ', up to 20 s while a network on the adapter is created or deleted.' : '.'),
    'probe pauses after each experiment. It does not change other objects.',
    ...lines(
      isExternal,
      `The connections of adapter "${adapter}" are interrupted ${counted(networks.external * 2, 'time')}, for 6 to 20 s each. It may lose its static address.`,
      'The node briefly gets an interface with a probe address and a default route, which Windows may use.',
    ),
    ...lines(!isExternal && freed.length === 0, 'No adapter is interrupted.'),
    ...lines(restart, 'HNS restarts once: requests of pods wait until it responds.'),
    'No changes made. Rerun with --yes to apply.',
  ].join('\n');
}

/** `freed` are the adapters of leftover networks. */
function leftoverTexts(leftovers: readonly Leftover[], freed: readonly string[]): readonly string[] {
  if (leftovers.length === 0) return [];
  const kinds = Object.entries(Object.groupBy(leftovers, ({ kind }) => kindName(kind)));
  const counts = kinds.map(([kind, { length } = []]) => counted(length, kind));
  const deletion = `First, probe deletes what an interrupted probe left: ${counts.join(', ')}.`;
  const adapters = [...new Set(freed)].map((name) =>
    name === '' ? 'an unknown adapter' : `adapter "${name}"`,
  );
  if (adapters.length === 0) return [deletion];
  return [
    deletion,
    `This interrupts the connections of ${adapters.join(' and ')} for 6 to 20 s per network.`,
  ];
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** How long HNS takes at most on a busy node, in seconds. */
const seconds = { object: 0.5, NAT: 10, external: 40, restart: 120 } as const;

function minutesOf({ rows, networks, objects }: Plan, restart: boolean): string {
  const created = Object.values(objects).reduce((sum, count) => sum + count, 0);
  const total =
    (rows * pauseMilliseconds) / 1000 +
    created * seconds.object +
    networks.NAT * seconds.NAT +
    networks.external * seconds.external +
    (restart ? seconds.restart : 0);
  return counted(Math.max(1, Math.ceil(total / 60)), 'minute');
}
