import { schemaVersion } from '../../../hcn/documents.ts';
import { isFailure } from '../../../hcn/hresults.ts';
import { isObject } from '../../../json/members.ts';
import {
  attach,
  created,
  createEndpoint,
  createNamespace,
  documentOf,
  networkDocument,
  read,
} from '../fixtures.ts';
import { NotTried, type Row, seen, seenAnswer } from '../row.ts';

/** A query of schema 2 with a minor version and flags. */
function queryText(Minor: number, Flags: number): string {
  return JSON.stringify({ SchemaVersion: { Major: 2, Minor }, Flags });
}

const detailed = 1;

/** Documents and codes that HNS returns for every kind of object. */
export const answerRows: readonly Row[] = [
  {
    id: 'schemaVersion',
    claim: 'HNS returns schema version 2.0, whatever version the query requests',
    evidence: 'O calico#7305; that HNS returns the requested version is I',
    handling: 'ignores the version of returned documents',
    experiment: {
      on: 'base',
      expected: ['fixed'],
      run: async (laboratory) => {
        const network = await laboratory.base();
        const answer = await laboratory.query(network, queryText(1, 0));
        if (isFailure(answer.hresult)) return seenAnswer(answer.hresult);
        const version = documentOf(network, answer)['SchemaVersion'];
        const Minor = isObject(version) ? (version['Minor'] ?? 0) : undefined;
        if (Minor === 0) return seen('fixed');
        return Minor === 1 ? seen('echoed') : seen('other', JSON.stringify(version));
      },
    },
  },
  {
    id: 'detailedQuery',
    claim: 'The query flag Detailed adds nothing to a network',
    evidence: 'I',
    handling: 'never sends it',
    experiment: {
      on: 'base',
      expected: ['nothing'],
      run: async (laboratory) => {
        const network = await laboratory.base();
        const plain = await read(laboratory, network);
        const answer = await laboratory.query(network, queryText(0, detailed));
        if (isFailure(answer.hresult)) return seenAnswer(answer.hresult);
        const added = Object.keys(documentOf(network, answer)).filter((name) => !(name in plain));
        if (added.length === 0) return seen('nothing');
        return seen(added.includes('Resources') ? 'resources' : 'other members', added.join(', '));
      },
    },
  },
  {
    id: 'unknownEnumerationValue',
    claim: 'HNS refuses an unknown value of an enumeration with HCN_E_INVALID_JSON',
    evidence: 'I',
    handling: 'validates enumerations; reports HCN_E_INVALID_JSON and E_INVALIDARG, each with its own fix',
    experiment: {
      on: 'base',
      expected: ['HCN_E_INVALID_JSON'],
      run: async (laboratory) => {
        const document = { Type: 'Unknown', SchemaVersion: schemaVersion };
        return seenAnswer((await laboratory.create('Namespace', document)).hresult);
      },
    },
  },
  {
    id: 'guidCase',
    claim: 'HNS returns IDs in lower case and without braces, even if they were sent in upper case',
    evidence: 'O hcsshim#1270 (V2 lower case, V1 upper case)',
    handling: 'compares case-insensitively and removes braces around IDs',
    experiment: {
      on: 'base',
      expected: ['lower case'],
      run: async (laboratory) => {
        const network = await laboratory.base();
        const HostComputeNetwork = network.id.toUpperCase();
        const endpoint = await createEndpoint(laboratory, network, { HostComputeNetwork });
        await attach(laboratory, await createNamespace(laboratory), endpoint);
        const document = await read(laboratory, endpoint);
        const ids = ['ID', 'HostComputeNetwork', 'HostComputeNamespace'].map((name) => {
          const id = document[name];
          if (typeof id !== 'string') throw new NotTried(`HNS returned an endpoint without ${name}`);
          return id;
        });
        const detail = ids.join(', ');
        if (ids.some((id) => id.startsWith('{'))) return seen('with braces', detail);
        return seen(ids.every((id) => id === id.toLowerCase()) ? 'lower case' : 'upper case', detail);
      },
    },
  },
  {
    id: 'typeCase',
    claim: 'HNS accepts a type in any case and returns the documented spelling',
    evidence: 'I',
    handling: 'sends the documented spelling, and compares case-insensitively',
    experiment: {
      on: 'base',
      expected: ['documented'],
      run: async (laboratory) => {
        const document = networkDocument(laboratory.newName(), 'Private', laboratory.newSubnet());
        const answer = await laboratory.create('Network', { ...document, Type: 'private' });
        if (isFailure(answer.hresult)) return seenAnswer(answer.hresult);
        const { Type } = await read(laboratory, await created(laboratory, answer, 'network'));
        if (Type === 'Private') return seen('documented');
        return Type === 'private' ? seen('as sent') : seen('other', String(Type));
      },
    },
  },
  {
    id: 'errorRecordOfSuccess',
    claim: 'A call that returns S_OK with an error record has failed',
    evidence: 'S hcsshim hcnerrors.go',
    handling: 'treats it as a failure to retry (code 11), as hcsshim does: the operation may have succeeded',
    experiment: { impossible: 'this response of HNS cannot be provoked' },
  },
  {
    id: 'abandonedCall',
    claim: 'A call that exceeded its time limit can take effect later',
    evidence: 'I',
    handling: "derives IDs, so that the runtime's DEL finds the endpoint",
    experiment: { impossible: 'HNS cannot be made to exceed a time limit' },
  },
];
