// node test/debugging/report.ts writes docs/debugging.md with what its commands print now.

import { readFileSync, writeFileSync } from 'node:fs';
import { withOutputs } from './page.ts';
import { scenes } from './scenes.ts';

const path = 'docs/debugging.md';
writeFileSync(path, await withOutputs(readFileSync(path, 'utf8'), scenes));
