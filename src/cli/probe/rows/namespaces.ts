import { schemaVersion, version1Query } from '../../../hcn/documents.ts';
import { isFailure } from '../../../hcn/hresults.ts';
import {
  attach,
  created,
  createEndpoint,
  createNamespace,
  documentOf,
  read,
  readIfPresent,
  zeroGuid,
} from '../fixtures.ts';
import { type Row, seen, seenAnswer } from '../row.ts';

/** The members of a namespace's V1 document on record. */
const version1Members = ['CompartmentId', 'IsDefault', 'ResourceList'];

/** Namespaces without containers. */
export const namespaceRows: readonly Row[] = [
  {
    id: 'namespaceType',
    claim: 'A namespace that is created without a type has the type Host',
    evidence: 'S containerd and hns.v2.psm1 send no type',
    handling: 'reads a missing type as Host',
    experiment: {
      on: 'base',
      expected: ['Host', 'omitted'],
      run: async (laboratory) => {
        const answer = await laboratory.create('Namespace', { SchemaVersion: schemaVersion });
        const { Type = 'omitted' } = await read(laboratory, await created(laboratory, answer, 'namespace'));
        return seen(String(Type));
      },
    },
  },
  {
    id: 'namespaceIdBeforeAttach',
    claim: 'The NamespaceId of a namespace without a compartment is 0 or omitted',
    evidence: 'I',
    handling: 'reads a missing NamespaceId as 0',
    experiment: {
      on: 'base',
      expected: ['zero', 'omitted'],
      run: async (laboratory) => {
        const { NamespaceId } = await read(laboratory, await createNamespace(laboratory));
        if (NamespaceId === undefined) return seen('omitted');
        return NamespaceId === 0 ? seen('zero') : seen('assigned', String(NamespaceId));
      },
    },
  },
  {
    id: 'compartmentAfterAttach',
    claim: 'A namespace with an endpoint and without a container has no compartment',
    evidence: 'O Windows-Containers#401, calico#8465',
    handling: "uses compartments only to find the node's namespace, which has compartment 1",
    experiment: {
      on: 'base',
      expected: ['none'],
      run: async (laboratory) => {
        const namespace = await createNamespace(laboratory);
        await attach(laboratory, namespace, await createEndpoint(laboratory, await laboratory.base()));
        const { NamespaceId = 0 } = await read(laboratory, namespace);
        return NamespaceId === 0 ? seen('none') : seen('assigned', String(NamespaceId));
      },
    },
  },
  {
    id: 'namespaceV1Members',
    claim: 'The V1 document of a namespace has CompartmentId, IsDefault and ResourceList',
    evidence: 'O Windows-Containers#485 (HNS 13.3)',
    handling: 'uses IsDefault, in a filter only',
    experiment: {
      on: 'base',
      expected: ['complete'],
      run: async (laboratory) => {
        const namespace = await createNamespace(laboratory);
        const document = documentOf(namespace, await laboratory.query(namespace, version1Query));
        const missing = version1Members.filter((name) => !(name in document));
        return missing.length === 0 ? seen('complete') : seen('incomplete', `without ${missing.join(', ')}`);
      },
    },
  },
  {
    id: 'namespaceWithEndpoint',
    claim: 'HNS deletes a namespace that contains an endpoint, and detaches the endpoint',
    evidence: 'S azure-container-networking#1272 (the runtime deletes it before DEL)',
    handling: 'DEL and GC treat an endpoint in a deleted namespace as one in no namespace',
    experiment: {
      on: 'base',
      expected: ['detached'],
      run: async (laboratory) => {
        const endpoint = await createEndpoint(laboratory, await laboratory.base());
        const namespace = await createNamespace(laboratory);
        await attach(laboratory, namespace, endpoint);
        const { hresult } = await laboratory.delete('Namespace', namespace.id);
        if (isFailure(hresult)) return seenAnswer(hresult);
        const after = await readIfPresent(laboratory, endpoint);
        if (after === undefined) return seen('endpoint lost');
        const { HostComputeNamespace = zeroGuid } = after;
        return seen(HostComputeNamespace === zeroGuid ? 'detached' : 'still attached');
      },
    },
  },
  {
    id: 'namespacesAfterReboot',
    claim: 'The namespaces of pods survive a reboot of the node',
    evidence: 'I',
    handling: 'does not treat an endpoint in an existing namespace as a leftover; only DEL and GC delete it',
    experiment: { impossible: 'needs a reboot' },
  },
];
