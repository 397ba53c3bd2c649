/**
 * node packaging/read-stack.mjs: copies stdin to stdout, with the positions of a stack in the log, such as `win-hcn-plugin.cjs:1:4711`,
 * replaced by source files. build/ must be of the version that wrote the log.
 */

import { readFileSync } from 'node:fs';
import { sourceFinder } from './source-positions.mjs';

const text = readFileSync(0, 'utf8');
process.stdout.write(
  text.replaceAll(
    /\b(win-hcn[a-z-]*\.cjs):(\d+):(\d+)/g,
    (position, bundle, line, column) =>
      sourceFinder(bundle)(Number(line) - 1, Number(column) - 1) ?? position,
  ),
);
