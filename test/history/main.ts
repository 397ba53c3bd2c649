// npm run history: replays public reports of what broke Windows nodes on a simulated node.

import { parseArgs } from 'node:util';
import { replay } from './replay.ts';
import { scenarios, themes } from './reports.ts';
import { shortName } from './scenario.ts';

const usage = `Usage: npm run history [-- REPORT... [--seed N]]

Lists the reports, or replays some, such as hcsshim#95, and prints each request, call and answer, and what is left.

  --seed N  the order of simultaneous requests. Default: 1
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string', default: '1' }, help: { type: 'boolean', default: false } },
});

if (values.help) process.stdout.write(usage);
else if (positionals.length === 0) list();
else for (const name of positionals) await show(name);

function list(): void {
  for (const [theme, reports] of Object.entries(themes)) {
    console.log(`${theme}:`);
    for (const report of reports) console.log(`  ${shortName(report).padEnd(36)}${report.says}`);
  }
}

async function show(name: string): Promise<void> {
  const found = scenarios.filter((one) => [one.report, shortName(one)].includes(name));
  if (found.length === 0) console.log(`No report is named ${name}: npm run history lists them.`);
  if (found.length === 0) process.exitCode = 1;
  for (const scenario of found) {
    try {
      await replay(scenario, Number(values.seed), console.log);
      console.log('as expected');
    } catch (error) {
      console.log(`FAILED: ${error instanceof Error ? error.message : error}`);
      process.exitCode = 1;
    }
  }
}
