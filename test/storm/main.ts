// npm run storm: pods come and go on simulated nodes while HNS, IPAM plugins and processes misbehave.

import { parseArgs } from 'node:util';
import { runStorm, type StormReport } from './run-storm.ts';
import { addTally, newTally, tallyLines } from './tally.ts';

const usage = `Usage: npm run storm -- [options]

Runs pods, faults and kills on simulated nodes, and checks each response and that nothing is left over.

  --seed N     the first seed. Default: random
  --seeds N    the number of seeds, which run one after the other and share the time equally. Default: 1
  --minutes M  the time of all seeds. Default: 1
  --round N    repeat only this round of the seed
`;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: `${Date.now() % 1_000_000}` },
    seeds: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '1' },
    round: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) process.stdout.write(usage);
else process.exitCode = await main();

async function main(): Promise<number> {
  const first = numberOf('seed', values.seed);
  const seeds = numberOf('seeds', values.seeds);
  const milliseconds = numberOf('minutes', values.minutes) * 60_000;
  const only = values.round === undefined ? {} : { only: numberOf('round', values.round) };
  const started = performance.now();
  const all = newTally();
  let failed = 0;
  let rounds = 0;
  for (let index = 0; index < seeds; index += 1) {
    const left = milliseconds - (performance.now() - started);
    const report = await runStorm({ seed: first + index, milliseconds: left / (seeds - index), ...only });
    print(report);
    addTally(all, report.tally);
    rounds += report.rounds;
    failed += report.found.length;
  }
  if (seeds > 1) {
    console.log('all seeds:');
    for (const line of tallyLines(all)) console.log(line);
  }
  const took = Math.round((performance.now() - started) / 1000);
  console.log(`${seeds} seeds from ${first}, ${rounds} rounds, ${took} s: ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

function print({ seed, service, networks, rounds, tally, found }: StormReport): void {
  console.log(`seed ${seed}: ${rounds} rounds on ${service}, networks ${networks.join(', ')}`);
  for (const line of tallyLines(tally)) console.log(line);
  for (const { round, climate, problems, history } of found) {
    console.log(`FAILED: seed ${seed}, round ${round} (${climate})`);
    for (const line of history) console.log(`  ${line}`);
    for (const problem of problems) console.log(`  wrong: ${problem}`);
    console.log(`Again: npm run storm -- --seed ${seed} --round ${round}`);
  }
}

function numberOf(name: string, text: string): number {
  const value = Number(text);
  if (!(value >= 0)) throw new Error(`--${name} must be a number of at least 0.`);
  return value;
}
