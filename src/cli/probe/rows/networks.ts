import { schemaVersion } from '../../../hcn/documents.ts';
import { isFailure } from '../../../hcn/hresults.ts';
import {
  checkId,
  createEndpoint,
  createNetwork,
  isSame,
  list,
  networkDocument,
  readIfPresent,
  seenWhen,
} from '../fixtures.ts';
import type { Laboratory } from '../laboratory.ts';
import {
  type Experiment,
  type NetworkType,
  NotTried,
  type Observation,
  type Row,
  seen,
  seenAcceptance,
  seenAnswer,
  symbolOf,
} from '../row.ts';

/** Whether the node has a NAT network, such as containerd's `nat`. */
async function hasNat(laboratory: Laboratory): Promise<boolean> {
  for (const id of await list(laboratory, 'Network')) {
    const { value: network } = await laboratory.open('Network', id);
    if (network === undefined) continue;
    const reading = readIfPresent(laboratory, network);
    const document = await reading.finally(() => laboratory.close(network));
    // HNS omits default values, such as this type.
    if (document !== undefined && isSame(document['Type'] ?? 'NAT', 'NAT')) return true;
  }
  return false;
}

/** What happens if requests create networks at the same time. */
async function createAtOnce(laboratory: Laboratory): Promise<Observation> {
  const documents = Array.from({ length: 4 }, () =>
    networkDocument(laboratory.newName(), 'Private', laboratory.newSubnet()),
  );
  const answers = await Promise.all(documents.map((document) => laboratory.create('Network', document)));
  const refusals = answers.filter(({ hresult }) => isFailure(hresult));
  if (refusals.length === 0) return seen('serialized');
  // HNS could also refuse every network.
  if (refusals.length === answers.length) await createNetwork(laboratory);
  const symbols = refusals.map(({ hresult }) => symbolOf(hresult));
  return seen(
    'some refused',
    `${refusals.length} of ${answers.length} refused: ${[...new Set(symbols)].join(', ')}`,
  );
}

/** The HRESULT of the second of two simultaneous creations of one network. */
function losersAnswer(on: Experiment['on'], type: NetworkType): Experiment {
  return {
    on,
    expected: [
      'HCN_E_NETWORK_ALREADY_EXISTS',
      'HCN_E_LAYER_ALREADY_EXISTS',
      'ERROR_ALREADY_EXISTS',
      'ERROR_DUP_NAME',
      'ERROR_OBJECT_ALREADY_EXISTS',
      'E_FAIL',
    ],
    run: async (laboratory) => {
      if (type !== 'Private') await laboratory.base();
      const id = laboratory.newId<'Network'>();
      const subnet = laboratory.newSubnet();
      const document = { ...networkDocument(laboratory.newName(), type, subnet, laboratory.adapter), ID: id };
      const create = () => laboratory.create('Network', document, id);
      const answers = await Promise.all([create(), create()]);
      const [refused, other] = answers.filter(({ hresult }) => isFailure(hresult));
      if (refused === undefined) {
        for (const { value } of answers) if (value !== undefined) await checkId(laboratory, value);
        return seen('both accepted');
      }
      if (other !== undefined) throw new NotTried(`both were refused: ${symbolOf(refused.hresult)}`);
      return seenAnswer(refused.hresult);
    },
  };
}

const loser = {
  evidence: 'O hcsshim#850, azure-container-networking#3297 (parallel ADDs race)',
  handling: "reads these codes as another request's network, and waits 3 s for it to be listed",
} as const;

const reboot = { impossible: 'needs a reboot' } as const;

/** Creation, listing and deletion of networks. */
export const networkRows: readonly Row[] = [
  {
    id: 'duplicateNetworkName',
    claim: 'HNS refuses a second network with the same name',
    evidence: 'O hcsshim#850',
    handling: 'derives the ID of a network from its name, so that HNS also refuses a second one with the ID',
    experiment: {
      on: 'base',
      expected: ['refused'],
      run: async (laboratory) => {
        const Name = laboratory.newName();
        await createNetwork(laboratory, { Name });
        const document = networkDocument(Name, 'Private', laboratory.newSubnet());
        return seenAcceptance((await laboratory.create('Network', document)).hresult);
      },
    },
  },
  {
    id: 'secondNat',
    claim: 'HNS accepts a second NAT network',
    evidence: 'O docker-netrestore: WS2019 refuses it, later releases isolate NAT networks with VLANs',
    handling: 'a refusal fails ADD; the fix names the limit of Windows Server 2019',
    experiment: {
      on: 'NAT',
      expected: ['accepted'],
      run: async (laboratory) => {
        if (!(await hasNat(laboratory))) await laboratory.base();
        const document = networkDocument(laboratory.newName(), 'NAT', laboratory.newSubnet());
        return seenAcceptance((await laboratory.create('Network', document)).hresult);
      },
    },
  },
  {
    id: 'concurrentNetworks',
    claim: 'HNS serializes simultaneous creations of networks',
    evidence: 'C contrail HNS_error_bestiary: a creation fails while another one runs',
    handling: "after E_FAIL, waits 3 s for another request's network; without one, ADD fails",
    experiment: { on: 'base', expected: ['serialized'], run: createAtOnce },
  },
  {
    id: 'simultaneousNetwork',
    claim:
      'HNS refuses one of two simultaneous creations of the same Private network with "already exists" or E_FAIL',
    ...loser,
    experiment: losersAnswer('base', 'Private'),
  },
  {
    id: 'simultaneousBridge',
    claim:
      'HNS refuses one of two simultaneous creations of the same L2Bridge network with "already exists" or E_FAIL',
    ...loser,
    experiment: losersAnswer('L2Bridge', 'L2Bridge'),
  },
  {
    id: 'networkListing',
    claim: 'The first enumeration after the creation of a network lists it',
    evidence: 'O hcsshim#850, azure-container-networking#3297 (listed late)',
    handling:
      'opens a created network by its ID; after "already exists", waits 3 s for the network to be listed',
    experiment: {
      on: 'base',
      expected: ['at once'],
      run: async (laboratory) => {
        const { id } = await createNetwork(laboratory);
        return seenWhen(laboratory, 10, async () => (await list(laboratory, 'Network')).includes(id));
      },
    },
  },
  {
    id: 'exhaustedMacPool',
    claim:
      'HNS refuses an endpoint with HCN_E_ADDR_INVALID_OR_RESERVED or ERROR_NOT_FOUND if the MAC pool is exhausted',
    evidence: 'I',
    handling: 'ADD fails with the code; after 0x803B002F it first searches for the holder of its IP address',
    experiment: {
      on: 'base',
      expected: ['HCN_E_ADDR_INVALID_OR_RESERVED', 'ERROR_NOT_FOUND'],
      run: async (laboratory) => {
        const only = '00-15-5D-F0-00-01';
        const MacPool = { Ranges: [{ StartMacAddress: only, EndMacAddress: only }] };
        const network = await createNetwork(laboratory, { MacPool });
        await createEndpoint(laboratory, network);
        const document = { HostComputeNetwork: network.id, SchemaVersion: schemaVersion };
        return seenAnswer((await laboratory.createEndpoint(network, document)).hresult);
      },
    },
  },
  {
    id: 'deleteMissingNetwork',
    claim: 'Deleting an absent network returns ERROR_NOT_FOUND or HCN_E_NETWORK_NOT_FOUND',
    evidence: 'C',
    handling: 'reads both as absent, for every kind of object and every call',
    experiment: {
      on: 'base',
      expected: ['ERROR_NOT_FOUND', 'HCN_E_NETWORK_NOT_FOUND'],
      run: async (laboratory) => {
        const { hresult } = await laboratory.delete('Network', laboratory.newId());
        return seen(symbolOf(hresult));
      },
    },
  },
  {
    id: 'networkWithEndpoints',
    claim: 'HNS deletes a network together with its endpoints',
    evidence: 'T hnsv1_test.go (the deletion succeeds); the effect on endpoints is I',
    handling: 'never deletes a network that has endpoints of pods',
    experiment: {
      on: 'base',
      expected: ['endpoints deleted'],
      run: async (laboratory) => {
        const network = await createNetwork(laboratory);
        const endpoint = await createEndpoint(laboratory, network);
        const { hresult } = await laboratory.delete('Network', network.id);
        if (isFailure(hresult)) return seenAcceptance(hresult);
        const left = await list(laboratory, 'Endpoint');
        return seen(left.includes(endpoint.id) ? 'endpoints kept' : 'endpoints deleted');
      },
    },
  },
  {
    id: 'afterReboot',
    claim: 'Networks, endpoints and load balancers survive a reboot',
    evidence:
      'O azure-container-networking#4355 (kept), S hcsshim#922 (lost), O k8s#139519 (late, after a restart)',
    handling: 'creates missing networks with the next ADD; `win-hcn gc` deletes leftovers',
    experiment: reboot,
  },
  {
    id: 'natAfterReboot',
    claim: 'NAT networks survive a reboot',
    evidence: 'O moby#38358 (WS2019 loses them)',
    handling: 'creates missing networks with the next ADD',
    experiment: reboot,
  },
];
