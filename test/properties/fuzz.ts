// npm run fuzz: every property, many times.
// `-- --seed N` repeats a run, `--only TEXT` tries the properties named so, `--runs N` as often as that.

import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { dialectProperties } from './dialects.properties.ts';
import { lifeProperties } from './life.properties.ts';
import { outboundNatProperties } from './outbound-nat.properties.ts';
import { policyProperties } from './policies.properties.ts';
import type { Property } from './property.ts';
import { pureProperties } from './pure.properties.ts';
import { runProperties } from './run.properties.ts';

const all: readonly Property[] = [
  ...runProperties,
  ...dialectProperties,
  ...pureProperties,
  ...outboundNatProperties,
  ...policyProperties,
  ...lifeProperties,
];

const { values } = parseArgs({
  options: { seed: { type: 'string' }, only: { type: 'string', default: '' }, runs: { type: 'string' } },
});
const seed = wholeNumber('seed') ?? Math.floor(Math.random() * 2 ** 31);
const runs = wholeNumber('runs');

console.log(`seed ${seed}`);
let cases = 0;
for (const { name, property, runs: usual } of all.filter((one) => one.name.includes(values.only))) {
  const started = performance.now();
  const details = await fc.check(property, { seed, numRuns: runs ?? usual.fuzz });
  cases += details.numRuns;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${details.failed ? 'FAILED' : 'held'} ${details.numRuns} times, ${seconds} s: ${name}`);
  if (!details.failed) continue;
  process.exitCode = 1;
  console.log(String(details.errorInstance), fc.defaultReportMessage(details));
  console.log(`Again: npm run fuzz -- --seed ${seed} --only ${JSON.stringify(name)}`);
}
console.log(`${cases} cases, seed ${seed}`);
if (cases === 0) throw new Error(`No property is named so: ${values.only}`);

function wholeNumber(name: 'seed' | 'runs'): number | undefined {
  const text = values[name];
  if (text === undefined) return undefined;
  if (!/^-?\d+$/.test(text)) throw new Error(`--${name} is a whole number.`);
  return Number(text);
}
