import { aroundHcnCalls, type HcnCall } from '../../hcn/around-calls.ts';
import type { System } from '../../system.ts';

/** A call that has not come back. */
interface Standing {
  readonly call: HcnCall;
  /** When it was made, in milliseconds of the system's clock. */
  readonly since: number;
}

/** A system whose HCN is watched, which a plugin that answers before its calls do cannot tell about. */
export interface WatchedSystem {
  readonly system: System;
  /** The calls that have not come back by now. */
  standing(): readonly Standing[];
  /** Whether HCN was asked for and could not be loaded. */
  unusable(): boolean;
}

export function watchLibrary(system: System): WatchedSystem {
  const standing = new Set<Standing>();
  let unusable = false;
  const loadLibrary: System['loadLibrary'] = async () => {
    try {
      const library = await system.loadLibrary();
      return aroundHcnCalls(
        async () => library,
        async (call, make) => {
          const made = { call, since: system.now() };
          standing.add(made);
          try {
            return await make();
          } finally {
            standing.delete(made);
          }
        },
      );
    } catch (error) {
      unusable = true;
      throw error;
    }
  };
  return { system: { ...system, loadLibrary }, standing: () => [...standing], unusable: () => unusable };
}
