// node test/reference/report.ts writes the generated reference pages.

import { writeFileSync } from 'node:fs';
import { pages } from './pages.ts';

for (const [path, text] of Object.entries(pages)) writeFileSync(path, await text());
