/** A process of its own, because pkg finds its cache through HOME and changes directory: node inject.mjs JOB. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const { default: sea } = createRequire(import.meta.url)('@yao-pkg/pkg/lib-es5/sea.js');
const { bundle, output, nodeVersion, assets } = JSON.parse(readFileSync(process.argv[2], 'utf8'));

// A code cache made on Linux is rejected by the Windows exe, with a warning on stderr: none is made.
// Without execArgvExtension the exe would obey a caller's NODE_OPTIONS.
await sea(bundle, {
  targets: [{ platform: 'win', arch: 'x64', nodeRange: `node${nodeVersion}`, output }],
  seaConfig: { assets, execArgvExtension: 'none' },
});
