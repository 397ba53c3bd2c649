import { addCells } from './cells.ts';
import { invalidAnswers } from './effects.ts';
import { type Part, runMatrix } from './matrix.ts';
import { adds } from './scenarios.ts';
import { testMatrix } from './test-matrix.ts';

const parts: readonly Part[] = [{ effects: invalidAnswers, nexts: ['DEL'] }];

testMatrix(
  {
    file: import.meta.filename,
    cells: addCells,
    part: 'invalidAnswers',
    title: 'every invalid answer from every call',
  },
  [{ scenarios: adds, run: (scenario) => runMatrix(scenario, parts) }],
);
