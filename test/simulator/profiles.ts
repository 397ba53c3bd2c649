// Windows releases, identified by the version of the Host Network Service.

import { positionsOf, type Switches } from './variants/variants.ts';

export type { Switches } from './variants/variants.ts';

export type Profile = 'ws2019' | 'ws2022' | 'ws2025' | 'hns15.5';

export interface HnsVersion {
  readonly Major: number;
  readonly Minor: number;
}

export const versions: Readonly<Record<Profile, HnsVersion>> = {
  ws2019: { Major: 9, Minor: 5 },
  ws2022: { Major: 13, Minor: 3 },
  ws2025: { Major: 15, Minor: 4 },
  'hns15.5': { Major: 15, Minor: 5 },
};

export const profileNames = Object.keys(versions) as readonly Profile[];

/** The default profile. */
export const newest: Profile = 'hns15.5';

/** The position of each variant in each profile. */
export const switchesOf: Readonly<Record<Profile, Switches>> = {
  ws2019: positionsOf('ws2019'),
  ws2022: positionsOf('ws2022'),
  ws2025: positionsOf('ws2025'),
  'hns15.5': positionsOf('hns15.5'),
};

export function isAtLeast(version: HnsVersion, major: number, minor: number): boolean {
  return version.Major > major || (version.Major === major && version.Minor >= minor);
}
