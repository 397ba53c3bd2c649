import { otherCells } from './cells.ts';
import { runKills } from './kill-process.ts';
import { checks, dels, dropInDels, gcs, statuses } from './scenarios.ts';
import { testMatrix } from './test-matrix.ts';

testMatrix(
  {
    file: import.meta.filename,
    cells: otherCells,
    part: 'kills',
    title: 'a kill before every call and run, and after every change',
  },
  [
    { scenarios: dels, run: (scenario) => runKills(scenario, { nexts: ['DEL', 'GC'] }) },
    { scenarios: [...dropInDels, ...checks], run: (scenario) => runKills(scenario, { nexts: ['DEL'] }) },
    { scenarios: gcs, run: (scenario) => runKills(scenario, { nexts: ['GC', 'DEL'] }) },
    { scenarios: statuses, run: (scenario) => runKills(scenario, { nexts: ['ADD', 'DEL'] }) },
  ],
);
