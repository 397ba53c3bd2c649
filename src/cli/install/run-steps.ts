import { CniError, code, errorMessage } from '../../cni/error.ts';
import type { InstallFiles } from './files.ts';
import { type InstallStep, rowOf, titleOf } from './step.ts';

/** Runs steps in order and returns what the user must know. Throws CniError, after undoing the steps before the failure. */
export async function runSteps(
  todo: readonly InstallStep[],
  files: InstallFiles,
): Promise<readonly string[]> {
  const remarks: string[] = [];
  const done: InstallStep[] = [];
  try {
    for (const step of todo) {
      const remark = await rowOf(step).run(step, files);
      if (remark !== undefined) remarks.push(remark);
      done.push(step);
    }
    return remarks;
  } catch (error) {
    const problems = await undo(done, files);
    if (done.length === 0) throw error;
    const outcome =
      problems.length === 0
        ? 'The completed steps were rolled back.'
        : `The rollback failed as well: ${problems.join('; ')}. Run this command again to repair the installation.`;
    const failed = error instanceof CniError ? error.code : code.ioFailure;
    throw new CniError(failed, `${errorMessage(error)} ${outcome}`, { cause: error });
  }
}

async function undo(done: readonly InstallStep[], files: InstallFiles): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const step of done.toReversed()) {
    try {
      await rowOf(step).inverse?.(step, files);
    } catch (error) {
      problems.push(`cannot undo "${titleOf(step)}": ${errorMessage(error)}`);
    }
  }
  return problems;
}
