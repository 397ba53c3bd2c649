/** Generates a SEA blob with pkg: node make-blob.mjs JOB. A separate process, because pkg prints and changes the directory. */

import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename } from 'node:path';

const require = createRequire(import.meta.url);
const pkg = require.resolve('@yao-pkg/pkg/lib-es5/sea.js');
const { main, blob, ...seaConfig } = JSON.parse(readFileSync(process.argv[2], 'utf8'));

// pkg injects with postject, which writes a new .rsrc after .reloc and adds the old one to the executable section before it
// (lief-project/LIEF#276). pkg has no option for another injector, so this replacement only saves the blob for embed-program.mjs.
createRequire(pkg)('postject').inject = async (_copyOfNode, _name, bytes) =>
  writeFileSync(blob, renameMain(bytes, basename(main)));

// Without execArgvExtension the exe would obey a caller's NODE_OPTIONS.
await require(pkg).default(main, {
  useLocalNode: true,
  targets: [
    { platform: 'win', arch: 'x64', nodeRange: `node${process.versions.node}`, output: `${blob}.unused` },
  ],
  seaConfig: { ...seaConfig, execArgvExtension: 'none' },
});

/**
 * Returns the blob with another path of its main script, which pkg requires to be absolute: the blob then is the same in every folder.
 * Node writes the path as its length in 8 bytes and its characters, and uses it only in stacks.
 */
function renameMain(bytes, name) {
  const lengthAndText = (text) => {
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(Buffer.byteLength(text)));
    return Buffer.concat([length, Buffer.from(text)]);
  };
  const old = lengthAndText(main);
  const at = bytes.indexOf(old);
  if (at === -1) throw new Error(`the SEA blob does not contain the path ${main}`);
  return Buffer.concat([bytes.subarray(0, at), lengthAndText(name), bytes.subarray(at + old.length)]);
}
