import { addCells } from './cells.ts';
import { hresults, kindsOfHresults } from './effects.ts';
import { type Part, runMatrix } from './matrix.ts';
import { adds } from './scenarios.ts';
import { testMatrix } from './test-matrix.ts';

const parts: readonly Part[] = [
  { effects: hresults, nexts: ['DEL'] },
  { effects: kindsOfHresults, nexts: ['ADD', 'GC'] },
];

testMatrix(
  { file: import.meta.filename, cells: addCells, part: 'hresults', title: 'every HRESULT from every call' },
  [{ scenarios: adds, run: (scenario) => runMatrix(scenario, parts) }],
);
