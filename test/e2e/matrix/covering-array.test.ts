import { rowCells } from './cells-other-hns.ts';
import { rows, runRow } from './rows.ts';
import { testRows } from './test-rows.ts';

testRows(import.meta.filename, rowCells.faults, rows, runRow);
