// node test/debugging/report.ts updates the output of the commands in docs/debugging.md.

import { readFileSync, writeFileSync } from 'node:fs';
import { withOutputs } from './page.ts';
import { scenes } from './scenes.ts';

const path = 'docs/debugging.md';
writeFileSync(path, await withOutputs(readFileSync(path, 'utf8'), scenes));
