import { coveringArray, type Parameter } from '../../simulator/covering-array.ts';
import type { Switches } from '../../simulator/profiles.ts';
import type { Position } from '../../simulator/variants/variant.ts';
import { type Uncertainty, uncertainties, type VariantName } from '../../simulator/variants/variants.ts';
import type { Findings } from './aftermath.ts';
import { runCuts } from './cut.ts';
import { hresults, missingAnswers, none } from './effects.ts';
import { afterChanges } from './kill.ts';
import { type Part, type Report, runMatrix } from './matrix.ts';
import { type Behaviour, on } from './other-hns.ts';
import { isChange } from './places.ts';
import type { Next, Scenario } from './scenario.ts';
import { centralScenarios } from './scenarios.ts';

/** Variants of error codes on which decisions of win-hcn depend. */
const codesThatMatter: readonly VariantName[] = [
  'addressConflict',
  'deleteMissingEndpoint',
  'deleteMissingNetwork',
  'duplicateEndpoint',
  'earlyHostAttach',
  'removeAbsentEndpoint',
  'unreleasedAdapter',
];

function isUsed({ name, isErrorCode }: Uncertainty): boolean {
  return !isErrorCode || codesThatMatter.includes(name);
}

const parameters: readonly Parameter<Position>[] = uncertainties.filter(isUsed);

/** Variants of HNS that contain each pair of positions of two variants. */
export const rows: readonly Behaviour[] = coveringArray(parameters).map((switches, index) => ({
  name: `on HNS ${index + 1} of the covering array`,
  switches: switches as Partial<Switches>,
}));

const few = [...hresults.slice(0, 1), ...missingAnswers.slice(0, 1)];

/** Runs the central scenarios on a row: without fault, and with each change refused and hanging. */
export function runRow(row: Behaviour, index: number): Promise<Report> {
  return sum(scenariosOn(row), (scenario) => {
    const next = nextOf(scenario, index);
    const parts: readonly Part[] = [
      { effects: [none], nexts: [next], at: ({ ordinal }) => ordinal === 1 },
      { effects: few, nexts: [next], at: isChange },
    ];
    return runMatrix(scenario, parts);
  });
}

/** Runs them on a row, cut off after each change. */
export function cutRow(row: Behaviour, index: number): Promise<Report> {
  return sum(scenariosOn(row), (scenario) =>
    runCuts(scenario, { nexts: [nextOf(scenario, index)], whensOf: afterChanges }),
  );
}

function scenariosOn(row: Behaviour): readonly Scenario[] {
  return on(row, centralScenarios).map((scenario) => ({ ...scenario, hasVariants: true }));
}

/** The next command alternates between rows. */
function nextOf({ command }: Scenario, index: number): Next {
  const all: readonly Next[] = command === 'ADD' ? ['DEL', 'ADD', 'GC'] : ['DEL', 'GC'];
  return all[index % all.length] ?? 'DEL';
}

async function sum(
  scenarios: readonly Scenario[],
  run: (scenario: Scenario) => Promise<Report>,
): Promise<Report> {
  let cells = 0;
  const found: { leaks: string[]; surprises: string[] } & Findings = { leaks: [], surprises: [] };
  for (const scenario of scenarios) {
    const report = await run(scenario);
    cells += report.cells;
    found.leaks.push(...report.leaks);
    found.surprises.push(...report.surprises);
  }
  return { cells, ...found };
}
