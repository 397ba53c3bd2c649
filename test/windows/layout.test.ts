import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { variables } from '../../packaging/environment.mjs';
import { findHeaders } from '../../packaging/snapshot-hashes.mjs';
import { findWindowsBinaries } from '../../packaging/windows-binaries.mjs';
import { type Layout, readLayout, type Section } from './executable-layout.ts';
import { imageHlpChecksums } from './image-hlp.ts';
import { exe, missing } from './suite.ts';

const SECTION_ALIGNMENT = 0x1000;
const LOAD_CONFIGURATION = 10;
const DEPENDENT_LOAD_FLAGS = 78;

describe.skipIf(missing !== undefined)('the layout of win-hcn.exe', () => {
  let files: Readonly<Record<'stock' | 'ours', string>>;
  let bytes: Readonly<Record<'stock' | 'ours', Buffer>>;
  let stock: Layout;
  let ours: Layout;
  beforeAll(() => {
    files = { stock: findWindowsBinaries().node, ours: 'dist/win-hcn.exe' };
    bytes = { stock: readFileSync(files.stock), ours: readFileSync(files.ours) };
    stock = readLayout(bytes.stock);
    ours = readLayout(bytes.ours);
  });

  test("has stock node.exe's sections with their sizes and flags: only .rsrc is longer, and .reloc follows it", () => {
    const rsrc = named('.rsrc', ours);
    const { virtualSize, sizeOfRawData } = rsrc;
    const reloc = {
      virtualAddress: align(rsrc.virtualAddress + virtualSize),
      pointerToRawData: rsrc.pointerToRawData + sizeOfRawData,
    };
    expect(sizeOfRawData).toBeGreaterThan(named('.rsrc', stock).sizeOfRawData);
    expect(ours.sections).toEqual(
      stock.sections.map((section) => {
        if (section.name === '.rsrc') return { ...section, virtualSize, sizeOfRawData };
        return section.name === '.reloc' ? { ...section, ...reloc } : section;
      }),
    );
  });

  test('has no gap, overlap or trailing data, in the file or in memory', () => {
    expect([...ours.sections.map(({ pointerToRawData }) => pointerToRawData), bytes.ours.length]).toEqual([
      ours.sizeOfHeaders,
      ...ours.sections.map(({ pointerToRawData, sizeOfRawData }) => pointerToRawData + sizeOfRawData),
    ]);
    expect([...ours.sections.map(({ virtualAddress }) => virtualAddress), ours.sizeOfImage]).toEqual([
      align(ours.sizeOfHeaders),
      ...ours.sections.map(({ virtualAddress, virtualSize }) => align(virtualAddress + virtualSize)),
    ]);
  });

  test("has stock node.exe's bytes outside .rsrc, except renamed variables, the load flags, the snapshots' flags and the fuse", () => {
    const found = stock.sections
      .filter(({ name }) => name !== '.rsrc')
      .flatMap((section) => changesIn(section, named(section.name, ours)));
    const renamed = variables.map((name) => `${name} -> _${name.slice(1)}`);
    const loadConfiguration = stock.directories[LOAD_CONFIGURATION]?.virtualAddress ?? 0;
    const flags = loadConfiguration + DEPENDENT_LOAD_FLAGS - named('.rdata', stock).virtualAddress;
    const { pointerToRawData } = named('.rdata', stock);
    const headers = findHeaders(bytes.stock, process.versions.v8);
    const rehashable = headers.map((at) => `.rdata+${at + 4 - pointerToRawData}: 0x01 -> 0x00`);
    expect(rehashable.length).toBeGreaterThan(0);
    expect(new Set(found)).toEqual(
      new Set([
        ...renamed,
        ...rehashable,
        `.rdata+${flags + 1}: 0x00 -> 0x08`,
        'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:0 -> NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:1',
      ]),
    );
  });

  test('has the checksum that ImageHlp computes', async () => {
    const { stored, computed } = await imageHlpChecksums(exe);
    expect(stored).toBe(computed);
  });

  /** Each differing byte of two sections: as the identifiers around it, or as offset and values if it is not text. */
  function changesIn(before: Section, after: Section): readonly string[] {
    const [a, b] = [content(bytes.stock, before), content(bytes.ours, after)];
    expect(b.length).toBe(a.length);
    return differences(a, b).map((at) => {
      const [was, is] = [wordAt(a, at), wordAt(b, at)];
      const byte = (of: Buffer) => `0x${hex(of[at] ?? 0, 2)}`;
      return was === '' ? `${before.name}+${at}: ${byte(a)} -> ${byte(b)}` : `${was} -> ${is}`;
    });
  }
});

function named(name: string, { sections }: Layout): Section {
  const [found, ...others] = sections.filter((section) => section.name === name);
  if (found === undefined || others.length > 0) throw new Error(`not one section ${name}`);
  return found;
}

function content(file: Buffer, { pointerToRawData, sizeOfRawData }: Section): Buffer {
  return file.subarray(pointerToRawData, pointerToRawData + sizeOfRawData);
}

/** Where two buffers of one length differ. Compares whole blocks first, because almost all are equal. */
function differences(a: Buffer, b: Buffer): readonly number[] {
  const block = 4096;
  return Array.from({ length: Math.ceil(a.length / block) }, (_, index) => index * block)
    .filter((start) => !a.subarray(start, start + block).equals(b.subarray(start, start + block)))
    .flatMap((start) => Array.from({ length: block }, (_, index) => start + index))
    .filter((at) => a[at] !== b[at]);
}

/** The identifier at a byte, with a prefix that ends with a colon, if any; empty if the byte is in none. */
function wordAt(buffer: Buffer, at: number): string {
  const before = /[\w:]*$/.exec(buffer.toString('latin1', Math.max(at - 80, 0), at))?.[0] ?? '';
  const after = /^\w*/.exec(buffer.toString('latin1', at, at + 80))?.[0] ?? '';
  return after === '' ? '' : before + after;
}

function align(address: number): number {
  return Math.ceil(address / SECTION_ALIGNMENT) * SECTION_ALIGNMENT;
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}
