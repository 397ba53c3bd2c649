import { addCells } from './cells.ts';
import { afterthoughts, plugin, silences } from './effects.ts';
import { type Part, runMatrix } from './matrix.ts';
import { adds } from './scenarios.ts';
import { testMatrix } from './test-matrix.ts';

const parts: readonly Part[] = [
  { effects: [...silences, ...plugin], nexts: ['DEL', 'ADD', 'GC'] },
  { effects: afterthoughts, nexts: ['DEL', 'ADD'] },
];

testMatrix(
  {
    file: import.meta.filename,
    cells: addCells,
    part: 'silences',
    title: 'a missing answer of every call, and every failure of the IPAM plugin',
  },
  [{ scenarios: adds, run: (scenario) => runMatrix(scenario, parts) }],
);
