import { rowCells } from './cells-other-hns.ts';
import { killRow, rows } from './rows.ts';
import { testRows } from './test-rows.ts';

testRows(import.meta.filename, rowCells.kills, rows, killRow);
