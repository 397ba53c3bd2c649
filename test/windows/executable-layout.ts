/** Reads the layout of a Portable Executable for x64, independently of resedit, with which packaging/ writes ours. */

const PE_OFFSET = 0x3c;
const OPTIONAL_HEADER = 24;
const DIRECTORIES = OPTIONAL_HEADER + 112;
const SECTION_HEADER_SIZE = 40;

/** A row of the section table. Addresses are relative to the image's base, offsets to the file's start. */
export interface Section {
  readonly name: string;
  readonly virtualSize: number;
  readonly virtualAddress: number;
  readonly sizeOfRawData: number;
  readonly pointerToRawData: number;
  readonly characteristics: number;
}

export interface Layout {
  readonly sections: readonly Section[];
  readonly sizeOfInitializedData: number;
  readonly sizeOfImage: number;
  readonly sizeOfHeaders: number;
  /** By the number of the directory, such as 5 for base relocations. */
  readonly directories: readonly { readonly virtualAddress: number; readonly size: number }[];
}

/**
 * Reads the section table and directories. Throws a RangeError if the file is shorter than its headers.
 * {@link https://learn.microsoft.com/windows/win32/debug/pe-format}
 */
export function readLayout(file: Buffer): Layout {
  const pe = file.readUInt32LE(PE_OFFSET);
  const table = pe + OPTIONAL_HEADER + file.readUInt16LE(pe + 20);
  const optional = (offset: number) => file.readUInt32LE(pe + OPTIONAL_HEADER + offset);
  return {
    sections: Array.from({ length: file.readUInt16LE(pe + 6) }, (_, index) =>
      readSection(file, table + index * SECTION_HEADER_SIZE),
    ),
    sizeOfInitializedData: optional(8),
    sizeOfImage: optional(56),
    sizeOfHeaders: optional(60),
    directories: Array.from({ length: optional(108) }, (_, index) => ({
      virtualAddress: file.readUInt32LE(pe + DIRECTORIES + 8 * index),
      size: file.readUInt32LE(pe + DIRECTORIES + 8 * index + 4),
    })),
  };
}

function readSection(file: Buffer, at: number): Section {
  const field = (offset: number) => file.readUInt32LE(at + offset);
  return {
    name: file.toString('latin1', at, at + 8).replace(/\0+$/, ''),
    virtualSize: field(8),
    virtualAddress: field(12),
    sizeOfRawData: field(16),
    pointerToRawData: field(20),
    characteristics: field(36),
  };
}
