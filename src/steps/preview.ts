import type { HcnReader } from '../hcn/client.ts';
import type { HostComputeEndpoint, HostComputeNetwork, Policy } from '../hcn/documents.ts';
import { HcnError } from '../hcn/errors.ts';
import type { EndpointId, NetworkId } from '../hcn/guid.ts';
import { hresultOf } from '../hcn/hresults.ts';
import { isDerived } from '../model/identity.ts';
import { isOverlay, providerAddressOf } from '../model/network-document.ts';
import { sharedAddress } from '../model/reclaim.ts';
import type { Assignment } from '../plan/endpoint-addresses.ts';
import { isSameRemoteSubnet } from '../plan/remote-subnets.ts';
import type { Changes } from './changes.ts';
import { type PreviewedHcn, previewedHcn } from './previewed-hcn.ts';
import type { Step, StepName, StepResult } from './step.ts';

/** A command that runs on these ports changes nothing and records the steps it would execute. */
export interface Preview {
  readonly hcn: HcnReader;
  readonly changes: Changes;
  /** The recorded steps, in order. */
  readonly steps: readonly Step[];
}

/** The id of an object whose id HNS will choose. */
export const unknownId = '00000000-0000-4000-8000-000000000000';

/** Previews steps on HCN as it is now. `assignment` is what the IPAM plugin would return; undefined if that is unknown. */
export function previewSteps(reader: HcnReader, assignment?: Assignment): Preview {
  const hcn = previewedHcn(reader);
  const steps: Step[] = [];
  return {
    hcn,
    steps,
    changes: {
      apply: async <Do extends StepName>(step: Step<Do>) => {
        const result = await effects[step.do](step, hcn, assignment ?? { ips: [], routes: [], dns: {} });
        if (result !== false) steps.push(widen(step));
        return result;
      },
      keep: () => undefined,
      keepAll: () => undefined,
      transaction: (work) => work(),
      waitFor: (_milliseconds, _find, preview) => preview(),
      pause: async () => undefined,
    },
  };
}

/** TypeScript does not see that a step of one name is a step. */
function widen<Do extends StepName>(step: Step<Do>): Step;
function widen(step: Step): Step {
  return step;
}

/** What each step would do to HCN, and what it would return. Throws the refusals of HNS that can be foreseen. */
const effects: {
  readonly [Do in StepName]: (
    step: Step<Do>,
    hcn: PreviewedHcn,
    assignment: NonNullable<Assignment>,
  ) => Promise<StepResult<Do>>;
} = {
  'create network': async ({ id, document }, { networks }) => {
    const policies = isOverlay(document) ? unknownProviderAddress(document) : [];
    const Policies = [...(document.Policies ?? []), ...policies];
    networks.set(id, { Type: '', ...document, Policies, ID: id });
  },
  'add network policies': async () => undefined,
  'add remote subnet': ({ id, policy }, hcn) => changePolicies(id, hcn, (policies) => [...policies, policy]),
  'remove remote subnet': ({ id, policy }, hcn) =>
    changePolicies(id, hcn, (policies) => policies.filter((one) => !isSameRemoteSubnet(one, policy))),
  'delete unused network': async ({ id, hostEndpoints }, { networks, endpoints }) => {
    networks.set(id, undefined);
    for (const endpoint of hostEndpoints) endpoints.set(endpoint, undefined);
  },
  'create endpoint': async ({ id, document }, hcn) => {
    await refuseExisting(id, hcn);
    await refuseSharedAddress(document, hcn);
    const actual = (await ignoresRequestedIds(document, hcn)) ? unknownId : id;
    create(actual, document, hcn);
    // HCN finds a created object by the requested id too.
    hcn.endpoints.set(id, await hcn.findEndpoint(actual));
  },
  'create host endpoint': async ({ id, document }, hcn) => {
    await refuseExisting(id, hcn);
    create(id, document, hcn);
  },
  'add endpoint policies': async () => undefined,
  'attach endpoint': attach,
  'attach host endpoint': attach,
  'detach endpoint': async ({ endpoint, namespace }, hcn) => {
    const found = await hcn.findEndpoint(endpoint);
    if (found?.HostComputeNamespace !== namespace) return false;
    const { HostComputeNamespace: _, ...detached } = found;
    hcn.endpoints.set(endpoint, detached);
    return true;
  },
  'delete endpoint': deleteEndpoint,
  'delete leftover endpoint': deleteEndpoint,
  'delete load balancer': async ({ id }, { loadBalancers }) => {
    loadBalancers.set(id, undefined);
    return true;
  },
  'create namespace': async ({ id, document }, { namespaces }) => {
    namespaces.set(id, { ...document, ID: id });
  },
  'delete namespace': async ({ id }, hcn) => {
    const existed = await hcn.openNamespace(id);
    hcn.namespaces.set(id, undefined);
    return existed;
  },
  'assign addresses': async (_step, _hcn, assignment) => assignment,
  'release addresses': async () => undefined,
  'release unused addresses': async () => undefined,
  'enable forwarding': async () => undefined,
  'create route': async () => undefined,
  'delete route': async () => true,
};

async function changePolicies(
  id: NetworkId,
  hcn: PreviewedHcn,
  change: (policies: readonly Policy[]) => readonly Policy[],
): Promise<void> {
  const network = await hcn.findNetworkById(id);
  if (network !== undefined) hcn.networks.set(id, { ...network, Policies: change(network.Policies ?? []) });
}

function create(id: EndpointId, document: HostComputeEndpoint, { endpoints }: PreviewedHcn): void {
  const unassigned = { IpConfigurations: [{ IpAddress: assignedByHns }] };
  endpoints.set(id, { ...unassigned, ...document, ID: id });
}

/** HNS gives an Overlay network the address of its adapter. */
function unknownProviderAddress(network: HostComputeNetwork): readonly Policy[] {
  if (providerAddressOf(network) !== undefined) return [];
  return [{ Type: 'ProviderAddress', Settings: { ProviderAddress: addressOfAdapter } }];
}

/** Stands in previews for the provider address that HNS will choose. */
export const addressOfAdapter = '(address of the adapter)';

/** The address of an endpoint for which HNS will choose one. */
export const assignedByHns = '(assigned by HNS)';

async function attach(
  { endpoint, namespace }: Pick<Step<'attach endpoint'>, 'endpoint' | 'namespace'>,
  hcn: PreviewedHcn,
): Promise<void> {
  const found = await hcn.findEndpoint(endpoint);
  if (found !== undefined) hcn.endpoints.set(endpoint, { ...found, HostComputeNamespace: namespace });
}

async function deleteEndpoint({ id }: { readonly id: EndpointId }, hcn: PreviewedHcn): Promise<boolean> {
  const existed = (await hcn.findEndpoint(id)) !== undefined;
  hcn.endpoints.set(id, undefined);
  return existed;
}

async function refuseExisting(id: EndpointId, hcn: PreviewedHcn): Promise<void> {
  if ((await hcn.findEndpoint(id)) !== undefined)
    throw new HcnError(`creating endpoint ${id}`, hresultOf('ERROR_OBJECT_ALREADY_EXISTS'), undefined);
}

async function refuseSharedAddress(document: HostComputeEndpoint, hcn: PreviewedHcn): Promise<void> {
  if (document.IpConfigurations === undefined) return;
  for (const id of await hcn.findEndpointsOfNetwork(document.HostComputeNetwork)) {
    const other = await hcn.findEndpoint(id);
    const shared = other && sharedAddress(document, other);
    if (shared !== undefined)
      throw new HcnError(
        `creating endpoint ${document.ID}`,
        hresultOf('HCN_E_ADDR_INVALID_OR_RESERVED'),
        undefined,
        { address: shared },
      );
  }
}

/** Whether HNS ignores the ids that callers request: an endpoint of this name has another id, and none on the network a derived one. */
async function ignoresRequestedIds(
  { Name, HostComputeNetwork: network }: HostComputeEndpoint,
  { actual }: PreviewedHcn,
): Promise<boolean> {
  const namesakes = await actual.findEndpointsByName(Name);
  return namesakes.length > 0 && !(await actual.findEndpointsOfNetwork(network)).some(isDerived);
}
