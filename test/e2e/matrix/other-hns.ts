import type { Switches } from '../../simulator/profiles.ts';
import type { Scenario } from './scenario.ts';

/** An HNS that differs from the default of the simulated service. */
export interface Behavior {
  /** The end of a test's name. */
  readonly name: string;
  readonly switches: Partial<Switches>;
  /** Whether a fault may end in success, or in another failure than by default. */
  readonly hasVariants?: true;
}

const ids = { callerIds: 'ignored' } as const;
const refused = { attachedEndpointDeletion: 'refused' } as const;

export const usual: Behavior = { name: 'on the default HNS', switches: {} };
export const choosesIds: Behavior = { name: 'where HNS chooses ids', switches: ids };
export const refusesAttached: Behavior = {
  name: 'where HNS deletes no attached endpoint',
  switches: refused,
};
export const choosesIdsAndRefusesAttached: Behavior = {
  name: 'where HNS chooses ids and deletes no attached endpoint',
  switches: { ...ids, ...refused },
};
export const hangsOnAttached: Behavior = {
  name: 'where the deletion of an attached endpoint hangs',
  switches: { attachedEndpointDeletion: 'hangs' },
  hasVariants: true,
};

/** Returns the scenarios on that HNS. Their numbers of calls differ on another than the usual one, and are not asserted there. */
export function on(behavior: Behavior, scenarios: readonly Scenario[]): readonly Scenario[] {
  if (behavior === usual) return scenarios;
  const { name, switches, hasVariants } = behavior;
  return scenarios.map(({ calls: _, ...scenario }) => ({
    ...scenario,
    name: `${scenario.name} ${name}`,
    hns: { ...scenario.hns, switches: { ...scenario.hns?.switches, ...switches } },
    ...(hasVariants && { hasVariants }),
  }));
}
