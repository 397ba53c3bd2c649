import { addCells } from './cells.ts';
import { runKills } from './kill-process.ts';
import { adds } from './scenarios.ts';
import { testMatrix } from './test-matrix.ts';

testMatrix(
  {
    file: import.meta.filename,
    cells: addCells,
    part: 'kills',
    title: 'a kill before every call and run, and after every change',
  },
  [{ scenarios: adds, run: (scenario) => runKills(scenario, { nexts: ['DEL', 'ADD', 'GC'] }) }],
);
