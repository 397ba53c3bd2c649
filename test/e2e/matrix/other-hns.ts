import type { Switches } from '../../simulator/profiles.ts';
import type { Scenario } from './scenario.ts';

/** An HNS that differs from the default of the simulated service. */
export interface Behaviour {
  /** The end of a test's name. */
  readonly name: string;
  readonly switches: Partial<Switches>;
}

/** An HNS with a key in the tables of cell counts. */
export interface OtherHns extends Behaviour {
  readonly short: 'ids' | 'attached' | 'both';
}

const ids = { callerIds: 'ignored' } as const;
const detached = { attachedEndpointDeletion: 'refused' } as const;

export const choosesIds: OtherHns = { short: 'ids', name: 'where HNS chooses ids', switches: ids };

export const refusesAttached: OtherHns = {
  short: 'attached',
  name: 'where HNS deletes no attached endpoint',
  switches: detached,
};

export const choosesIdsAndRefusesAttached: OtherHns = {
  short: 'both',
  name: 'where HNS chooses ids and deletes no attached endpoint',
  switches: { ...ids, ...detached },
};

export const hangsOnAttached: Behaviour = {
  name: 'where the deletion of an attached endpoint hangs',
  switches: { attachedEndpointDeletion: 'hangs' },
};

/** Returns the scenarios on that HNS. Their call counts differ, so they are checked by the cell counts. */
export function on({ name, switches }: Behaviour, scenarios: readonly Scenario[]): readonly Scenario[] {
  return scenarios.map(({ calls: _, ...scenario }) => ({
    ...scenario,
    name: `${scenario.name} ${name}`,
    hns: { ...scenario.hns, switches: { ...scenario.hns?.switches, ...switches } },
  }));
}
