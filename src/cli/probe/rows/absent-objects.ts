import { isFailure } from '../../../hcn/hresults.ts';
import type { Kind } from '../../../hcn/library.ts';
import { done, granted } from '../fixtures.ts';
import type { Item, Laboratory } from '../laboratory.ts';
import { type Row, seen, seenAnswer } from '../row.ts';
import { type ObjectKind, objectKinds } from './object-kinds.ts';

/** Creates an object, opens it a second time, deletes it, and returns the second handle. */
async function deletedObject(laboratory: Laboratory, { kind, create }: ObjectKind): Promise<Item> {
  const object = await create(laboratory);
  const second = granted(await laboratory.open(kind, object.id), `opening the experiment's ${kind}`);
  done(await laboratory.delete(kind, object.id), `deleting the experiment's ${kind}`);
  return second;
}

/** The code for an absent object. */
const openCodes = {
  Network: { code: 'HCN_E_NETWORK_NOT_FOUND', evidence: 'C' },
  Endpoint: { code: 'HCN_E_ENDPOINT_NOT_FOUND', evidence: 'I' },
  Namespace: { code: 'ERROR_NOT_FOUND', evidence: "T hcsshim's hcnerrors_test.go" },
  LoadBalancer: { code: 'ERROR_NOT_FOUND', evidence: 'I' },
} as const satisfies Readonly<Record<Kind, { readonly code: string; readonly evidence: string }>>;

const absentHandling = 'reads 0x803B0001, 0x803B0002 and 0x80070490 as absent, for every kind and call';

function openRow({ kind, name }: ObjectKind): Row {
  const { code, evidence } = openCodes[kind];
  return {
    id: `openMissing${kind}`,
    claim: `Opening ${name} that does not exist returns ${code}`,
    evidence,
    handling:
      kind === 'LoadBalancer'
        ? `${absentHandling}; 0x803B0008 too if it opens a load balancer`
        : absentHandling,
    experiment: {
      on: 'base',
      expected: [code],
      run: async (laboratory) => seenAnswer((await laboratory.open(kind, laboratory.newId())).hresult),
    },
  };
}

/** The deletion of other kinds is a variant of networks and load balancers. */
function deletionRow(kind: 'Endpoint' | 'Namespace', code: string, evidence: string): Row {
  return {
    id: `deleteMissing${kind}`,
    claim: `Deleting ${kind === 'Endpoint' ? 'an endpoint' : 'a namespace'} that does not exist returns ${code}`,
    evidence,
    handling: absentHandling,
    experiment: {
      on: 'base',
      expected: [code],
      run: async (laboratory) => seenAnswer((await laboratory.delete(kind, laboratory.newId())).hresult),
    },
  };
}

const unloaded = 'HCN_E_OBJECT_USED_AFTER_UNLOAD';
const unloadedEvidence = 'D HCNHResult.md has the code; that HNS returns it is I';

function deleteOpenRow(given: ObjectKind): Row {
  const { kind, name } = given;
  return {
    id: `deleteOpen${kind}`,
    claim: `HNS deletes ${name} although another handle to it is open`,
    evidence: 'I',
    handling: 'keeps handles open until the process ends, and deletes objects without closing theirs',
    experiment: {
      on: 'base',
      expected: ['deleted'],
      run: async (laboratory) => {
        const { id } = await given.create(laboratory);
        granted(await laboratory.open(kind, id), `opening the experiment's ${kind}`);
        const { hresult } = await laboratory.delete(kind, id);
        if (isFailure(hresult)) return seenAnswer(hresult);
        const { value } = await laboratory.enumerate(kind);
        return seen(value.includes(id) ? 'kept' : 'deleted');
      },
    },
  };
}

function queryRow(given: ObjectKind): Row {
  return {
    id: `queryDeleted${given.kind}`,
    claim: `Querying ${given.name} after its deletion, through an open handle, returns ${unloaded}`,
    evidence: unloadedEvidence,
    handling: 'opens the object again after that code; reads the codes for absent objects as absent',
    experiment: {
      on: 'base',
      expected: [unloaded],
      run: async (laboratory) => {
        const item = await deletedObject(laboratory, given);
        return seenAnswer((await laboratory.query(item)).hresult);
      },
    },
  };
}

function modifyRow(given: ObjectKind): Row {
  return {
    id: `modifyDeleted${given.kind}`,
    claim: `Modifying ${given.name} after its deletion, through an open handle, returns ${unloaded}`,
    evidence: unloadedEvidence,
    handling: 'reports the code: another process deleted the object while the request ran',
    experiment: {
      on: 'base',
      expected: [unloaded],
      run: async (laboratory) => {
        const item = await deletedObject(laboratory, given);
        return seenAnswer((await laboratory.modify(item, given.request(laboratory))).hresult);
      },
    },
  };
}

/** Objects that do not exist, or no longer. */
export const absentObjectRows: readonly Row[] = [
  ...objectKinds.map(openRow),
  deletionRow(
    'Endpoint',
    'HCN_E_ENDPOINT_NOT_FOUND',
    'O azure-container-networking#715; S VMLord accepts both codes',
  ),
  deletionRow('Namespace', 'ERROR_NOT_FOUND', 'I'),
  ...objectKinds.map(deleteOpenRow),
  ...objectKinds.map(queryRow),
  ...objectKinds.map(modifyRow),
];
