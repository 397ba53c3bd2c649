import type { Session } from '../terminal/session.ts';
import type { NodeChecks } from './check-node.ts';
import type { InstallPlan } from './plan-install.ts';
import { titleOf } from './step.ts';

/** Prints the folders of an installation. */
export function printFolders({ folders: { bin, conf } }: InstallPlan, { print }: Session): void {
  print(`plugin folder         ${bin}\nconfiguration folder  ${conf}`);
}

/** An installation as data. `applied`: whether its steps have run. */
export function describe({ folders, steps, remarks }: InstallPlan, applied: boolean): object {
  const { bin: binDir, conf: confDir } = folders;
  return {
    binDir,
    confDir,
    applied,
    steps: steps.map((step) => ({ do: step.do, title: titleOf(step) })),
    remarks,
  };
}

/** The results of the checks after an installation, as lines. */
export function checkLines({ validate, plan, doctor, failures }: NodeChecks): readonly string[] {
  return [
    ...(validate === undefined ? [] : [`validate: ${validate}`]),
    ...(plan === undefined ? [] : [`plan: ${plan}`]),
    `doctor: ${doctor}`,
    ...failures.map((failure) => `  FAIL ${failure}`),
  ];
}
