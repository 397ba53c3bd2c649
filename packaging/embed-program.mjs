/** Turns stock node.exe into win-hcn.exe: renamed, unsigned, ignoring environment and working directory, with the program inside. */

import { NtExecutable, NtExecutableResource, Resource } from 'resedit';
import { hideEnvironment } from './environment.mjs';
import { keepSnapshotHashes } from './snapshot-hashes.mjs';
import { loadFromSystem32Only } from './system32-only.mjs';

const US_ENGLISH = { lang: 0x409, codepage: 1200 };
const ICON = 3;
const RCDATA = 10;
const ICON_GROUP = 14;
const INITIALIZED_DATA = 0x40;
/** The machine type of executables for Arm. */
const ARM64 = 0xaa64;
/** Node looks for a blob only if the digit after this text is 1. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:';

/**
 * Returns node.exe with our version resource and the SEA blob, without its icon and without its Authenticode signature, which no longer
 * matches. Throws if node.exe lacks a version resource or exactly one fuse, or if V8 is to keep hashes and node.exe has no snapshot of
 * this process's V8.
 * `.rsrc` grows in place and `.reloc` moves up unchanged behind it (docs/decisions/exe.md). Every other section keeps its place,
 * size and flags; only single bytes of it change.
 * @param {Uint8Array} node the bytes of node.exe
 * @param {{ blob: Uint8Array, version: string, keepsHashes?: boolean }} program the SEA blob, the version, and whether
 *   V8 keeps the hashes in its snapshots. Default: true
 * @returns {Buffer}
 */
export function embedProgram(node, { blob, version, keepsHashes = true }) {
  const bytes = Buffer.from(node);
  const stock = NtExecutable.from(bytes, { ignoreCert: true });
  loadFromSystem32Only(stock, bytes);
  hideEnvironment(bytes, stock.newHeader.fileHeader.machine === ARM64 ? 'arm64' : 'x64');
  setFuse(bytes);
  if (keepsHashes) keepSnapshotHashes(bytes, process.versions.v8);

  const exe = NtExecutable.from(bytes, { ignoreCert: true });
  const resources = NtExecutableResource.from(exe);
  const kept = resources.entries.filter(({ type }) => type !== ICON && type !== ICON_GROUP);
  setVersion(kept, version);
  // The blob comes first, as in the resource directory: objdump stops reading at the resource that ends the section.
  resources.entries = [blobResource(blob), ...kept];
  resources.outputResource(exe);
  exe.newHeader.optionalHeader.sizeOfInitializedData = exe
    .getAllSections()
    .filter(({ info }) => info.characteristics & INITIALIZED_DATA)
    .reduce((sum, { info }) => sum + info.sizeOfRawData, 0);
  return Buffer.from(exe.generate());
}

/** @param {Uint8Array} blob */
function blobResource(blob) {
  return { type: RCDATA, id: 'NODE_SEA_BLOB', lang: 0, codepage: 0, bin: new Uint8Array(blob).buffer };
}

/** @param {Buffer} bytes */
function setFuse(bytes) {
  const at = bytes.indexOf(`${FUSE}0`, 0, 'latin1');
  if (at === -1 || bytes.indexOf(FUSE, at + 1, 'latin1') !== -1)
    throw new Error('node.exe has no fuse for a single executable application, or more than one');
  bytes.write('1', at + FUSE.length, 'latin1');
}

/** A version in Windows' form, in which a release candidate is not higher than the release: the last number of "1.2.3-rc.1" is not 1. */
export function fileVersion(/** @type {string} */ version) {
  return version.replace(/-.*/, '');
}

/** @param {import('resedit').Type.ResourceEntry[]} entries */
function setVersion(entries, version) {
  const info = Resource.VersionInfo.fromEntries(entries)[0];
  if (info === undefined) throw new Error('node.exe has no version resource');
  info.removeAllStringValues(US_ENGLISH);
  info.setStringValues(US_ENGLISH, {
    FileDescription: 'win-hcn: a CNI plugin for the Host Compute Network',
    InternalName: 'win-hcn',
    LegalCopyright: 'MIT',
    OriginalFilename: 'win-hcn.exe',
    ProductName: 'win-hcn',
  });
  info.setFileVersion(fileVersion(version));
  info.setProductVersion(fileVersion(version));
  info.outputToResourceEntries(entries);
}
