/**
 * The entry of win-hcn-plugin.cjs, which src/main.ts loads for a request other than VERSION. The bundle has its own copies of modules that
 * the first bundle has too, so no error class passes between them.
 */

export { endProcess } from '../hcn/native-library.ts';
export { system } from '../system.ts';
export { run } from './run.ts';
