import { afterEach, expect, test, vi } from 'vitest';

const created = vi.hoisted(() => vi.fn());

vi.mock('../../../src/hcn/hresults/networks.ts', async (load) => {
  const { networkHresults } = await load<typeof import('../../../src/hcn/hresults/networks.ts')>();
  return {
    networkHresults: () => {
      created();
      return networkHresults();
    },
  };
});

afterEach(() => vi.clearAllMocks());

test('the texts of HRESULTs are created by the first failure, and once', async () => {
  const { isNotFound, isUnavailable } = await import('../../../src/hcn/hresults.ts');
  const ok = 0;
  expect([isNotFound(ok), isUnavailable(ok)]).toEqual([false, false]);
  expect(created).not.toHaveBeenCalled();
  const networkNotFound = 0x803b0001;
  expect([isNotFound(networkNotFound), isUnavailable(networkNotFound)]).toEqual([true, false]);
  expect(created).toHaveBeenCalledOnce();
});
