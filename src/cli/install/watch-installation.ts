import { type ExitCode, exitCode, type Session } from '../terminal/session.ts';
import { installFiles } from './files.ts';
import { guardIsReady } from './guard.ts';
import { restorePrograms } from './repair.ts';

/** The guard's process: waits until stdin ends, with the process that started it, and restores programs that are missing then. */
export function watchInstallation(folder: string, { print, system }: Session): ExitCode {
  print(guardIsReady);
  system.readStdin();
  restorePrograms(folder, installFiles);
  return exitCode.success;
}
