import { afterEach, beforeEach } from 'vitest';
import type { Koffi } from '../../../src/hcn/koffi.ts';

/** A function of a native library: gets the parameters of a call, and may fill its output parameters. */
export type Native = (...parameters: readonly never[]) => unknown;

export interface FakeKoffi {
  readonly koffi: Koffi;
  /** What was asked of koffi: `load PATH`, `look up TYPE NAME`, and each declaration with its library. */
  readonly asked: readonly string[];
}

/** The address of every buffer. */
export const addressOfBuffers = 0x7ff0_0000n;

/** Runs each test of a file as on Linux: on Windows, native-library.ts first restricts the search for DLLs. */
export function runAsOnLinux(): void {
  const { platform } = process;
  const set = (value: string) => Object.defineProperty(process, 'platform', { value });
  beforeEach(() => void set('linux'));
  afterEach(() => void set(platform));
}

const systemFolder = 'C:\\Windows\\System32';

/** A koffi whose libraries all have the same functions, by name. Types are texts. */
export function fakeKoffi(functions: Readonly<Record<string, Native>>): FakeKoffi {
  const asked: string[] = [];
  const all: Readonly<Record<string, Native>> = {
    GetSystemDirectoryW: (buffer: Uint16Array, size: number) => {
      if (buffer.length !== size) throw new Error('the size of the buffer is wrong');
      buffer.set([...systemFolder].map((letter) => letter.charCodeAt(0)));
      return systemFolder.length;
    },
    ...functions,
  };
  const declare = (library: string, name: string, declaration: string) => {
    asked.push(`${library.replace(/.*[\\/]/, '')}: ${declaration}`);
    const native = all[name];
    if (native === undefined) throw new Error(`Cannot find function '${name}' in shared library`);
    const synchronous = (...parameters: readonly never[]) => native(...parameters);
    const async = (...given: readonly unknown[]) => {
      const callback = given.at(-1) as (error: unknown, result?: unknown) => void;
      try {
        callback(null, native(...(given.slice(0, -1) as never[])));
      } catch (error) {
        callback(error);
      }
    };
    return Object.assign(synchronous, { async });
  };
  const koffi = {
    load: (path: string | null) => {
      const library = path ?? 'this process';
      asked.push(`load ${library}`);
      if (library.endsWith('missing.dll')) throw new Error('The specified module could not be found.');
      return {
        func: (first: string, result?: string, parameters: readonly string[] = []) => {
          if (result !== undefined)
            return declare(library, first, `${result} ${first}(${parameters.join(', ')})`);
          const name = /(\w+)\(/.exec(first)?.[1] ?? '';
          return declare(library, name, first);
        },
        symbol: (name: string, type: string) => {
          asked.push(`look up ${type} ${name}`);
          if (all[name] === undefined) throw new Error(`Cannot find symbol '${name}'`);
        },
      };
    },
    out: (type: string) => `out ${type}`,
    pointer: (type: string) => `${type}*`,
    disposable: (type: string) => `disposable ${type}`,
    address: () => addressOfBuffers,
    /** Memory is a buffer. */
    decode: (memory: Buffer, type: string, length = 1) =>
      type === 'uint32' ? memory.readUInt32LE() : [...memory.subarray(0, length)],
  };
  return { koffi: koffi as unknown as Koffi, asked };
}
