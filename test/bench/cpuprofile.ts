// Writes a CPU profile of one request, and prints the functions with the highest self time: npm run cpuprofile -- --help

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { sourceFinder } from '../../packaging/source-positions.mjs';
import { noLatency } from '../simulator/latency.ts';
import { formWithOptions } from './linux.ts';
import { startNodes } from './nodes.ts';
import { type CallFrame, type SelfTime, selfTimes } from './profile.ts';
import { rows } from './rows.ts';
import { sampleRow } from './run-lane.ts';
import { textTable } from './table.ts';

const runs = 10;

const usage = `Usage: npm run cpuprofile -- REQUEST [--out FILE]

Writes a V8 CPU profile of one request to the executable on Linux, with the simulated service:
the shortest of ${runs} runs. Prints the ten functions with the highest self time.
Chromium's developer tools and editors open the file.

  --out FILE  write the profile to FILE. Default: build/REQUEST.cpuprofile, with hyphens for spaces
  --help      print this help

REQUEST is one of:
${rows.map(({ name }) => `  ${name}`).join('\n')}
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { out: { type: 'string' }, help: { type: 'boolean', default: false } },
});

if (values.help) process.stdout.write(usage);
else await main(positionals.join(' '));

async function main(request: string): Promise<void> {
  const row = rows.find(({ name }) => name === request);
  if (row === undefined) throw new Error(`There is no request "${request}".\n\n${usage}`);
  const file = resolve(values.out ?? `build/${request.replaceAll(' ', '-')}.cpuprofile`);
  mkdirSync(dirname(file), { recursive: true });
  const form = formWithOptions([
    '--cpu-prof',
    '--cpu-prof-interval=100',
    `--cpu-prof-dir=${dirname(file)}`,
    `--cpu-prof-name=${basename(file)}`,
  ]);
  const nodes = await startNodes([row]);
  const profiles: { readonly text: string; readonly times: readonly SelfTime[] }[] = [];
  try {
    for (let run = 0; run < runs; run += 1) {
      await sampleRow(form, row, nodes, noLatency);
      const text = readFileSync(file, 'utf8');
      profiles.push({ text, times: selfTimes(JSON.parse(text), sourceLocator()) });
    }
  } finally {
    await nodes.stop();
  }
  const [shortest] = profiles.toSorted((a, b) => total(a.times) - total(b.times));
  if (shortest === undefined) return;
  writeFileSync(file, shortest.text);
  print(shortest.times);
  console.log(`\n${total(shortest.times).toFixed(1)} ms in total, in ${relative('.', file)}`);
}

function total(times: readonly SelfTime[]): number {
  return times.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
}

function print(times: readonly SelfTime[]): void {
  const cells = times
    .slice(0, 10)
    .map(({ name, place, milliseconds }) => [
      place === '' ? name : `${name} ${place}`,
      milliseconds.toFixed(1),
      `${((milliseconds / total(times)) * 100).toFixed(0)} %`,
    ]);
  console.log(textTable(['function', 'ms', 'share'], cells));
}

/** Returns a function that finds the source of a function in a minified bundle, which packaging/ wraps in a function. */
function sourceLocator(): (frame: CallFrame) => string | undefined {
  const find = new Map(
    readdirSync('build')
      .filter((file) => file.endsWith('.cjs'))
      .map((bundle) => [bundle, sourceFinder(bundle)]),
  );
  return ({ url, lineNumber, columnNumber }) => {
    if (url.startsWith('file:')) return `${relative('.', fileURLToPath(url))}:${lineNumber + 1}`;
    return find.get(url)?.(lineNumber, columnNumber);
  };
}
