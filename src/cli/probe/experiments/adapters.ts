import { version1Query } from '../../../hcn/documents.ts';
import { isFailure } from '../../../hcn/hresults.ts';
import { isUsableAddress } from '../../../model/readiness.ts';
import { documentOf, isSame, read, settingsIn } from '../documents.ts';
import {
  type Context,
  type Experiment,
  experimentFor,
  NotTried,
  type Row,
  seen,
  seenWhen,
  symbolOf,
} from '../experiment.ts';

/** When an address appears in a new network. */
function addressExperiment(
  id: string,
  on: 'L2Bridge' | 'Overlay',
  claim: string,
  find: (context: Context) => Promise<unknown>,
): Experiment {
  const row: Row = { id, claim, on, expected: ['at once', 'within 20 s'], handled: ['never'] };
  return experimentFor(row, (context) =>
    seenWhen(context, async () => {
      const value = await find(context);
      return typeof value === 'string' && isUsableAddress(value);
    }),
  );
}

/** The adapters of networks, and what HNS adds to a new network. */
export const adapterExperiments: readonly Experiment[] = [
  experimentFor(
    {
      id: 'adapterName',
      claim: 'HNS returns the NetAdapterName of a new network as it was sent',
      on: 'L2Bridge',
      expected: ['as sent'],
      handled: ['vEthernet', 'absent'],
    },
    async ({ network, adapter = '' }) => {
      const [settings] = settingsIn(network.document, 'NetAdapterName');
      const name = settings?.['NetworkAdapterName'];
      if (name === undefined) return seen('absent');
      if (isSame(name, adapter)) return seen('as sent');
      return seen(isSame(name, `vEthernet (${adapter})`) ? 'vEthernet' : 'other');
    },
  ),
  addressExperiment(
    'managementIpL2Bridge',
    'L2Bridge',
    'The V1 document of a new L2Bridge network has a ManagementIP within 20 s',
    async (context) =>
      documentOf(context.network, await context.query(context.network, version1Query))['ManagementIP'],
  ),
  {
    on: 'Overlay',
    rows: [
      {
        id: 'adapterRelease',
        claim: 'HNS releases an adapter as soon as the network on it is deleted',
        on: 'Overlay',
        expected: ['at once'],
        handled: ['after a refusal'],
      },
      {
        id: 'unreleasedAdapter',
        claim:
          'HNS refuses a network on an adapter that it has not released with HCN_E_ADAPTER_NOT_FOUND or ERROR_NOT_FOUND',
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
  addressExperiment(
    'providerAddress',
    'Overlay',
    'A new Overlay network has a usable ProviderAddress within 20 s',
    async (context) => {
      const [settings] = settingsIn(await read(context, context.network), 'ProviderAddress');
      return settings?.['ProviderAddress'];
    },
  ),
  experimentFor(
    {
      id: 'hostRoute',
      claim: 'HNS adds HostRoute to an existing Overlay network',
      on: 'Overlay',
      expected: ['accepted'],
      handled: ['refused', 'ignored'],
    },
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
