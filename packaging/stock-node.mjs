/** Turns the stock Windows node.exe into the executable the program is put into: ours by name, unsigned, deaf to its surroundings. */

import { NtExecutable, NtExecutableResource, Resource } from 'resedit';
import { hideEnvironment } from './environment.mjs';
import { loadFromSystem32Only } from './system32-only.mjs';

const US_ENGLISH = { lang: 0x409, codepage: 1200 };
const ICON = 3;
const ICON_GROUP = 14;

/**
 * Injection breaks node's Authenticode signature, so the certificate table goes; so does node's icon.
 * @param {Uint8Array} node the bytes of node.exe
 * @param {string} version major.minor.patch
 * @returns {Buffer}
 */
export function brandNode(node, version) {
  const exe = NtExecutable.from(node, { ignoreCert: true });
  const resources = NtExecutableResource.from(exe);
  resources.entries = resources.entries.filter(({ type }) => type !== ICON && type !== ICON_GROUP);
  const info = Resource.VersionInfo.fromEntries(resources.entries)[0];
  if (info === undefined) throw new Error('node.exe has no version resource');
  info.removeAllStringValues(US_ENGLISH);
  info.setStringValues(US_ENGLISH, {
    FileDescription: 'win-hcn: a CNI plugin for the Host Compute Network',
    InternalName: 'win-hcn',
    LegalCopyright: 'MIT',
    OriginalFilename: 'win-hcn.exe',
    ProductName: 'win-hcn',
  });
  info.setFileVersion(version);
  info.setProductVersion(version);
  info.outputToResourceEntries(resources.entries);
  resources.outputResource(exe);
  const bytes = Buffer.from(exe.generate());
  loadFromSystem32Only(NtExecutable.from(bytes), bytes);
  hideEnvironment(bytes);
  return bytes;
}
