// node test/uncertain/report.ts prints docs/notes/uncertain-hns.md.

import { page } from './page.ts';

process.stdout.write(page());
