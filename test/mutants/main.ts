import type { Mutant, MutantsOf } from './mutant.ts';
import { projects, runTests, testFile, type Verdict } from './run-tests.ts';
import { mutantsOf } from './tables.ts';
import { copyTree, plant } from './tree.ts';

const tree = copyTree('build/mutants');
const passed: Verdict = { passed: true };
const [only = ''] = process.argv.slice(2);
const chosen = mutantsOf.filter(({ file }) => file.includes(only));

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

await mustPass();
let survived = 0;
for (const { file, tests, mutants } of chosen) {
  for (const mutant of mutants) {
    const verdict = await tryOut(file, tests, mutant);
    if (verdict.passed) survived += 1;
    const fate = verdict.passed ? 'SURVIVED' : `killed by ${verdict.by}`;
    console.log(`${file}: ${mutant.noticed} (${oneLine(mutant)}): ${fate}`);
  }
}
const planted = chosen.flatMap(({ mutants }) => mutants).length;
console.log(`${planted} planted, ${planted - survived} killed, ${survived} survived`);
process.exitCode = survived === 0 ? 0 : 1;

/** A test that fails without a mutant would kill all of them. */
async function mustPass(): Promise<void> {
  for (const project of projects) {
    const verdict = await runTests(tree, project, []);
    if (!verdict.passed) throw new Error(`the tests do not pass as they are: ${verdict.by}`);
  }
}

/** First the tests that are to notice the mutant, then all others. */
async function tryOut(file: string, tests: MutantsOf['tests'], mutant: Mutant): Promise<Verdict> {
  const takeOut = plant(tree, file, mutant);
  try {
    for (const project of projects) {
      const files = tests.filter((name) => name.startsWith(`${project}/`)).map(testFile);
      const verdict = files.length === 0 ? passed : await runTests(tree, project, files);
      if (!verdict.passed) return verdict;
    }
    for (const project of projects) {
      const verdict = await runTests(tree, project, []);
      if (!verdict.passed) return verdict;
    }
    return passed;
  } finally {
    takeOut();
  }
}

function oneLine({ before, after }: Mutant): string {
  const short = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().slice(0, 60);
  return `${short(before)} -> ${short(after) || 'nothing'}`;
}
