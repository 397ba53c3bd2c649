/** Reads the machine type and the imported libraries of a Portable Executable, independently of resedit. */

import { readLayout } from './executable-layout.ts';

const IMPORTS = 1;
const DESCRIPTOR_SIZE = 20;
const NAME = 12;

/** The machine type, such as 0x8664 for x64 and 0xaa64 for arm64. */
export function machineOf(file: Buffer): number {
  return file.readUInt16LE(file.readUInt32LE(0x3c) + 4);
}

/** The names of the DLLs that Windows loads with the file, in its order. */
export function importsOf(file: Buffer): readonly string[] {
  const { sections, directories } = readLayout(file);
  const placeOf = (address: number): number => {
    const section = sections.findLast(({ virtualAddress }) => virtualAddress <= address);
    if (section === undefined) throw new Error(`no section contains ${address}`);
    return section.pointerToRawData + address - section.virtualAddress;
  };
  const names: string[] = [];
  let at = placeOf(directories[IMPORTS]?.virtualAddress ?? 0);
  for (let name = file.readUInt32LE(at + NAME); name !== 0; name = file.readUInt32LE(at + NAME)) {
    const start = placeOf(name);
    names.push(file.toString('latin1', start, file.indexOf(0, start)));
    at += DESCRIPTOR_SIZE;
  }
  return names;
}
