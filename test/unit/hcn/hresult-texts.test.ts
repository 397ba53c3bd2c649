import { beforeEach, expect, test, vi } from 'vitest';

const read = vi.hoisted(() => vi.fn());

vi.mock('../../../src/hcn/hresults/texts.ts', async (load) => {
  const { hresultTexts } = await load<typeof import('../../../src/hcn/hresults/texts.ts')>();
  return {
    hresultTexts: () => {
      read();
      return hresultTexts();
    },
  };
});

beforeEach(() => {
  vi.resetModules();
  vi.clearAllMocks();
});

test('the texts of HRESULTs, a bundle of their own, are read for a message only', async () => {
  const { describeHresult, isNotFound, isUnavailable } = await import('../../../src/hcn/hresults.ts');
  const networkNotFound = 0x803b0001;
  expect([isNotFound(networkNotFound), isUnavailable(networkNotFound)]).toEqual([true, false]);
  expect(read).not.toHaveBeenCalled();
  describeHresult(networkNotFound);
  expect(read).toHaveBeenCalled();
});
