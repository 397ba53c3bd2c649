import { isFailure } from '../../../hcn/hresults.ts';
import type { JsonObject } from '../../../json/members.ts';
import { checkId, createNamespace, createNetwork, endpointDocument, read } from '../fixtures.ts';
import type { Item, Laboratory } from '../laboratory.ts';
import { type Observation, type Row, seen, seenAcceptance, seenAnswer, symbolOf } from '../row.ts';

/** Creates an endpoint whose document has other members too, and observes the created endpoint; a refusal is observed by its code. */
async function observeCreated(
  laboratory: Laboratory,
  network: Item<'Network'>,
  members: JsonObject,
  observe: (document: JsonObject) => Observation | Promise<Observation>,
): Promise<Observation> {
  const document = { ...endpointDocument(laboratory, network), ...members };
  const { hresult, value: endpoint } = await laboratory.createEndpoint(network, document);
  return endpoint === undefined ? seenAnswer(hresult) : observe(await read(laboratory, endpoint));
}

/** Whether a namespace lists a resource, and thus contains the endpoint that was created in it. */
async function hasMember(laboratory: Laboratory, namespace: Item<'Namespace'>): Promise<boolean> {
  const { Resources } = await read(laboratory, namespace);
  return Array.isArray(Resources) && Resources.length > 0;
}

function isNamed(member: unknown, id: string): boolean {
  return String(member).toLowerCase() === id;
}

/** What an endpoint has after it was created without the member that its network has. */
function seenInheritance(member: unknown, text: string): Observation {
  const json = JSON.stringify(member) ?? 'none';
  return seen(json.includes(text) ? 'inherited' : 'own', json);
}

/** Documents of endpoints. */
export const endpointRows: readonly Row[] = [
  {
    id: 'otherNetworkInEndpoint',
    claim: 'HNS refuses an endpoint if the network in its document differs from the network handle',
    evidence: 'I',
    handling: 'sends the ID of the network whose handle it passes',
    experiment: {
      on: 'base',
      expected: ['refused'],
      run: async (laboratory) => {
        const network = await laboratory.base();
        const other = await createNetwork(laboratory);
        const document = { ...endpointDocument(laboratory, network), HostComputeNetwork: other.id };
        const { hresult, value } = await laboratory.createEndpoint(network, document);
        if (value === undefined) return seenAcceptance(hresult);
        const { HostComputeNetwork } = await read(laboratory, value);
        return seen(isNamed(HostComputeNetwork, other.id) ? 'document' : 'ignored');
      },
    },
  },
  {
    id: 'namespaceInEndpoint',
    claim: 'HNS attaches a new endpoint to the namespace that its document names',
    evidence: 'I',
    handling: 'attaches endpoints in a separate request, and never sends a namespace in their document',
    experiment: {
      on: 'base',
      expected: ['attached'],
      run: async (laboratory) => {
        const namespace = await createNamespace(laboratory);
        const members = { HostComputeNamespace: namespace.id };
        return observeCreated(laboratory, await laboratory.base(), members, async (document) => {
          if (await hasMember(laboratory, namespace)) return seen('attached');
          return seen(isNamed(document['HostComputeNamespace'], namespace.id) ? 'only stored' : 'ignored');
        });
      },
    },
  },
  {
    id: 'endpointDns',
    claim: 'An endpoint without DNS settings inherits those of its network',
    evidence: 'I',
    handling: 'returns the DNS settings of the created endpoint as the result',
    experiment: {
      on: 'base',
      expected: ['inherited'],
      run: async (laboratory) => {
        const server = '198.19.255.53';
        const network = await createNetwork(laboratory, { Dns: { ServerList: [server] } });
        return observeCreated(laboratory, network, {}, ({ Dns }) => seenInheritance(Dns, server));
      },
    },
  },
  {
    id: 'endpointRoutes',
    claim: 'An endpoint without routes inherits those of its subnet',
    evidence: 'I',
    handling:
      'sends the default routes, unless HNS chooses the address; returns the routes of the created endpoint',
    experiment: {
      on: 'base',
      expected: ['inherited'],
      run: async (laboratory) => {
        const network = await laboratory.base();
        return observeCreated(laboratory, network, {}, ({ Routes }) =>
          seenInheritance(Routes, network.subnet.gateway),
        );
      },
    },
  },
  {
    id: 'defaultMembers',
    claim: 'HNS omits members that have their default value',
    evidence: 'S hcsshim reads an absent `Type` of a network as NAT, the first value of the enumeration',
    handling: 'CHECK reads an absent member as its default',
    experiment: {
      on: 'base',
      expected: ['omitted'],
      run: async (laboratory) =>
        observeCreated(laboratory, await laboratory.base(), { Flags: 0 }, (document) =>
          seen('Flags' in document ? 'returned' : 'omitted', Object.keys(document).join(' ')),
        ),
    },
  },
  {
    id: 'simultaneousEndpoints',
    claim: 'HNS refuses one of two simultaneous endpoints with the same ID with ERROR_OBJECT_ALREADY_EXISTS',
    evidence: 'I',
    handling: 'queries the endpoint after any refusal: docs/decisions/attachments.md',
    experiment: {
      on: 'base',
      expected: ['ERROR_OBJECT_ALREADY_EXISTS'],
      run: async (laboratory) => {
        const network = await laboratory.base();
        const id = laboratory.newId<'Endpoint'>();
        const create = () => laboratory.createEndpoint(network, endpointDocument(laboratory, network), id);
        const answers = await Promise.all([create(), create()]);
        const refusals = answers.filter(({ hresult }) => isFailure(hresult));
        const [first, second] = refusals.map(({ hresult }) => symbolOf(hresult));
        if (second !== undefined) return seen('both refused', `${first}, ${second}`);
        for (const answer of answers) if (answer.value !== undefined) await checkId(laboratory, answer.value);
        return seen(first ?? 'both accepted');
      },
    },
  },
  {
    id: 'endpointFailure',
    claim: 'State or Health shows that HNS could not program an endpoint',
    evidence: 'D HCNHResult.md has HCN_E_DEGRADED_OPERATION; never observed',
    handling: 'the states Degraded and Destroyed fail ADD; an error in `Health` is a notice',
    experiment: { impossible: 'HNS cannot be made to fail while it programs an endpoint' },
  },
  {
    id: 'degradedOperation',
    claim: 'HNS accepts changes of a degraded endpoint',
    evidence: 'D HCNHResult.md; never observed',
    handling: 'fails ADD for a degraded endpoint before it changes or attaches it',
    experiment: { impossible: 'an endpoint cannot be degraded on purpose' },
  },
];
