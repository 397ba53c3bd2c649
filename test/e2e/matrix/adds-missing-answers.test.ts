import { addCells } from './cells.ts';
import { lateEffects, missingAnswers, plugin } from './effects.ts';
import { type Part, runMatrix } from './matrix.ts';
import { adds } from './scenarios.ts';
import { testMatrix } from './test-matrix.ts';

const parts: readonly Part[] = [
  { effects: [...missingAnswers, ...plugin], nexts: ['DEL', 'ADD', 'GC'] },
  { effects: lateEffects, nexts: ['DEL', 'ADD'] },
];

testMatrix(
  {
    file: import.meta.filename,
    cells: addCells,
    part: 'missingAnswers',
    title: 'a missing answer of every call, and every failure of the IPAM plugin',
  },
  [{ scenarios: adds, run: (scenario) => runMatrix(scenario, parts) }],
);
