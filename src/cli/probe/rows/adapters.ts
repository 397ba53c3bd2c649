import { isAdapterMissing, isFailure } from '../../../hcn/hresults.ts';
import type { HostAdapter } from '../../../net/host-adapter.ts';
import { createNetwork, done, isSame, networkDocument, read, seenWhen, settingsIn } from '../fixtures.ts';
import type { Laboratory } from '../laboratory.ts';
import { NotTried, type Observation, type Row, seen, symbolOf } from '../row.ts';

/** How long an experiment waits for HNS or Windows. */
const seconds = 20;

/** The answers to creations on the adapter of a network that was just deleted: the first one, and when HNS accepted one. */
async function createAfterDeletion(
  laboratory: Laboratory,
): Promise<{ readonly hresult: number; readonly accepted: Observation }> {
  const network = await createNetwork(laboratory, {}, 'L2Bridge');
  done(await laboratory.delete('Network', network.id), 'deleting a network');
  const document = networkDocument(
    laboratory.newName(),
    'L2Bridge',
    laboratory.newSubnet(),
    laboratory.adapter,
  );
  let first: number | undefined;
  const accepted = await seenWhen(laboratory, seconds, async () => {
    const { hresult } = await laboratory.create('Network', document);
    first ??= hresult;
    return !isFailure(hresult);
  });
  return { hresult: first ?? 0, accepted };
}

/** The adapter of --adapter, and the one of its virtual switch; undefined if not listed. */
async function switchAdapters({ adapter = '', adapters }: Laboratory): Promise<{
  readonly physical: HostAdapter | undefined;
  readonly virtual: HostAdapter | undefined;
}> {
  const listed = await adapters();
  const find = (name: string) => listed.find(({ alias }) => isSame(alias, name));
  return { physical: find(adapter), virtual: find(`vEthernet (${adapter})`) };
}

/** The adapters of networks. */
export const adapterRows: readonly Row[] = [
  {
    id: 'adapterRelease',
    claim: 'HNS releases an adapter as soon as the network on it is deleted',
    evidence: 'O hcsshim#95, S hnslib hcn tests, which sleep after each deletion',
    handling: "after a refusal, waits 3 s for another request's network, then retries the creation once",
    experiment: {
      on: 'L2Bridge',
      isAlone: true,
      expected: ['at once'],
      run: async (laboratory) => {
        const { hresult, accepted } = await createAfterDeletion(laboratory);
        if (isFailure(hresult) && !isAdapterMissing(hresult))
          throw new NotTried(`creating a network: HCN returned ${symbolOf(hresult)}`);
        return accepted.observed === 'late' ? { ...accepted, observed: 'after a refusal' } : accepted;
      },
    },
  },
  {
    id: 'unreleasedAdapter',
    claim:
      'HNS refuses a network on an adapter that it has not released with HCN_E_ADAPTER_NOT_FOUND or ERROR_NOT_FOUND',
    evidence: 'S hnslib hcn tests (0x803B0006), O hcsshim#95 (0x80070490)',
    handling: 'reads both as an absent adapter, and retries as described for `adapterRelease`',
    experiment: {
      on: 'L2Bridge',
      isAlone: true,
      expected: ['HCN_E_ADAPTER_NOT_FOUND', 'ERROR_NOT_FOUND'],
      run: async (laboratory) => {
        const { hresult, accepted } = await createAfterDeletion(laboratory);
        if (!isFailure(hresult)) throw new NotTried('HNS released the adapter at once');
        if (accepted.observed === 'never' && !isAdapterMissing(hresult))
          throw new NotTried(`HNS refuses further networks: ${symbolOf(hresult)}`);
        return seen(symbolOf(hresult));
      },
    },
  },
  {
    id: 'adapterIndex',
    claim: 'An adapter keeps its interface index when HNS binds it to a virtual switch',
    evidence: 'D ns-iptypes-ip_adapter_addresses_lh: an adapter without IP may have index 0',
    handling: 'index 0 never matches "adapter"; the alias and the MAC address do',
    experiment: {
      on: 'L2Bridge',
      isAlone: true,
      expected: ['kept'],
      run: async (laboratory) => {
        const before = await switchAdapters(laboratory);
        await createNetwork(laboratory, {}, 'L2Bridge');
        const { physical } = await switchAdapters(laboratory);
        if (physical === undefined) return seen('not listed');
        const detail = `${before.physical?.index} before, ${physical.index} after`;
        if (physical.index === 0) return seen('index 0', detail);
        return seen(physical.index === before.physical?.index ? 'kept' : 'changed', detail);
      },
    },
  },
  {
    id: 'virtualAdapterMac',
    claim: 'The adapter `vEthernet (X)` has the MAC address of X',
    evidence: 'I',
    handling: 'searches by MAC address and name, then by either one',
    experiment: {
      on: 'L2Bridge',
      isAlone: true,
      expected: ['equal'],
      run: async (laboratory) => {
        await createNetwork(laboratory, {}, 'L2Bridge');
        const isListed = async () => (await switchAdapters(laboratory)).virtual !== undefined;
        await seenWhen(laboratory, seconds, isListed);
        const { physical, virtual } = await switchAdapters(laboratory);
        if (virtual === undefined || physical === undefined) return seen('not listed');
        return seen(isSame(virtual.mac, String(physical.mac)) ? 'equal' : 'different');
      },
    },
  },
  {
    id: 'providerInterface',
    claim: 'The ProviderAddress of a new Overlay network is on an interface as soon as HNS returns it',
    evidence: 'S flannel vxlan_windows.go waits up to 45 s',
    handling: 'waits up to 20 s for the interface',
    experiment: {
      on: 'Overlay',
      isAlone: true,
      expected: ['at once'],
      run: async (laboratory) => {
        const network = await createNetwork(laboratory, {}, 'Overlay');
        let provider: unknown;
        const provided = await seenWhen(laboratory, seconds, async () => {
          provider = settingsIn(await read(laboratory, network), 'ProviderAddress')?.['ProviderAddress'];
          return provider !== undefined;
        });
        if (provided.observed === 'never') throw new NotTried('the network has no ProviderAddress');
        return seenWhen(laboratory, seconds, async () =>
          (await laboratory.adapters()).some(({ addresses }) =>
            addresses.some(({ address }) => address === provider),
          ),
        );
      },
    },
  },
];
