/** What src/main.ts loads for a request other than VERSION: a bundle of its own, with its own copies of these modules. */

export { endProcess } from '../hcn/native-library.ts';
export { system } from '../system.ts';
export { run } from './run.ts';
