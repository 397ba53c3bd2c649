import type { FileAccess } from '../collectors/files.ts';
import type { Fact } from '../fact.ts';
import type { Configuration } from '../facts.ts';
import type { ConfFile } from './conf-file.ts';
import { ownerOfPlugin } from './plugin-owner.ts';

/** What says whose a configuration is. */
export interface Programs {
  readonly executable: string;
  readonly programs: Configuration['programs'];
  readonly files: Fact<readonly FileAccess[]>;
}

/** Whether a file is for win-hcn. Of other files than the first nobody knows what their programs are. */
export function ownerOfConf({ plugins }: ConfFile, outside: Programs): ReturnType<typeof ownerOfPlugin> {
  const owners = plugins.map(({ type }) => ownerOfType(type, outside));
  const best = ['win-hcn', 'unknown'] as const;
  return best.find((owner) => owners.includes(owner)) ?? 'another plugin';
}

/** Whether a plugin of the first file is win-hcn. */
export function ownerOfType(type: string, outside: Programs): ReturnType<typeof ownerOfPlugin> {
  return ownerOfPlugin(type, outside.executable, productOf(type, outside));
}

/** What the program of a type says it is; undefined where nobody knows, and `none` where there is no program. */
function productOf(type: string, { programs, files }: Programs): string | undefined {
  const program = programs[type];
  if (program === undefined) return type in programs ? 'none' : undefined;
  return 'known' in files ? files.known.find(({ path }) => path === program)?.product : undefined;
}
