import { cniParsers } from './cni-parsers.ts';
import { fileParsers } from './file-parsers.ts';
import { hcnParsers } from './hcn-parsers.ts';
import type { Parser } from './parser.ts';
import { windowsParsers } from './windows-parsers.ts';

/** The readers of everything that other programs write. */
export const everyParser: readonly Parser[] = [
  ...hcnParsers,
  ...cniParsers,
  ...fileParsers,
  ...windowsParsers,
];
