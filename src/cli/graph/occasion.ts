import type { System } from '../../system.ts';
import { version } from '../../version.ts';

/** What is said of a picture besides what is on it. */
export interface Occasion {
  readonly taken: Date;
  /** win-hcn's. */
  readonly version: string;
  /** The node's name, where it is known. */
  readonly node?: string;
}

/** Of a picture that is taken now. */
export function occasionOf({ clock, environment }: System): Occasion {
  const node = environment['COMPUTERNAME'];
  return { taken: clock(), version, ...(node !== undefined && { node }) };
}
