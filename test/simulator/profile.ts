// npm run profile -- REPORT [--name NAME]: adds an observed node to test/simulator/observed, or to the folder of --folder.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { decodeText } from '../../src/cni/text.ts';
import { observedFolder } from './observed-nodes.ts';
import { profileFromReport } from './observed-profile.ts';

function run(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { name: { type: 'string' }, folder: { type: 'string', default: observedFolder } },
  });
  const [report, ...others] = positionals;
  if (report === undefined || others.length > 0)
    throw new Error(
      'Usage: npm run profile -- REPORT [--name NAME]. REPORT is the output of win-hcn probe -o json.',
    );
  const { profile, unknown } = profileFromReport(JSON.parse(decodeText(readFileSync(report))));
  const name = values.name ?? /[\d.]+$/.exec(profile.windows)?.[0];
  if (name === undefined || !/^[\w.-]+$/.test(name))
    throw new Error('The report lacks the Windows build: name the profile with --name.');
  const file = resolve(values.folder, `${name}.json`);
  mkdirSync(values.folder, { recursive: true });
  writeFileSync(file, `${JSON.stringify(profile, undefined, 2)}\n`);
  process.stdout.write(`${file}\n`);
  for (const observation of unknown)
    process.stderr.write(`${observation}: no position of the variant reproduces it. Add one.\n`);
  if (unknown.length > 0) process.exitCode = 1;
}

try {
  run();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
