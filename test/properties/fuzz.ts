// npm run fuzz: tests every property many times.
// `-- --seed N` repeats a run, `--only TEXT` selects properties by name, `--runs N` sets the number of runs of each, `--cases N` that of all
// together, in their usual proportion, `--seconds N` limits the total time.

import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { everyProperty } from './every-property.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    only: { type: 'string', default: '' },
    runs: { type: 'string' },
    cases: { type: 'string' },
    seconds: { type: 'string' },
  },
});
const seed = wholeNumber('seed') ?? Math.floor(Math.random() * 2 ** 31);
const runs = wholeNumber('runs');
const seconds = wholeNumber('seconds');
const wanted = wholeNumber('cases');
const properties = everyProperty.filter((one) => one.name.includes(values.only));

const usualCases = properties.reduce((sum, one) => sum + one.runs.fuzz, 0);
const share = wanted === undefined ? 1 : wanted / usualCases;

console.log(`seed ${seed}`);
let cases = 0;
const begun = performance.now();
for (const [index, { name, property, runs: usual }] of properties.entries()) {
  const started = performance.now();
  const numRuns = runs ?? Math.ceil(usual.fuzz * share);
  const details = await fc.check(property, { seed, numRuns, ...shareOfTime(index) });
  cases += details.numRuns;
  const took = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${details.failed ? 'FAILED' : 'held'} ${details.numRuns} times, ${took} s: ${name}`);
  if (!details.failed) continue;
  process.exitCode = 1;
  console.log(String(details.errorInstance), fc.defaultReportMessage(details));
  console.log(`Again: npm run fuzz -- --seed ${seed} --only ${JSON.stringify(name)}`);
}
console.log(`${cases} cases of ${properties.length} properties, seed ${seed}`);
if (properties.length === 0) throw new Error(`No property is named so: ${values.only}`);

/** The remaining time is divided equally among the remaining properties. A property without a single run fails. */
function shareOfTime(index: number): { readonly interruptAfterTimeLimit?: number } {
  if (seconds === undefined) return {};
  const left = Math.max(0, seconds * 1000 - (performance.now() - begun));
  return { interruptAfterTimeLimit: left / (properties.length - index) };
}

function wholeNumber(name: 'seed' | 'runs' | 'cases' | 'seconds'): number | undefined {
  const text = values[name];
  if (text === undefined) return undefined;
  if (!/^-?\d+$/.test(text)) throw new Error(`--${name} is a whole number.`);
  return Number(text);
}
