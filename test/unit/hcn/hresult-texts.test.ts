import { beforeEach, describe, expect, test, vi } from 'vitest';

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

describe('the creation of an object that HCN refuses', () => {
  const noFreeAddress = {
    cause: "The network's subnet or MAC pool has no free address.",
    remedy:
      'Delete leftovers with win-hcn gc --yes; to include those of other plugins, add --other-plugins. ' +
      'If pods use all addresses, which win-hcn ls endpoints shows, use a larger subnet.',
  };

  test('has its own causes and remedies', async () => {
    const { everyHresult } = await import('../../../src/hcn/hresults.ts');
    const creating = everyHresult().flatMap((known) =>
      Object.entries(known.creating ?? {}).map(([object, meaning]) => [known.symbol, object, meaning]),
    );
    expect(creating).toEqual([
      ['HCN_E_ADDR_INVALID_OR_RESERVED', 'Endpoint without address', noFreeAddress],
      ['ERROR_OBJECT_ALREADY_EXISTS', 'Endpoint without address', noFreeAddress],
      [
        'E_INVALIDARG',
        'Remote subnet',
        {
          cause:
            'HNS does not accept the subnet, the provider address, the MAC address or the VSID of a remote subnet.',
          remedy: 'Compare the remote subnet with what win-hcn network describe prints on the other node.',
        },
      ],
      [
        'ERROR_NOT_FOUND',
        'Network',
        {
          cause:
            'NAT: the configuration has no subnet, and HNS could not choose one. L2Bridge, Overlay and Transparent: the adapter is ' +
            'not available yet, because another network on it was deleted recently.',
          remedy:
            'NAT: set "subnets", such as [{ "subnet": "172.19.208.0/20" }]. Other types: retry when Get-NetAdapter -Physical shows ' +
            'the adapter as Up and win-hcn ls networks shows no other network on it; HNS may take up to 70 s to release it.',
        },
      ],
    ]);
  });
});

test('the message begins with the state of a service that is not running', async () => {
  const { everyHresult } = await import('../../../src/hcn/hresults.ts');
  const services = everyHresult().flatMap(({ symbol, service }) =>
    service === undefined ? [] : [`${symbol}: ${service}`],
  );
  expect(services).toEqual([
    'HCN_E_MANAGER_STOPPED: HNS is not running',
    'ERROR_SERVICE_DISABLED: HNS is not running',
    'ERROR_SERVICE_NOT_ACTIVE: HNS is not running',
    'RPC_S_SERVER_UNAVAILABLE: HNS is not running',
    'RPC_S_CALL_FAILED: HNS stopped during the call',
    'RPC_S_CALL_FAILED_DNE: HNS is not running',
    'EPT_S_NOT_REGISTERED: HNS is not running',
  ]);
});
