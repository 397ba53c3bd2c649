import { schemaVersion } from '../../hcn/documents.ts';
import { isFailure } from '../../hcn/hresults.ts';
import type { JsonObject } from '../../json/members.ts';
import { hostEndpointName } from '../../model/identity.ts';
import { type Context, type Part, retried } from './context.ts';
import {
  attach,
  createEndpoint,
  createNamespace,
  documentOf,
  endpointDocument,
  idIn,
  isSame,
  memberRequest,
  networkDocument,
  read,
  required,
  requireSuccess,
} from './documents.ts';
import type { Answer, OpenObject } from './hcn-calls.ts';
import { newProbeFrontend, newProbeId, newProbeName } from './names.ts';
import { isExternal, NotTried } from './observation.ts';

/** The first endpoint on a network, with a static address. A new external network may refuse it for some seconds. */
export const firstEndpoint: Part<{
  readonly endpoint: OpenObject<'Endpoint'>;
  readonly address: string;
  /** Of the first query. */
  readonly document: JsonObject;
  readonly refusals: readonly number[];
}> = {
  creates: { Endpoint: 1 },
  make: async (context) => {
    const network = await context.network();
    const address = network.subnet.address(20);
    const IpConfigurations = [{ IpAddress: address, PrefixLength: 24 }];
    const document = endpointDocument(network, { IpConfigurations });
    const { answer, refusals } = await retried(
      context,
      ({ hresult }) => isExternal(network.type) && isFailure(hresult),
      () => context.createEndpoint(network, document),
    );
    const endpoint = required(answer, 'creating an endpoint');
    const first = documentOf(endpoint, await context.query(endpoint));
    return { endpoint: { ...endpoint, id: idIn(first) ?? endpoint.id }, address, document: first, refusals };
  },
};

/** Two creations of one network, at the same time as that of the network which the experiments share. */
export const race: Part<{
  readonly same: readonly [Answer<unknown>, Answer<unknown>];
  /** HRESULTs of the shared network's refusals. */
  readonly refusals: readonly number[];
}> = {
  creates: { Network: 2 },
  make: async (context) => {
    if (context.roomFor('Private') < 3) throw new NotTried('probe has created other Private networks before');
    const id = newProbeId<'Network'>();
    const document = { ...networkDocument(newProbeName(), 'Private', context.newSubnet()), ID: id };
    const [{ refusals }, ...same] = await Promise.all([
      context.network(),
      context.create('Network', document, id),
      context.create('Network', document, id),
    ]);
    return { same, refusals };
  },
};

/** An endpoint that is attached, attached again and detached, with its documents and HNS's answers. */
export const attachment: Part<{
  readonly before: JsonObject;
  readonly attached: JsonObject;
  readonly after: JsonObject;
  readonly addAgain: Answer;
}> = {
  creates: { Endpoint: 1, Namespace: 1 },
  make: async (context) => {
    const endpoint = await createEndpoint(context, await context.network());
    const namespace = await createNamespace(context);
    const [add, remove] = [memberRequest('Add', endpoint.id), memberRequest('Remove', endpoint.id)];
    const before = await read(context, endpoint);
    await attach(context, namespace, endpoint);
    const attached = await read(context, endpoint);
    const addAgain = await context.modify(namespace, add);
    requireSuccess(await context.modify(namespace, remove), 'detaching an endpoint');
    const after = await read(context, endpoint);
    return { before, attached, after, addAgain };
  },
};

/** An endpoint that is deleted while its handle is open: HNS's answers to a query through the handle, and to opening it again. */
export const deletion: Part<{ readonly query: Answer<unknown>; readonly open: Answer<unknown> }> = {
  creates: { Endpoint: 1 },
  make: async (context) => {
    const endpoint = await createEndpoint(context, await context.network());
    requireSuccess(await context.delete('Endpoint', endpoint.id), 'deleting an endpoint');
    const query = await context.query(endpoint);
    const open = await context.open('Endpoint', endpoint.id);
    if (open.value !== undefined) await context.close(open.value);
    return { query, open };
  },
};

/** Settings of policies that win-hcn sends, without default values. Nothing has these addresses. */
export const samplePolicies = {
  ACL: {
    Protocols: '6,17',
    LocalAddresses: '198.19.0.8',
    RemoteAddresses: '198.19.0.0/16,192.0.2.7',
    LocalPorts: '80,8080-8090',
    RemotePorts: '1024-65535',
    Priority: 100,
    Action: 'Block',
    Direction: 'Out',
    RuleType: 'Switch',
  },
  OutBoundNAT: { Exceptions: ['172.17.0.0/16', '172.18.0.0/16'] },
  SDNRoute: { DestinationPrefix: '192.0.2.0/24', NextHop: '198.19.0.9', NeedEncap: true },
  QOS: { MaximumOutgoingBandwidthInBytes: 12_500_000 },
  EncapOverhead: { Overhead: 50 },
} as const satisfies Readonly<Record<string, JsonObject>>;

/** The second policies of the same endpoint. */
export const secondExceptions = ['172.19.0.0/16'];
const second = [
  { Type: 'OutBoundNAT', Settings: { Exceptions: secondExceptions } },
  { Type: 'ACL', Settings: { ...samplePolicies.ACL, Priority: 200 } },
];

/** The document of an endpoint with all sample policies. */
export const policies: Part<JsonObject> = {
  creates: { Endpoint: 1 },
  make: async (context) => {
    const first = Object.entries(samplePolicies).map(([Type, Settings]) => ({ Type, Settings }));
    const Policies = [...first, ...second];
    return read(context, await createEndpoint(context, await context.network(), { Policies }));
  },
};

/** A load balancer of the first endpoint, and the document that was sent. */
export const loadBalancer: Part<{
  readonly object: OpenObject<'LoadBalancer'>;
  readonly sent: JsonObject;
}> = {
  creates: { LoadBalancer: 1 },
  make: async (context) => {
    const { endpoint } = await context.share(firstEndpoint);
    const sent = {
      HostComputeEndpoints: [endpoint.id],
      // Of its own, because HNS may free frontends late.
      FrontendVIPs: [newProbeFrontend()],
      PortMappings: [{ Protocol: 6, InternalPort: 80, ExternalPort: 80 }],
      SchemaVersion: schemaVersion,
    };
    return { object: required(await context.create('LoadBalancer', sent), 'creating a load balancer'), sent };
  },
};

/** https://learn.microsoft.com/virtualization/api/hcn/hns_schema#HostComputeNamespace */
const hostCompartment = 1;

/** Opens the node's namespace. Throws NotTried if HCN lists none. */
async function openHostNamespace(context: Context): Promise<OpenObject<'Namespace'>> {
  for (const id of required(
    await context.enumerate('Namespace', { IsDefault: true }),
    'listing namespaces',
  )) {
    const namespace = required(await context.open('Namespace', id), 'opening a namespace');
    const { Type, NamespaceId } = await read(context, namespace);
    if (isSame(Type, 'HostDefault') && NamespaceId === hostCompartment) return namespace;
    // It could be that of a pod.
    await context.close(namespace);
  }
  throw new NotTried('HCN lists no namespace of the node');
}

/** An endpoint in the node's namespace, with the HRESULTs of refusals to attach it. */
export const hostAttachment: Part<{
  readonly name: string;
  readonly address: string;
  readonly refusals: readonly number[];
  readonly isAttached: boolean;
}> = {
  creates: { Endpoint: 1 },
  make: async (context) => {
    const namespace = await openHostNamespace(context);
    const network = await context.network();
    const address = network.subnet.address(30);
    const name = hostEndpointName(network.name);
    const IpConfigurations = [{ IpAddress: address, PrefixLength: 24 }];
    const endpoint = await createEndpoint(context, network, { Name: name, IpConfigurations });
    const { answer, refusals } = await retried(
      context,
      ({ hresult }) => isFailure(hresult),
      () => context.modify(namespace, memberRequest('Add', endpoint.id)),
    );
    const isAttached = !isFailure(answer.hresult);
    return { name, address, isAttached, refusals: isAttached ? refusals : [...refusals, answer.hresult] };
  },
};
