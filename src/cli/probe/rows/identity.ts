import type { Guid } from '../../../hcn/guid.ts';
import { isFailure } from '../../../hcn/hresults.ts';
import { endpointDocument, granted, networkDocument, read } from '../fixtures.ts';
import type { Item, Laboratory } from '../laboratory.ts';
import { type Ground, type NetworkType, type Observation, type Row, seen, seenAnswer } from '../row.ts';

const callerIdsEvidence = 'I: hcsshim and hns.v2.psm1 never request one; WSL does, on client Windows';
const callerIdsHandling =
  'sends an id, uses the returned one, and finds objects by id or by name: docs/decisions/attachments.md';

/** Whether a created object has the id that was requested, which another process then opens. */
async function seenId(laboratory: Laboratory, item: Item): Promise<Observation> {
  const { kind, handle } = item;
  const { id } = handle;
  const { ID } = await read(laboratory, item);
  const actual: Guid = String(ID).toLowerCase();
  if (actual !== id) return seen('ignored', `requested ${id}, got ${actual}`);
  const hresult = await laboratory.openElsewhere(kind, id);
  return isFailure(hresult) ? seenAnswer(hresult) : seen('honoured');
}

/** The row of a network type whose networks need an option. */
function networkIds(type: NetworkType & Ground): Row {
  return {
    id: `callerIds${type}`,
    claim: `A new ${type} network has the requested ID, and another process can open it`,
    evidence: callerIdsEvidence,
    handling: callerIdsHandling,
    experiment: {
      on: type,
      expected: ['honoured'],
      run: async (laboratory) => seenId(laboratory, await laboratory.base()),
    },
  };
}

/** IDs of new objects. */
export const identityRows: readonly Row[] = [
  {
    id: 'callerIds',
    claim: 'A new network and a new endpoint have the requested ID, and another process can open them',
    evidence: callerIdsEvidence,
    handling: callerIdsHandling,
    experiment: {
      on: 'base',
      expected: ['honoured'],
      run: async (laboratory) => {
        const subnet = laboratory.newSubnet();
        const document = networkDocument(laboratory.newName(), 'Private', subnet);
        const network = granted(await laboratory.create('Network', document), 'creating a network');
        const ofNetwork = await seenId(laboratory, network);
        if (ofNetwork.observed !== 'honoured') return ofNetwork;
        const settings = endpointDocument(laboratory, network);
        const endpoint = await laboratory.createEndpoint(network, settings);
        return seenId(laboratory, granted(endpoint, 'creating an endpoint'));
      },
    },
  },
  networkIds('NAT'),
  networkIds('L2Bridge'),
  networkIds('L2Tunnel'),
  networkIds('Overlay'),
  networkIds('Transparent'),
];
