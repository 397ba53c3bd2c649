import { schemaVersion } from '../../../hcn/documents.ts';
import { isFailure } from '../../../hcn/hresults.ts';
import { remoteEndpointFlag, remoteMacPrefix } from '../../../model/ownership.ts';
import { macFromAddress } from '../../../net/mac.ts';
import { created, createEndpoint, documentOf, endpointDocument, idIn, read, required } from '../documents.ts';
import {
  type Context,
  type Experiment,
  experimentFor,
  isExternal,
  type Row,
  retried,
  seen,
  seenAnswer,
  seenRefusals,
} from '../experiment.ts';
import { newProbeFrontend, newProbeName } from '../names.ts';

/** Creates the first endpoint on a network, with a static address. A new external network may refuse it for some seconds. */
async function createFirst(context: Context) {
  const { network } = context;
  const address = network.subnet.address(20);
  const IpConfigurations = [{ IpAddress: address, PrefixLength: 24 }];
  const document = endpointDocument(network, { IpConfigurations });
  const { answer, refusals } = await retried(
    context,
    (hresult) => isExternal(network.type) && isFailure(hresult),
    () => context.createEndpoint(network, document),
  );
  const endpoint = required(answer, 'creating an endpoint');
  const first = documentOf(endpoint, await context.query(endpoint));
  return { endpoint: { ...endpoint, id: idIn(first) ?? endpoint.id }, address, document: first, refusals };
}

/** Whether a network and its first endpoint have the requested IDs, and another process can open the endpoint. */
async function seenIds(context: Context, { endpoint }: Awaited<ReturnType<typeof createFirst>>) {
  const { network } = context;
  if (network.id !== network.requested || endpoint.id !== endpoint.handle.id) return seen('ignored');
  const { hresult, value } = await context.open('Endpoint', endpoint.id);
  if (value !== undefined) await context.close(value);
  return isFailure(hresult) ? seenAnswer({ hresult }) : seen('honored');
}

function idRow(id: string, on: Row['on'], claim: string): Row {
  return { id, claim, on, expected: ['honored'], handled: ['ignored'] };
}

/** Endpoints, their IDs and addresses. */
export const endpointExperiments: readonly Experiment[] = [
  {
    on: 'base',
    rows: [
      idRow('callerIds', 'base', 'A new network and a new endpoint have the requested IDs'),
      {
        id: 'firstEndpoint',
        claim: 'A new external network accepts its first endpoint at once',
        on: 'L2Bridge',
        expected: ['accepted'],
        handled: ['after refusals'],
      },
      {
        id: 'newAddress',
        claim: 'The first query of a new endpoint shows its addresses',
        on: 'base',
        expected: ['at once'],
        handled: ['later'],
      },
      {
        id: 'addressConflict',
        claim: 'HNS refuses the address of another endpoint with HCN_E_ADDR_INVALID_OR_RESERVED',
        on: 'base',
        expected: ['HCN_E_ADDR_INVALID_OR_RESERVED'],
        handled: ['ERROR_OBJECT_ALREADY_EXISTS'],
      },
    ],
    run: async (context) => {
      const first = await createFirst(context);
      const { address, document, refusals } = first;
      const callerIds = await seenIds(context, first);
      const IpConfigurations = [{ IpAddress: address, PrefixLength: 24 }];
      const second = endpointDocument(context.network, { IpConfigurations });
      return {
        callerIds,
        firstEndpoint: seenRefusals(refusals, 'accepted'),
        newAddress: seen(
          JSON.stringify(document['IpConfigurations'] ?? []).includes(address) ? 'at once' : 'later',
        ),
        addressConflict: seenAnswer(await context.createEndpoint(context.network, second)),
      };
    },
  },
  ...(['NAT', 'Overlay'] as const).map((type) =>
    experimentFor(
      idRow(`callerIds${type}`, type, `A new ${type} network and its new endpoint have the requested IDs`),
      async (context) => seenIds(context, await createFirst(context)),
    ),
  ),
  experimentFor(
    {
      id: 'remoteName',
      claim: 'A remote endpoint keeps the `Name` of its document',
      on: 'base',
      expected: ['kept'],
      handled: [],
    },
    async (context) => {
      const { network } = context;
      const sent = newProbeName();
      const address = network.subnet.address(21);
      const document = endpointDocument(network, {
        Name: sent,
        IpConfigurations: [{ IpAddress: address }],
        MacAddress: macFromAddress(remoteMacPrefix, address),
        Flags: remoteEndpointFlag,
      });
      const endpoint = await created(context, await context.createEndpoint(network, document));
      const { Name } = await read(context, endpoint);
      return seen(Name === sent ? 'kept' : 'replaced');
    },
  ),
];

/** Load balancers. Private networks have none. */
export const loadBalancerExperiments: readonly Experiment[] = [
  experimentFor(
    {
      id: 'loadBalancerConflict',
      claim: 'HNS refuses a second load balancer with the same frontend with ERROR_ALREADY_EXISTS',
      on: 'L2Bridge',
      expected: ['ERROR_ALREADY_EXISTS'],
      handled: ['HCN_E_PORT_ALREADY_EXISTS'],
    },
    async (context) => {
      const endpoint = await createEndpoint(context, context.network);
      const document = {
        HostComputeEndpoints: [endpoint.id],
        // Of its own, because HNS may free frontends late.
        FrontendVIPs: [newProbeFrontend()],
        PortMappings: [{ Protocol: 6, InternalPort: 80, ExternalPort: 80 }],
        SchemaVersion: schemaVersion,
      };
      required(await context.create('LoadBalancer', document), 'creating a load balancer');
      return seenAnswer(await context.create('LoadBalancer', document));
    },
  ),
];
