import { rowCells } from './cells-other-hns.ts';
import { cutRow, rows } from './rows.ts';
import { testRows } from './test-rows.ts';

testRows(import.meta.filename, rowCells.kills, rows, cutRow);
