// Plants small faults in source files, one at a time, and prints those that no test notices: npm run mutants -- --help

import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { type Chosen, sourcesChanged, sourcesIn } from './choose-sources.ts';
import type { Mutant } from './mutate.ts';
import { type Counts, runMutants } from './run-mutants.ts';

const usage = `Usage: npm run mutants -- [paths] [options]

Plants small faults (mutants) in source files, one at a time, and prints those that no test notices.
Each mutant runs the unit, e2e and simulator tests that import its file, without the slow ones.

  paths             files or folders. Default: src
  --changed COMMIT  files of src that changed since a commit
  --tests TEXT      only test files whose path contains TEXT. Default: all
  --seed N          repeats the order of an earlier run. Default: random
  --sample N        ends after N mutants. Default: all
  --seconds N       ends after N seconds. Default: no limit
  --at-least N      fails when less than N percent of 30 mutants or more are killed. Default: 100
                    A run without a single mutant always fails.
  --workers N       mutants at the same time. Default: one per processor
  --verbose         prints killed mutants too, with the test that failed
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    changed: { type: 'string' },
    tests: { type: 'string', default: '' },
    seed: { type: 'string', default: `${Date.now() % 1_000_000}` },
    sample: { type: 'string', default: 'Infinity' },
    seconds: { type: 'string', default: 'Infinity' },
    'at-least': { type: 'string', default: '100' },
    workers: { type: 'string', default: `${availableParallelism()}` },
    verbose: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

if (values.help) process.stdout.write(usage);
else process.exitCode = await main();

async function main(): Promise<number> {
  const chosen =
    values.changed === undefined ? sourcesIn('.', positionals) : sourcesChanged('.', values.changed);
  const counts = await run(chosen);
  // A change of types alone has no mutants.
  const { found, run: done, survived } = counts.found === 0 ? await run(sourcesIn('.', [])) : counts;
  const percent = Math.floor(((done - survived) / done) * 100);
  console.log(
    `${done} of ${found} mutants run, ${done - survived} killed (${percent} %), ${survived} survived`,
  );
  return done === 0 || (done >= 30 && percent < Number(values['at-least'])) ? 1 : 0;
}

function run({ files, reason }: Chosen): Promise<Counts> {
  console.log(`mutants of ${files.length} files (${reason}), seed ${values.seed}`);
  return runMutants({
    project: '.',
    files,
    tests: values.tests,
    seed: Number(values.seed),
    sample: Number(values.sample),
    seconds: Number(values.seconds),
    workers: Number(values.workers),
    report: (mutant, killedBy) => {
      if (killedBy === undefined) console.log(`SURVIVED ${describe(mutant)}`);
      else if (values.verbose) console.log(`killed ${describe(mutant)} by ${killedBy}`);
    },
  });
}

function describe({ file, line, before, after }: Mutant): string {
  return `${file}:${line} ${shorten(before)} -> ${shorten(after)}`;
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > 80 ? `${line.slice(0, 38)} ... ${line.slice(-37)}` : line;
}
