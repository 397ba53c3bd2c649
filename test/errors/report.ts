// node test/errors/report.ts prints docs/errors.md.

import { page } from './page.ts';

process.stdout.write(page());
