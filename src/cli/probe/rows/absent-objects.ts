import { isFailure, isNotImplemented } from '../../../hcn/hresults.ts';
import type { Kind } from '../../../hcn/library.ts';
import { kindName } from '../../../hcn/open-objects.ts';
import { createNetwork, done, endpointDocument, granted, list } from '../fixtures.ts';
import type { Answer, Item, Laboratory } from '../laboratory.ts';
import { NotTried, type Observation, type Row, seen, seenAnswer } from '../row.ts';
import { type ObjectKind, objectKinds } from './object-kinds.ts';

/** Creates an object, opens it a second time, and closes that handle when `use` has ended. */
async function withSecondHandle(
  laboratory: Laboratory,
  { kind, create }: ObjectKind,
  use: (item: Item) => Promise<Observation>,
): Promise<Observation> {
  const { id } = await create(laboratory);
  const item = granted(await laboratory.open(kind, id), `opening the experiment's ${kindName(kind)}`);
  try {
    return await use(item);
  } finally {
    await laboratory.close(item);
  }
}

/** What a call returns through a handle whose object was deleted. */
function afterDeletion(
  laboratory: Laboratory,
  objectKind: ObjectKind,
  call: (item: Item) => Promise<Answer<unknown>>,
): Promise<Observation> {
  return withSecondHandle(laboratory, objectKind, async (item) => {
    const { kind, id } = item;
    done(await laboratory.delete(kind, id), `deleting the experiment's ${kindName(kind)}`);
    const { hresult } = await call(item);
    if (isNotImplemented(hresult)) throw new NotTried('HNS does not implement the call');
    return seenAnswer(hresult);
  });
}

/** A row about a call with the id of no object. Load balancers, and the deletion of networks, are in the rows of their subjects. */
function missingRow(verb: 'open' | 'delete', kind: Kind, code: string, evidence: string): Row {
  const action = verb === 'open' ? 'Opening' : 'Deleting';
  return {
    id: `${verb}Missing${kind}`,
    claim: `${action} an absent ${kindName(kind)} returns ${code}`,
    evidence,
    handling:
      'reads 0x803B0001, 0x803B0002 and 0x80070490 as absent, for every kind of object and every call',
    experiment: {
      on: 'base',
      expected: [code],
      run: async (laboratory) => seenAnswer((await laboratory[verb](kind, laboratory.newId())).hresult),
    },
  };
}

const unloaded = 'HCN_E_OBJECT_USED_AFTER_UNLOAD';
const unloadedEvidence = 'D HCNHResult.md has the code; that HNS returns it is I';

function deleteOpenRow(given: ObjectKind): Row {
  const { kind } = given;
  return {
    id: `deleteOpen${kind}`,
    claim: `HNS deletes ${kind === 'Endpoint' ? 'an' : 'a'} ${kindName(kind)} while a handle to it is open`,
    evidence: 'I',
    handling: 'keeps handles open until the process ends, and deletes objects without closing theirs',
    experiment: {
      on: 'base',
      expected: ['deleted'],
      run: (laboratory) =>
        withSecondHandle(laboratory, given, async ({ id }) => {
          const { hresult } = await laboratory.delete(kind, id);
          if (isFailure(hresult)) return seenAnswer(hresult);
          return seen((await list(laboratory, kind)).includes(id) ? 'kept' : 'deleted');
        }),
    },
  };
}

function queryRow(given: ObjectKind): Row {
  return {
    id: `queryDeleted${given.kind}`,
    claim: `Querying a deleted ${kindName(given.kind)} through an open handle returns ${unloaded}`,
    evidence: unloadedEvidence,
    handling: 'opens the object again after that code; reads the codes for absent objects as absent',
    experiment: {
      on: 'base',
      expected: [unloaded],
      run: (laboratory) => afterDeletion(laboratory, given, (item) => laboratory.query(item)),
    },
  };
}

function modifyRow(given: ObjectKind): Row {
  return {
    id: `modifyDeleted${given.kind}`,
    claim: `Modifying a deleted ${kindName(given.kind)} through an open handle returns ${unloaded}`,
    evidence: unloadedEvidence,
    handling: 'opens the object again after that code, and fails with code 11 if it is gone',
    experiment: {
      on: 'base',
      expected: [unloaded],
      run: (laboratory) =>
        afterDeletion(laboratory, given, (item) => laboratory.modify(item, given.request(laboratory))),
    },
  };
}

/** Objects that do not exist, or no longer. */
export const absentObjectRows: readonly Row[] = [
  missingRow('open', 'Network', 'HCN_E_NETWORK_NOT_FOUND', 'C'),
  missingRow('open', 'Endpoint', 'HCN_E_ENDPOINT_NOT_FOUND', 'I'),
  missingRow('open', 'Namespace', 'ERROR_NOT_FOUND', "T hcsshim's hcnerrors_test.go"),
  missingRow(
    'delete',
    'Endpoint',
    'HCN_E_ENDPOINT_NOT_FOUND',
    'O azure-container-networking#715; S VMLord accepts both codes',
  ),
  missingRow('delete', 'Namespace', 'ERROR_NOT_FOUND', 'I'),
  ...objectKinds.map(deleteOpenRow),
  ...objectKinds.map(queryRow),
  ...objectKinds.map(modifyRow),
  {
    id: 'endpointOfDeletedNetwork',
    claim: `Creating an endpoint through an open handle of a deleted network returns ${unloaded}`,
    evidence: unloadedEvidence,
    handling: 'opens the network again after that code, and fails with code 11 if it is gone',
    experiment: {
      on: 'base',
      expected: [unloaded],
      run: async (laboratory) => {
        const network = await createNetwork(laboratory);
        done(await laboratory.delete('Network', network.id), "deleting the experiment's network");
        const document = endpointDocument(laboratory, network);
        return seenAnswer((await laboratory.createEndpoint(network, document)).hresult);
      },
    },
  },
];
