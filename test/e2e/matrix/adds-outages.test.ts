import { addCells } from './cells.ts';
import { outages, pairs } from './effects.ts';
import { type Part, runMatrix } from './matrix.ts';
import { adds } from './scenarios.ts';
import { testMatrix } from './test-matrix.ts';

const parts: readonly Part[] = [
  { effects: outages, nexts: ['DEL', 'ADD', 'GC'] },
  { effects: pairs, nexts: ['DEL'] },
];

testMatrix(
  { file: import.meta.filename, cells: addCells, part: 'outages', title: 'every outage, from every call on' },
  [{ scenarios: adds, run: (scenario) => runMatrix(scenario, parts) }],
);
