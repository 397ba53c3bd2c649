/** Where Windows looks for the DLLs that a Portable Executable is linked with. */

const LOAD_CONFIG_DIRECTORY = 10;
const DEPENDENT_LOAD_FLAGS = 78;
const LOAD_LIBRARY_SEARCH_SYSTEM32 = 0x800;

/**
 * What the linker's /DEPENDENTLOADFLAG:0x800 writes: DLLs come from System32, and not from the folder of the exe first.
 * {@link https://learn.microsoft.com/cpp/build/reference/dependentloadflag}
 * @param {import('resedit').NtExecutable} exe
 * @param {Buffer} bytes what `exe` was generated to
 */
export function loadFromSystem32Only(exe, bytes) {
  bytes.writeUInt16LE(LOAD_LIBRARY_SEARCH_SYSTEM32, placeOfFlags(exe));
}

/** @param {import('resedit').NtExecutable} exe */
export function placeOfFlags(exe) {
  const { virtualAddress } = exe.newHeader.optionalHeaderDataDirectory.get(LOAD_CONFIG_DIRECTORY);
  const section = exe
    .getAllSections()
    .map(({ info }) => info)
    .findLast((info) => info.virtualAddress <= virtualAddress);
  if (section === undefined || virtualAddress === 0) throw new Error('node.exe has no load configuration');
  return section.pointerToRawData + virtualAddress - section.virtualAddress + DEPENDENT_LOAD_FLAGS;
}
