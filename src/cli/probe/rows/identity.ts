import { isFailure } from '../../../hcn/hresults.ts';
import {
  actualId,
  createEndpoint,
  endpointDocument,
  granted,
  loadBalancerDocument,
  namespaceDocument,
  networkDocument,
} from '../fixtures.ts';
import type { Item, Laboratory } from '../laboratory.ts';
import {
  type Experiment,
  type NetworkType,
  NotTried,
  type Observation,
  type Row,
  seen,
  seenAcceptance,
  seenAnswer,
} from '../row.ts';

const handling =
  'sends an ID, uses the returned one, and finds objects by ID or by name: docs/decisions/attachments.md';

/** A row about the IDs of new objects. */
function idRow(
  id: string,
  object: string,
  on: Experiment['on'],
  run: (laboratory: Laboratory) => Promise<Observation>,
  evidence = 'I: hcsshim and hns.v2.psm1 never request one; WSL does, on client Windows',
): Row {
  const claim = `${object} has the requested ID, and another process can open it`;
  return { id, claim, evidence, handling, experiment: { on, expected: ['honored'], run } };
}

/** Whether a created object has the id that was requested, which another process then opens. */
async function seenId(laboratory: Laboratory, item: Item): Promise<Observation> {
  const { kind, handle } = item;
  const { id } = handle;
  const actual = await actualId(laboratory, item);
  if (actual !== id) return seen('ignored', `requested ${id}, got ${actual}`);
  const hresult = await laboratory.openElsewhere(kind, id);
  return isFailure(hresult) ? seenAnswer(hresult) : seen('honored');
}

/** A network of the requested id, or of the one that HNS chose. */
async function createdNetwork(
  laboratory: Laboratory,
  type: 'Private' | 'Internal',
): Promise<Item<'Network'>> {
  const document = networkDocument(laboratory.newName(), type, laboratory.newSubnet());
  return granted(await laboratory.create('Network', document), 'creating a network');
}

async function seenEndpointId(laboratory: Laboratory, network: Item<'Network'>): Promise<Observation> {
  const answer = await laboratory.createEndpoint(network, endpointDocument(laboratory, network));
  return seenId(laboratory, granted(answer, 'creating an endpoint'));
}

/** The rows of a type whose networks need an option. */
function rowsOf(type: Exclude<NetworkType, 'Private' | 'Internal'>): readonly Row[] {
  return [
    idRow(`callerIds${type}`, `A new ${type} network`, type, async (laboratory) =>
      seenId(laboratory, await laboratory.base()),
    ),
    idRow(
      `callerIds${type}Endpoint`,
      `A new endpoint of an existing ${type} network`,
      type,
      async (laboratory) => seenEndpointId(laboratory, await laboratory.base()),
    ),
  ];
}

/** IDs of new objects. */
export const identityRows: readonly Row[] = [
  {
    ...idRow('callerIds', '', 'base', async (laboratory) => {
      const network = await createdNetwork(laboratory, 'Private');
      const ofNetwork = await seenId(laboratory, network);
      return ofNetwork.observed === 'honored' ? seenEndpointId(laboratory, network) : ofNetwork;
    }),
    claim: 'A new network and a new endpoint have the requested ID, and another process can open them',
  },
  idRow('callerIdsInternal', 'A new Internal network', 'NAT', async (laboratory) =>
    seenId(laboratory, await createdNetwork(laboratory, 'Internal')),
  ),
  ...rowsOf('NAT'),
  ...rowsOf('L2Bridge'),
  ...rowsOf('L2Tunnel'),
  ...rowsOf('Overlay'),
  ...rowsOf('Transparent'),
  idRow('callerIdsLoadBalancer', 'A new load balancer', 'base', async (laboratory) => {
    const network = await laboratory.base();
    const endpoint = await createEndpoint(laboratory, network);
    const document = loadBalancerDocument(laboratory, [endpoint]);
    const answer = await laboratory.create('LoadBalancer', document);
    return seenId(laboratory, granted(answer, 'creating a load balancer'));
  }),
  idRow(
    'callerIdsNamespace',
    'A new namespace',
    'base',
    async (laboratory) => {
      const answer = await laboratory.create('Namespace', namespaceDocument);
      return seenId(laboratory, granted(answer, 'creating a namespace'));
    },
    'I: hcsshim lets HNS choose the ID',
  ),
  {
    id: 'idConflict',
    claim: "If the ID in a network's document differs from the ID in the call, HNS uses the ID in the call",
    evidence: 'I',
    handling: 'sends the same ID as argument and in the document, and uses the returned one',
    experiment: {
      on: 'base',
      expected: ['argument'],
      run: async (laboratory) => {
        const [argument, ID] = [laboratory.newId<'Network'>(), laboratory.newId<'Network'>()];
        const document = networkDocument(laboratory.newName(), 'Private', laboratory.newSubnet());
        const { hresult, value } = await laboratory.create('Network', { ...document, ID }, argument);
        if (value === undefined) return seenAcceptance(hresult);
        const actual = await actualId(laboratory, value);
        if (actual === argument) return seen('argument');
        if (actual === ID) return seen('document');
        throw new NotTried('HNS chose a third ID');
      },
    },
  },
];
