import { isFailure, isNotImplemented } from '../../../hcn/hresults.ts';
import { isObject, type JsonObject } from '../../../json/members.ts';
import {
  created,
  createEndpoint,
  createLoadBalancer,
  createNetwork,
  done,
  list,
  loadBalancerDocument,
  read,
  readIfPresent,
} from '../fixtures.ts';
import type { Laboratory } from '../laboratory.ts';
import { NotTried, type Observation, type Row, seen, seenAcceptance, seenAnswer } from '../row.ts';

/** The document of a load balancer for a new endpoint of the shared network. */
async function newDocument(laboratory: Laboratory, members: JsonObject = {}): Promise<JsonObject> {
  const network = await laboratory.base();
  const endpoint = await createEndpoint(laboratory, network);
  return loadBalancerDocument(laboratory, [endpoint], members);
}

const onPort81 = { PortMappings: [{ Protocol: 6, InternalPort: 80, ExternalPort: 81 }] };

/** Which port a load balancer has that was changed from port 80 to 81. */
function seenPort({ PortMappings }: JsonObject): Observation {
  const mappings: readonly unknown[] = Array.isArray(PortMappings) ? PortMappings : [];
  const ports = mappings.filter(isObject).map(({ ExternalPort }) => ExternalPort);
  const [port] = ports;
  if (ports.length === 1 && port === 81) return seen('applied');
  if (ports.length === 1 && port === 80) return seen('ignored');
  return seen('changed otherwise', `returned ${JSON.stringify(PortMappings)}`);
}

/** Load balancers. */
export const loadBalancerRows: readonly Row[] = [
  {
    id: 'emptyLoadBalancer',
    claim: 'HNS refuses a load balancer without endpoints',
    evidence: 'O k8s#106936 (refused); the code I',
    handling: 'requires at least one endpoint in a configuration',
    experiment: {
      on: 'base',
      expected: ['refused'],
      run: async (laboratory) => {
        // Without a network, HNS could refuse for that reason.
        await laboratory.base();
        const document = loadBalancerDocument(laboratory, []);
        const { hresult } = await laboratory.create('LoadBalancer', document);
        // HNS could also refuse every load balancer.
        if (isFailure(hresult)) await createLoadBalancer(laboratory, await newDocument(laboratory));
        return seenAcceptance(hresult);
      },
    },
  },
  {
    id: 'loadBalancerConflict',
    claim: 'HNS refuses a second load balancer with the same frontend with ERROR_ALREADY_EXISTS',
    evidence: 'O k8s#139519, kubernetes/community#8883 (WS2019)',
    handling: 'reports ERROR_ALREADY_EXISTS and HCN_E_PORT_ALREADY_EXISTS, each with its own fix',
    experiment: {
      on: 'base',
      expected: ['ERROR_ALREADY_EXISTS'],
      run: async (laboratory) => {
        const document = await newDocument(laboratory);
        await createLoadBalancer(laboratory, document);
        return seenAnswer((await laboratory.create('LoadBalancer', document)).hresult);
      },
    },
  },
  {
    id: 'missingReference',
    claim: 'HNS refuses a load balancer for an absent endpoint with HCN_E_PORT_NOT_FOUND',
    evidence: 'O hcsshim#1043; HCN_E_ENDPOINT_NOT_FOUND is I',
    handling: 'reports HCN_E_PORT_NOT_FOUND and HCN_E_ENDPOINT_NOT_FOUND, each with its own fix',
    experiment: {
      on: 'base',
      expected: ['HCN_E_PORT_NOT_FOUND'],
      run: async (laboratory) => {
        const document = await newDocument(laboratory, { HostComputeEndpoints: [laboratory.newId()] });
        return seenAnswer((await laboratory.create('LoadBalancer', document)).hresult);
      },
    },
  },
  {
    id: 'modifyLoadBalancer',
    claim: 'HcnModifyLoadBalancer changes a load balancer',
    evidence: 'S hcnglobals.go, O k8s#131466 (15.4 ignores it), T hnslib hcnloadbalancer_test.go (from 15.5)',
    handling: 'queries the load balancer afterwards, and replaces it if it did not change',
    experiment: {
      on: 'base',
      expected: ['applied'],
      run: async (laboratory) => {
        const document = await newDocument(laboratory);
        const loadBalancer = await createLoadBalancer(laboratory, document);
        const { hresult } = await laboratory.modify(loadBalancer, { ...document, ...onPort81 });
        if (isNotImplemented(hresult)) return seen('unsupported');
        if (isFailure(hresult)) return seenAnswer(hresult);
        return seenPort(await read(laboratory, loadBalancer));
      },
    },
  },
  {
    id: 'loadBalancersOfNetwork',
    claim: 'HNS deletes the load balancers of a network together with it',
    evidence: 'I',
    handling: 'deletes a network only if it has no endpoint other than its host endpoint',
    experiment: {
      on: 'base',
      expected: ['deleted'],
      run: async (laboratory) => {
        const network = await createNetwork(laboratory);
        const endpoint = await createEndpoint(laboratory, network);
        const document = loadBalancerDocument(laboratory, [endpoint]);
        const { id } = await createLoadBalancer(laboratory, document);
        done(await laboratory.delete('Network', network.id), 'deleting a network with endpoints');
        return seen((await list(laboratory, 'LoadBalancer')).includes(id) ? 'kept' : 'deleted');
      },
    },
  },
  {
    id: 'deleteMissingPolicyList',
    claim: 'Deleting an absent load balancer returns ERROR_NOT_FOUND',
    evidence: 'I',
    handling: 'reads 0x80070490 and 0x803B0008 as absent',
    experiment: {
      on: 'base',
      expected: ['ERROR_NOT_FOUND'],
      run: async (laboratory) =>
        seenAnswer((await laboratory.delete('LoadBalancer', laboratory.newId())).hresult),
    },
  },
  {
    id: 'openMissingLoadBalancer',
    claim: 'Opening an absent load balancer returns ERROR_NOT_FOUND',
    evidence: 'I: HNS stores a load balancer as a list of policies, so 0x803B0008 is as likely',
    handling: 'reads 0x80070490 and 0x803B0008 as absent',
    experiment: {
      on: 'base',
      expected: ['ERROR_NOT_FOUND'],
      run: async (laboratory) =>
        seenAnswer((await laboratory.open('LoadBalancer', laboratory.newId())).hresult),
    },
  },
  {
    id: 'endpointOfLoadBalancer',
    claim: 'HNS deletes an endpoint of a load balancer, and the load balancer still lists it',
    evidence: 'O k8s#112836',
    handling: 'replaces a load balancer that refers to deleted endpoints',
    experiment: {
      on: 'base',
      expected: ['still listed'],
      run: async (laboratory) => {
        const network = await laboratory.base();
        const endpoint = await createEndpoint(laboratory, network);
        const document = loadBalancerDocument(laboratory, [endpoint]);
        const loadBalancer = await createLoadBalancer(laboratory, document);
        const { hresult } = await laboratory.delete('Endpoint', endpoint.id);
        if (isFailure(hresult)) return seenAnswer(hresult);
        const after = await readIfPresent(laboratory, loadBalancer);
        if (after === undefined) return seen('load balancer lost');
        const isListed = JSON.stringify(after).toLowerCase().includes(endpoint.id);
        return seen(isListed ? 'still listed' : 'no longer listed');
      },
    },
  },
  {
    id: 'loadBalancerDefaults',
    claim: 'HNS adds no SourceVIP and no flags to a load balancer that was sent without them',
    evidence: 'O calico#7305; I for other releases',
    handling: 'if HNS adds them, applying the configuration again replaces the load balancer',
    experiment: {
      on: 'base',
      expected: ['none'],
      run: async (laboratory) => {
        const loadBalancer = await createLoadBalancer(laboratory, await newDocument(laboratory));
        const { SourceVIP = '', Flags = 0, PortMappings } = await read(laboratory, loadBalancer);
        const mappings = Array.isArray(PortMappings) ? PortMappings : [];
        const added = { SourceVIP, Flags, ofMappings: mappings.map(({ Flags: flags = 0 }) => flags) };
        const isAdded = SourceVIP !== '' || Flags !== 0 || added.ofMappings.some((flags) => flags !== 0);
        return isAdded ? seen('added', JSON.stringify(added)) : seen('none');
      },
    },
  },
  {
    id: 'loadBalancerIdReuse',
    claim: 'The ID and the frontend of a deleted load balancer can be reused at once',
    evidence: 'S hcsshim hcnloadbalancer.go, T hcnloadbalancer_test.go',
    handling: 'reuses both, as hcsshim does',
    experiment: {
      on: 'base',
      expected: ['accepted'],
      run: async (laboratory) => {
        const document = await newDocument(laboratory);
        const requested = laboratory.newId<'LoadBalancer'>();
        const answer = await laboratory.create('LoadBalancer', document, requested);
        const first = await created(laboratory, answer, 'load balancer');
        if (first.id !== requested) throw new NotTried('HNS chooses the IDs of load balancers');
        done(await laboratory.delete('LoadBalancer', requested), 'deleting a load balancer');
        return seenAnswer((await laboratory.create('LoadBalancer', document, requested)).hresult);
      },
    },
  },
];
