import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Koffi } from '../../../src/hcn/koffi.ts';
import { type FakeKoffi, fakeKoffi, runAsOnLinux } from './fake-koffi.ts';

const loading = vi.hoisted(() => ({ koffi: (): Koffi => Object.assign({}) }));

vi.mock('../../../src/hcn/koffi.ts', () => ({ loadKoffi: () => loading.koffi() }));

runAsOnLinux();
const platform = (value: string) => Object.defineProperty(process, 'platform', { value });
const ended: unknown[] = [];
let fake: FakeKoffi;

/** The module as a new process has it. */
const newProcess = () => import('../../../src/hcn/native-library.ts');

beforeEach(() => {
  vi.resetModules();
  ended.length = 0;
  fake = fakeKoffi({
    SetDefaultDllDirectories: (flags: number) => ended.push(['SetDefaultDllDirectories', flags]),
    TerminateProcess: (...given: readonly unknown[]) => ended.push(['TerminateProcess', ...given]),
    _exit: (...given: readonly unknown[]) => ended.push(['_exit', ...given]),
  });
  loading.koffi = () => fake.koffi;
});

const queriesSystemFolder = [
  'load kernel32.dll',
  'kernel32.dll: uint32 GetSystemDirectoryW(_Out_ uint16 *buffer, uint32 size)',
];

describe('a library', () => {
  test('is loaded on Windows after the search for its dependencies is limited to System32', async () => {
    platform('win32');
    const { useLibrary } = await newProcess();
    useLibrary('x.dll', undefined, () => undefined);
    useLibrary('y.dll', 'D:\\y.dll', () => undefined);
    const loadLibrarySearchSystem32 = 0x800;
    expect(ended).toEqual([['SetDefaultDllDirectories', loadLibrarySearchSystem32]]);
    expect(fake.asked).toEqual([
      'load kernel32.dll',
      'kernel32.dll: int SetDefaultDllDirectories(uint32 flags)',
      ...queriesSystemFolder,
      'load C:\\Windows\\System32\\x.dll',
      'load D:\\y.dll',
    ]);
  });

  test('that cannot be loaded is an error with its path and the reason', async () => {
    const { useLibrary } = await newProcess();
    expect(() => useLibrary('missing.dll', undefined, () => undefined)).toThrow(
      expect.objectContaining({
        name: 'HcnUnavailable',
        message: 'cannot load C:\\Windows\\System32\\missing.dll: The specified module could not be found.',
        path: 'C:\\Windows\\System32\\missing.dll',
        cause: new Error('The specified module could not be found.'),
      }),
    );
  });

  test('that needs koffi, which cannot be loaded, is an error with only the reason', async () => {
    const { useLibrary } = await newProcess();
    loading.koffi = () => {
      throw new Error('Cannot write x.node (EACCES)');
    };
    expect(() => useLibrary('x.dll', undefined, () => undefined)).toThrow(
      expect.objectContaining({ message: 'Cannot write x.node (EACCES)', path: undefined }),
    );
  });

  test('passes on an error of another library that it needs', async () => {
    const { useLibrary } = await newProcess();
    const { HcnMissing } = await import('../../../src/hcn/errors.ts');
    const missing = new HcnMissing('no HCN', 'x.dll');
    const bind = () => {
      throw missing;
    };
    expect(() => useLibrary('y.dll', undefined, bind)).toThrow(missing);
  });
});

describe('a process ends immediately', () => {
  test('on Windows, through TerminateProcess', async () => {
    platform('win32');
    (await newProcess()).endProcess(7);
    const ownProcess = -1;
    expect(ended).toEqual([['TerminateProcess', ownProcess, 7]]);
    expect(fake.asked).toEqual([
      'load kernel32.dll',
      'kernel32.dll: int TerminateProcess(intptr_t process, uint32 code)',
    ]);
  });

  test('elsewhere, through _exit, with the koffi that is loaded', async () => {
    const { endProcess, useLibrary } = await newProcess();
    useLibrary('x.dll', '/opt/x.so', () => undefined);
    loading.koffi = () => {
      throw new Error('loaded again');
    };
    endProcess(7);
    expect(ended).toEqual([['_exit', 7]]);
    expect(fake.asked).toEqual([
      'load /opt/x.so',
      'load this process',
      'this process: void _exit(int status)',
    ]);
  });

  test('unless koffi cannot be loaded', async () => {
    loading.koffi = () => {
      throw new Error('Cannot write x.node (EACCES)');
    };
    (await newProcess()).endProcess(7);
    expect(ended).toEqual([]);
  });
});

describe('a native call', () => {
  test.each([
    [0, 0],
    [1, 1],
    [-1, 0xffffffff],
    [-2143617023, 0x803b0001],
  ])('that returns %d has the unsigned result %d', async (returned, unsigned) => {
    const { call } = await newProcess();
    const received: unknown[] = [];
    const native = {
      async: (...given: readonly unknown[]) => {
        received.push(...given.slice(0, -1));
        (given.at(-1) as (error: unknown, returned: number) => void)(undefined, returned);
      },
    };
    await expect(call(native, ['a', 2])).resolves.toBe(unsigned);
    expect(received).toEqual(['a', 2]);
  });

  test('that koffi cannot make is its error', async () => {
    const { call } = await newProcess();
    const native = { async: (callback: (error: Error) => void) => callback(new TypeError('Unexpected')) };
    await expect(call(native as never, [])).rejects.toThrow(new TypeError('Unexpected'));
  });
});
