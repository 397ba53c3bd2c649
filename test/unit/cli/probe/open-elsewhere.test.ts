import { describe, expect, test } from 'vitest';
import { openElsewhere, openForParent } from '../../../../src/cli/probe/open-elsewhere.ts';
import type { Session } from '../../../../src/cli/session.ts';

const id = '77696e68-636e-4070-a072-6f6265000001';

describe('an object in another process', () => {
  const open = (result: object, given: unknown[] = []) => {
    const runSelf = async (...words: readonly unknown[]) => {
      given.push(...words);
      return result;
    };
    return openElsewhere('Endpoint', id, { terminal: { runSelf } } as unknown as Session);
  };

  test.each([
    ['0x0\n', 0],
    [' 0x803b0002\r\n', 0x803b0002],
  ])('returns what it prints: %j', async (stdout, hresult) => {
    const given: unknown[] = [];
    expect(await open({ stdout }, given)).toBe(hresult);
    expect(given).toEqual([['probe', '--open', `Endpoint/${id}`], 30]);
  });

  test.each([
    [{ stdout: ' \n' }, 'the other process printed unexpected output: '],
    [{ stdout: ' Usage \n' }, 'the other process printed unexpected output: Usage'],
    [{ problem: 'it took too long' }, 'it took too long'],
  ])('is not tried: %j', async (result, message) => {
    await expect(open(result)).rejects.toMatchObject({ name: 'NotTried', message });
  });
});

describe('probe --open', () => {
  const open = async (text: string, hresult: number) => {
    const log: string[] = [];
    const library = {
      open: async (kind: string, opened: string) => {
        log.push(`opens ${kind} ${opened}`);
        return { hresult };
      },
    };
    const print = (line: string) => void log.push(line);
    await openForParent(text, { system: { loadLibrary: async () => library }, print } as unknown as Session);
    return log;
  };

  test.each(['Network', 'Endpoint', 'Namespace', 'LoadBalancer'])(
    'prints the HRESULT of a %s',
    async (kind) => {
      expect(await open(`${kind}/${id}`, 0x803b0002)).toEqual([`opens ${kind} ${id}`, '0x803b0002']);
    },
  );

  test('prints success, and passes on an ID that is missing', async () => {
    expect(await open('Network', 0)).toEqual(['opens Network ', '0x00000000']);
  });

  test('refuses other objects', async () => {
    await expect(open(`Process/${id}`, 0)).rejects.toThrow(`cannot open Process/${id}`);
  });
});
