// Builds the clients once for all test files, those for Windows into the prefixes that test/windows/setup.ts prepares.

import { suitePrefixes, missing as wineMissing } from '../windows/suite.ts';
import { buildProgram, goMissing, newerLibcniMissing, type Program } from './build.ts';
import { containerdMissing } from './containerd.ts';
import { debianPluginsMissing } from './debian-plugins.ts';
import { kubectlMissing } from './kubectl.ts';

const programs: readonly Program[] = ['libcni', 'gocni', 'neighbour'];

/** Prints which tests are skipped and why; throws in CI. */
export function setup(): void {
  const reasons = {
    'libcni and go-cni': goMissing(),
    'a newer libcni': newerLibcniMissing(),
    'host-local and static': debianPluginsMissing(),
    containerd: containerdMissing(),
    kubectl: kubectlMissing(),
  };
  const skipped = Object.entries(reasons).flatMap(([clients, reason]) =>
    reason ? `${clients} (${reason})` : [],
  );
  if (skipped.length > 0) {
    const line = `The tests with ${skipped.join(', ')} are skipped: on Debian, as root, run test/clients/install.sh`;
    if (process.env['CI']) throw new Error(line);
    process.stderr.write(`${line}\n`);
  }
  if (goMissing() !== undefined) return;
  const newer: readonly Program[] = newerLibcniMissing() === undefined ? ['newer-libcni'] : [];
  for (const program of [...programs, ...newer]) {
    buildProgram(program, 'linux');
    if (wineMissing !== undefined) continue;
    for (const prefix of suitePrefixes()) prefix.install(buildProgram(program, 'windows'), 'C:\\clients');
  }
}
