// Plants small faults in source files, one at a time, and prints those that no test notices: npm run mutants -- --help

import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { type Chosen, sourcesIn } from './choose-sources.ts';
import type { Mutant } from './mutate.ts';
import { type Counts, runMutants } from './run-mutants.ts';

const usage = `Usage: npm run mutants -- [paths] [options]

Plants small faults (mutants) in source files, one at a time, and prints those that no test notices.
Each mutant runs up to 80 of the unit tests, properties, e2e, simulator and cluster tests that import its file, in that order, the nearest first.
Tests that run the bundle as a process do not count: it has no mutant.
Some mutants do not change the program's behavior, so that no test can notice them.

  paths             files or folders. Default: those of test/mutants/choose-sources.ts
  --only FILE:LINE  only mutants of that line; repeatable
  --seed N          repeats the order of an earlier run. Default: random
  --sample N        ends after N mutants. Default: all
  --seconds N       ends after N seconds. Default: no limit
  --at-least N      fails when less than N percent of 30 mutants or more are killed. Default: 95
                    A run without a single mutant always fails.
  --verbose         prints killed mutants too, with the test that failed
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', multiple: true, default: [] },
    seed: { type: 'string', default: `${Date.now() % 1_000_000}` },
    sample: { type: 'string', default: 'Infinity' },
    seconds: { type: 'string', default: 'Infinity' },
    'at-least': { type: 'string', default: '95' },
    verbose: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

if (values.help) process.stdout.write(usage);
else process.exitCode = await main();

async function main(): Promise<number> {
  const start = Date.now();
  const found = await run(chosen());
  const killed = found.run - found.survived;
  const percent = Math.floor((killed / found.run) * 100);
  console.log(
    `${found.run} of ${found.found} mutants run in ${Math.round((Date.now() - start) / 1000)} s: ${killed} killed (${percent} %), ` +
      `${found.survived} survived`,
  );
  for (const test of found.broken) console.log(`left out, fails without a mutant: ${test}`);
  const isTooFew = found.run === 0 || (found.run >= 30 && percent < Number(values['at-least']));
  return isTooFew || found.broken.length > 0 ? 1 : 0;
}

function chosen(): Chosen {
  const ofOnly = values.only.map((place) => place.replace(/:\d+$/, ''));
  return sourcesIn('.', positionals.length === 0 ? ofOnly : positionals);
}

function run({ files, reason }: Chosen): Promise<Counts> {
  console.log(`mutants of ${files.length} files (${reason}), seed ${values.seed}`);
  return runMutants({
    project: '.',
    files,
    only: values.only,
    seed: Number(values.seed),
    sample: Number(values.sample),
    seconds: Number(values.seconds),
    workers: availableParallelism(),
    report: (mutant, { killedBy, tests }, reaching) => {
      const ran = `(${tests} of ${reaching} test files)`;
      if (killedBy === undefined) console.log(`SURVIVED ${describe(mutant)} ${ran}`);
      else if (values.verbose) console.log(`killed ${describe(mutant)} by ${killedBy} ${ran}`);
    },
  });
}

function describe(mutant: Mutant): string {
  const { file, line, before, after } = mutant;
  return `${file}:${line} ${shorten(before)} -> ${after === '' || after === ';' ? 'removed' : shorten(after)}`;
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > 80 ? `${line.slice(0, 38)} ... ${line.slice(-37)}` : line;
}
