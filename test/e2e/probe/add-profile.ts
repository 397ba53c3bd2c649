// npm run profile -- REPORT [--name NAME]: adds an observed node to test/simulator/observed, or to the folder of --folder.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { decodeText } from '../../../src/cni/text.ts';
import { observedFolder } from '../../simulator/observed-nodes.ts';
import { type ObservedProfile, profileFromReport } from '../../simulator/observed-profile.ts';
import { probeReport } from './run-probe.ts';

async function run(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { name: { type: 'string' }, folder: { type: 'string', default: observedFolder } },
  });
  const [report, ...others] = positionals;
  if (report === undefined || others.length > 0)
    throw new Error(
      'Usage: npm run profile -- REPORT [--name NAME]. REPORT is the output of win-hcn debug probe -o json.',
    );
  const profile = profileFromReport(JSON.parse(decodeText(readFileSync(report))));
  const name = values.name ?? /[\d.]+$/.exec(profile.windows)?.[0];
  if (name === undefined || !/^[\w.-]+$/.test(name))
    throw new Error('The report lacks the Windows build: name the profile with --name.');
  const file = resolve(values.folder, `${name}.json`);
  mkdirSync(values.folder, { recursive: true });
  writeFileSync(file, `${JSON.stringify(profile, undefined, 2)}\n`);
  process.stdout.write(`${file}\n`);
  const different = await differencesFrom(profile);
  for (const difference of different) process.stderr.write(`${difference}\n`);
  if (different.length > 0) process.exitCode = 1;
}

/** What the simulated service does not reproduce of a profile. */
async function differencesFrom(profile: ObservedProfile): Promise<readonly string[]> {
  const { rows } = await probeReport({ profile });
  return rows.flatMap(({ id, observed = 'not tried' }) => {
    const real = profile.rows[id];
    return real === undefined || real === observed
      ? []
      : [
          `${id}: the node has "${real}", the simulated service "${observed}". Add a position to its variant.`,
        ];
  });
}

try {
  await run();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
