import { version1Query } from '../../../hcn/documents.ts';
import { isFailure } from '../../../hcn/hresults.ts';
import { isUsableAddress } from '../../../model/readiness.ts';
import { type Context, seenWhen } from '../context.ts';
import { documentOf, isSame, read, settingsIn } from '../documents.ts';
import { NotTried, type Observation, seen, symbolOf } from '../observation.ts';
import type { Row } from '../row.ts';

/** How long an experiment waits for HNS or Windows. */
const seconds = 20;
const inTime = 'within 20 s';

/** A row about when an address appears in a new network. */
function outputRow(
  id: string,
  on: 'L2Bridge' | 'Overlay',
  claim: string,
  find: (context: Context) => Promise<unknown>,
): Row {
  return {
    id,
    claim,
    on,
    expected: ['at once', inTime],
    handled: ['never'],
    run: async (context) => {
      const appeared = await seenWhen(context, seconds, async () => {
        const value = await find(context);
        return typeof value === 'string' && isUsableAddress(value);
      });
      return appeared.observed === 'late' ? { ...appeared, observed: inTime } : appeared;
    },
  };
}

/** A member of a policy of the network, as long as HNS shows the policy. */
async function settingOf(context: Context, type: string, member: string): Promise<unknown> {
  const [settings] = settingsIn(await read(context, await context.network()), type);
  return settings?.[member];
}

/** How HNS refused a network on the adapter of the network before. Throws NotTried if there was none. */
async function refusalsOfReplacement(context: Context): Promise<readonly number[]> {
  const { refusals, isReplacement } = await context.network();
  if (!isReplacement) throw new NotTried('no network was on the adapter before');
  return refusals;
}

function seenName(name: unknown, sent = ''): Observation {
  if (name === undefined) return seen('absent');
  if (isSame(name, sent)) return seen('as sent');
  return seen(isSame(name, `vEthernet (${sent})`) ? 'vEthernet' : 'other');
}

/** The adapters of networks, and what HNS adds to a new network. */
export const adapterRows: readonly Row[] = [
  {
    id: 'adapterName',
    claim: 'HNS returns the NetAdapterName of a new network as it was sent',
    on: 'L2Bridge',
    expected: ['as sent'],
    handled: ['vEthernet', 'absent'],
    run: async (context) => {
      const [settings] = settingsIn((await context.network()).document, 'NetAdapterName');
      return seenName(settings?.['NetworkAdapterName'], context.adapter);
    },
  },
  outputRow(
    'managementIpL2Bridge',
    'L2Bridge',
    'The V1 document of a new L2Bridge network has a ManagementIP within 20 s',
    async (context) => {
      const network = await context.network();
      return documentOf(network, await context.query(network, version1Query))['ManagementIP'];
    },
  ),
  {
    id: 'adapterRelease',
    claim: 'HNS releases an adapter as soon as the network on it is deleted',
    on: 'Overlay',
    after: 'L2Bridge',
    expected: ['at once'],
    handled: ['after a refusal'],
    run: async (context) => {
      const { length } = await refusalsOfReplacement(context);
      return length === 0 ? seen('at once') : seen('after a refusal', `${length} refusals, 500 ms apart`);
    },
  },
  {
    id: 'unreleasedAdapter',
    claim:
      'HNS refuses a network on an adapter that it has not released with HCN_E_ADAPTER_NOT_FOUND or ERROR_NOT_FOUND',
    on: 'Overlay',
    after: 'L2Bridge',
    expected: ['HCN_E_ADAPTER_NOT_FOUND', 'ERROR_NOT_FOUND'],
    handled: [],
    run: async (context) => {
      const [first] = await refusalsOfReplacement(context);
      if (first === undefined) throw new NotTried('HNS released the adapter at once');
      return seen(symbolOf(first));
    },
  },
  {
    id: 'providerInterface',
    claim: 'The ProviderAddress of a new Overlay network is on an interface as soon as HNS returns it',
    on: 'Overlay',
    expected: ['at once'],
    handled: ['late', 'never'],
    run: async (context) => {
      let provider: unknown;
      const provided = await seenWhen(context, seconds, async () => {
        provider = await settingOf(context, 'ProviderAddress', 'ProviderAddress');
        return provider !== undefined;
      });
      if (provided.observed === 'never') throw new NotTried('the network has no ProviderAddress');
      return seenWhen(context, seconds, async () =>
        (await context.adapters()).some(({ addresses }) =>
          addresses.some(({ address }) => address === provider),
        ),
      );
    },
  },
  outputRow(
    'providerAddress',
    'Overlay',
    'A new Overlay network has a usable ProviderAddress within 20 s',
    (context) => settingOf(context, 'ProviderAddress', 'ProviderAddress'),
  ),
  {
    id: 'hostRoute',
    claim: 'HNS adds HostRoute to an existing Overlay network',
    on: 'Overlay',
    expected: ['accepted'],
    handled: ['refused', 'ignored'],
    run: async (context) => {
      const network = await context.network();
      const Settings = { Policies: [{ Type: 'HostRoute', Settings: {} }] };
      const request = { ResourceType: 'Policy', RequestType: 'Add', Settings };
      const { hresult } = await context.modify(network, request);
      if (isFailure(hresult)) return seen('refused', symbolOf(hresult));
      const isShown = settingsIn(await read(context, network), 'HostRoute').length > 0;
      return seen(isShown ? 'accepted' : 'ignored');
    },
  },
];
