import { HcnTimeout } from '../../../hcn/errors.ts';
import type { JsonObject } from '../../../json/members.ts';
import { attach, createEndpoint, createNamespace, done, memberRequest, read, zeroGuid } from '../fixtures.ts';
import type { Item, Laboratory } from '../laboratory.ts';
import { NotTried, type Observation, type Row, seen, seenAcceptance, seenAnswer } from '../row.ts';

/** An endpoint and the namespace that it is in. */
interface Attachment {
  readonly endpoint: Item<'Endpoint'>;
  readonly namespace: Item<'Namespace'>;
}

async function createAttachment(laboratory: Laboratory): Promise<Attachment> {
  const endpoint = await createEndpoint(laboratory, await laboratory.base());
  const namespace = await createNamespace(laboratory);
  await attach(laboratory, namespace, endpoint);
  return { endpoint, namespace };
}

async function detach(laboratory: Laboratory, { endpoint, namespace }: Attachment): Promise<void> {
  done(await laboratory.modify(namespace, memberRequest('Remove', endpoint.id)), 'detaching an endpoint');
}

/** Deletes an endpoint. `hangs`: HNS did not respond within the time limit of a call. */
async function deletionOf(laboratory: Laboratory, { id }: Item<'Endpoint'>): Promise<Observation> {
  try {
    return seenAcceptance((await laboratory.delete('Endpoint', id)).hresult);
  } catch (error) {
    if (error instanceof HcnTimeout) return seen('hangs');
    throw error;
  }
}

function membersIn({ Resources }: JsonObject): readonly unknown[] {
  return Array.isArray(Resources) ? Resources : [];
}

/** How an endpoint's document says that it is in no namespace. */
async function detachedForm(laboratory: Laboratory, endpoint: Item<'Endpoint'>): Promise<string> {
  const { HostComputeNamespace } = await read(laboratory, endpoint);
  if (HostComputeNamespace === undefined) return 'omitted';
  return HostComputeNamespace === zeroGuid ? 'zero GUID' : 'other';
}

/** Endpoints in namespaces. */
export const attachmentRows: readonly Row[] = [
  {
    id: 'attachTwice',
    claim: 'HNS refuses to add an endpoint to the namespace that it is in',
    evidence: 'I',
    handling: 'reads 0x803B002B and 0x803B0014 as attached',
    experiment: {
      on: 'base',
      expected: ['refused'],
      run: async (laboratory) => {
        const { endpoint, namespace } = await createAttachment(laboratory);
        const { hresult } = await laboratory.modify(namespace, memberRequest('Add', endpoint.id));
        return seenAcceptance(hresult);
      },
    },
  },
  {
    id: 'attachElsewhere',
    claim: 'HNS refuses to add an endpoint to a second namespace',
    evidence: 'D HCNHResult.md: 0x803B002B',
    handling: 'attaches only endpoints that are in no namespace, and reports the refusal',
    experiment: {
      on: 'base',
      expected: ['refused'],
      run: async (laboratory) => {
        const { endpoint } = await createAttachment(laboratory);
        const second = await createNamespace(laboratory);
        return seenAcceptance((await laboratory.modify(second, memberRequest('Add', endpoint.id))).hresult);
      },
    },
  },
  {
    id: 'attachMissingEndpoint',
    claim: 'Adding an absent endpoint to a namespace returns HCN_E_ENDPOINT_NOT_FOUND',
    evidence: 'I',
    handling: 'after any refusal, ADD fails and rolls back',
    experiment: {
      on: 'base',
      expected: ['HCN_E_ENDPOINT_NOT_FOUND'],
      run: async (laboratory) => {
        const namespace = await createNamespace(laboratory);
        const { hresult } = await laboratory.modify(namespace, memberRequest('Add', laboratory.newId()));
        return seenAnswer(hresult);
      },
    },
  },
  {
    id: 'removeAbsentEndpoint',
    claim: 'Removing an endpoint from a namespace that it is not in returns HCN_E_ENDPOINT_NOT_FOUND',
    evidence: 'S nvx accepts HCN_E_ENDPOINT_NOT_ATTACHED too',
    handling: 'reads HCN_E_ENDPOINT_NOT_FOUND and HCN_E_ENDPOINT_NOT_ATTACHED as detached',
    experiment: {
      on: 'base',
      expected: ['HCN_E_ENDPOINT_NOT_FOUND'],
      run: async (laboratory) => {
        const endpoint = await createEndpoint(laboratory, await laboratory.base());
        const namespace = await createNamespace(laboratory);
        const { hresult } = await laboratory.modify(namespace, memberRequest('Remove', endpoint.id));
        return seenAnswer(hresult);
      },
    },
  },
  {
    id: 'reattachedEndpoint',
    claim: 'A detached endpoint can be attached again',
    evidence: 'O buildkit#5686 (WS2019 refuses it)',
    handling: 'attaches an endpoint once; `endpoint attach` by hand reports the refusal',
    experiment: {
      on: 'base',
      expected: ['accepted'],
      run: async (laboratory) => {
        const attachment = await createAttachment(laboratory);
        await detach(laboratory, attachment);
        const request = memberRequest('Add', attachment.endpoint.id);
        return seenAcceptance((await laboratory.modify(await createNamespace(laboratory), request)).hresult);
      },
    },
  },
  {
    id: 'detachedNamespace',
    claim:
      'HostComputeNamespace of an endpoint in no namespace is the zero GUID, before and after an attachment',
    evidence: 'O antrea#2306',
    handling: 'reads a missing HostComputeNamespace and the zero GUID as "in no namespace"',
    experiment: {
      on: 'base',
      expected: ['zero GUID'],
      run: async (laboratory) => {
        const endpoint = await createEndpoint(laboratory, await laboratory.base());
        const namespace = await createNamespace(laboratory);
        const before = await detachedForm(laboratory, endpoint);
        await attach(laboratory, namespace, endpoint);
        await detach(laboratory, { endpoint, namespace });
        const after = await detachedForm(laboratory, endpoint);
        return before === after ? seen(before) : seen('differs', `${before} before, ${after} afterwards`);
      },
    },
  },
  {
    id: 'attachedEndpointDeletion',
    claim: 'HNS deletes an endpoint that is in a namespace',
    evidence:
      'S calico and WSL (accepted), O Windows-Containers#485 (0x803B0015), moby#40699 and antrea#650 (hangs)',
    handling:
      'detaches it first; without CNI_NETNS, detaches it only after the deletion was refused or late: docs/decisions/attachments.md',
    experiment: {
      on: 'base',
      expected: ['accepted'],
      run: async (laboratory) => deletionOf(laboratory, (await createAttachment(laboratory)).endpoint),
    },
  },
  {
    id: 'namespaceAfterDeletion',
    claim: 'HNS removes a deleted endpoint from its namespace',
    evidence: 'I',
    handling: "finds endpoints by their own documents, not in a namespace's list",
    experiment: {
      on: 'base',
      expected: ['removed'],
      run: async (laboratory) => {
        const { endpoint, namespace } = await createAttachment(laboratory);
        const { observed, detail = observed } = await deletionOf(laboratory, endpoint);
        if (observed !== 'accepted') throw new NotTried(`deleting the attached endpoint: ${detail}`);
        return seen(membersIn(await read(laboratory, namespace)).length === 0 ? 'removed' : 'still listed');
      },
    },
  },
  {
    id: 'detachedEndpointDeletion',
    claim: 'HNS deletes a detached endpoint, and its former namespace does not list it',
    evidence: 'S win-bridge, win-overlay, sdnbridge and azure-vnet detach first',
    handling: 'deletes endpoints in this order',
    experiment: {
      on: 'base',
      expected: ['accepted'],
      run: async (laboratory) => {
        const { endpoint, namespace } = await createAttachment(laboratory);
        await detach(laboratory, { endpoint, namespace });
        const deletion = await deletionOf(laboratory, endpoint);
        const members = membersIn(await read(laboratory, namespace));
        return members.length === 0 ? deletion : seen('still listed', deletion.observed);
      },
    },
  },
];
