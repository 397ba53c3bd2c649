import { version1Query } from '../../../hcn/documents.ts';
import { isFailure } from '../../../hcn/hresults.ts';
import { isUsableAddress } from '../../../model/readiness.ts';
import { isSame, read, settingsIn } from '../documents.ts';
import { type Context, type Experiment, experimentFor, NotTried, seen, symbolOf } from '../experiment.ts';

/** When an address appears in a new network. The detail is the time. */
function addressExperiment(
  id: string,
  on: 'L2Bridge' | 'Overlay',
  find: (context: Context) => Promise<unknown>,
): Experiment {
  const row = { id, on, expected: ['at once', 'within 20 s'], handled: ['never'] };
  return experimentFor(row, async (context) => {
    const started = context.now();
    for (let isFirst = true; ; isFirst = false) {
      const value = await find(context);
      const elapsed = Math.round(context.now() - started);
      if (typeof value === 'string' && isUsableAddress(value))
        return seen(isFirst ? 'at once' : 'within 20 s', `${elapsed} ms`);
      if (elapsed >= 20_000) return seen('never');
      await context.pause(250);
    }
  });
}

/** The adapters of networks, and what HNS adds to a new network. */
export const adapterExperiments: readonly Experiment[] = [
  experimentFor(
    { id: 'adapterName', on: 'L2Bridge', expected: ['as sent'], handled: ['vEthernet', 'absent'] },
    async ({ network, adapter = '' }) => {
      const [settings] = settingsIn(network.document, 'NetAdapterName');
      const name = settings?.['NetworkAdapterName'];
      if (name === undefined) return seen('absent');
      if (isSame(name, adapter)) return seen('as sent');
      return seen(isSame(name, `vEthernet (${adapter})`) ? 'vEthernet' : 'other');
    },
  ),
  addressExperiment('managementIpL2Bridge', 'L2Bridge', async (context) => {
    const document = await read(context, context.network, version1Query);
    return document['ManagementIP'];
  }),
  {
    on: 'Overlay',
    rows: [
      { id: 'adapterRelease', on: 'Overlay', expected: ['at once'], handled: ['after a refusal'] },
      {
        id: 'unreleasedAdapter',
        on: 'Overlay',
        expected: ['HCN_E_ADAPTER_NOT_FOUND', 'ERROR_NOT_FOUND'],
        handled: [],
      },
    ],
    run: async ({ network: { refusals, isReplacement } }) => {
      if (!isReplacement) throw new NotTried('no network was on the adapter before');
      const [first] = refusals;
      if (first === undefined)
        return {
          adapterRelease: seen('at once'),
          unreleasedAdapter: { reason: 'HNS released the adapter at once' },
        };
      return {
        adapterRelease: seen('after a refusal', `${refusals.length} refusals, 500 ms apart`),
        unreleasedAdapter: seen(symbolOf(first)),
      };
    },
  },
  addressExperiment('providerAddress', 'Overlay', async (context) => {
    const [settings] = settingsIn(await read(context, context.network), 'ProviderAddress');
    return settings?.['ProviderAddress'];
  }),
  experimentFor(
    { id: 'hostRoute', on: 'Overlay', expected: ['accepted'], handled: ['refused', 'ignored'] },
    async (context) => {
      const { network } = context;
      const Settings = { Policies: [{ Type: 'HostRoute', Settings: {} }] };
      const request = { ResourceType: 'Policy', RequestType: 'Add', Settings };
      const { hresult } = await context.modify(network, request);
      if (isFailure(hresult)) return seen('refused', symbolOf(hresult));
      const isShown = settingsIn(await read(context, network), 'HostRoute').length > 0;
      return seen(isShown ? 'accepted' : 'ignored');
    },
  ),
];
