import { CniError, code } from '../../cni/error.ts';
import type { InstallFiles } from './files.ts';

const seconds = 30;

/** Runs icacls with these arguments. Throws CniError. https://learn.microsoft.com/windows-server/administration/windows-commands/icacls */
export async function restrictAccess(
  path: string,
  words: readonly string[],
  files: Pick<InstallFiles, 'run'>,
): Promise<void> {
  const program = `${process.env['SystemRoot'] ?? 'C:\\Windows'}\\System32\\icacls.exe`;
  const result = await files.run(program, words, seconds);
  if ('exitCode' in result && result.exitCode === 0) return;
  const reason =
    'problem' in result
      ? result.problem
      : `icacls ended with exit code ${result.exitCode}: ${result.stderr.trim().replace(/\.$/, '') || 'no error output'}`;
  throw new CniError(
    code.ioFailure,
    `cannot restrict access to ${path}: ${reason}. Run this command as an administrator.`,
  );
}
