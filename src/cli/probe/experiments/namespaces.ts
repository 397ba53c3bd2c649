import { isFailure } from '../../../hcn/hresults.ts';
import { hostEndpointName } from '../../../model/identity.ts';
import {
  attach,
  createEndpoint,
  createNamespace,
  isSame,
  memberRequest,
  read,
  required,
  requireSuccess,
} from '../documents.ts';
import {
  type Context,
  type Experiment,
  experimentFor,
  NotTried,
  retried,
  seen,
  seenRefusals,
  symbolOf,
} from '../experiment.ts';
import type { OpenObject } from '../hcn-calls.ts';

/** https://learn.microsoft.com/virtualization/api/hcn/hns_schema#HostComputeNamespace */
const hostCompartment = 1;

/** Opens the node's namespace. Throws NotTried if HCN lists none. */
async function openHostNamespace(context: Context): Promise<OpenObject<'Namespace'>> {
  const ids = required(await context.enumerate('Namespace', { IsDefault: true }), 'listing namespaces');
  for (const id of ids) {
    const namespace = required(await context.open('Namespace', id), 'opening a namespace');
    const { Type, NamespaceId } = await read(context, namespace);
    if (isSame(Type, 'HostDefault') && NamespaceId === hostCompartment) return namespace;
    // It could be that of a pod.
    await context.close(namespace);
  }
  throw new NotTried('HCN lists no namespace of the node');
}

/** Endpoints in the namespaces of containers. */
export const namespaceExperiments: readonly Experiment[] = [
  {
    on: 'base',
    rows: [
      {
        id: 'attachTwice',
        claim: 'HNS refuses to add an endpoint to the namespace that it is in',
        on: 'base',
        expected: ['refused'],
        handled: ['accepted'],
      },
      {
        id: 'endpointState',
        claim:
          "Without a container, an endpoint's State is 1 after creation and in a namespace, and 1 or 4 once detached",
        on: 'base',
        expected: ['created 1, attached 1, detached 4', 'created 1, attached 1, detached 1'],
        handled: [],
      },
    ],
    run: async (context) => {
      const endpoint = await createEndpoint(context, context.network);
      const namespace = await createNamespace(context);
      const state = async () => {
        const { State } = await read(context, endpoint);
        return typeof State === 'number' ? State : 'unknown';
      };
      const before = await state();
      await attach(context, namespace, endpoint);
      const within = await state();
      const { hresult } = await context.modify(namespace, memberRequest('Add', endpoint.id));
      requireSuccess(
        await context.modify(namespace, memberRequest('Remove', endpoint.id)),
        'detaching an endpoint',
      );
      return {
        attachTwice: isFailure(hresult) ? seen('refused', symbolOf(hresult)) : seen('accepted'),
        endpointState: seen(`created ${before}, attached ${within}, detached ${await state()}`),
      };
    },
  },
];

/**
 * The node's namespace. Attaching adds an interface to the node, which Windows may use or register in DNS: such experiments need
 * --adapter.
 */
export const hostNamespaceExperiments: readonly Experiment[] = [
  experimentFor(
    {
      id: 'hostAttach',
      claim: "A new endpoint can be attached to the node's namespace at once",
      on: 'L2Bridge',
      expected: ['at once'],
      handled: ['after refusals'],
    },
    async (context) => {
      const namespace = await openHostNamespace(context);
      const { network } = context;
      const IpConfigurations = [{ IpAddress: network.subnet.address(30), PrefixLength: 24 }];
      const Name = hostEndpointName(network.name);
      const endpoint = await createEndpoint(context, network, { Name, IpConfigurations });
      const { answer, refusals } = await retried(context, isFailure, () =>
        context.modify(namespace, memberRequest('Add', endpoint.id)),
      );
      await context.close(namespace);
      return isFailure(answer.hresult)
        ? seen('refused', symbolOf(answer.hresult))
        : seenRefusals(refusals, 'at once');
    },
  ),
];

/** The Host Network Service while it restarts. */
export const serviceExperiments: readonly Experiment[] = [
  experimentFor(
    {
      id: 'objectsAfterRestart',
      claim: 'Objects survive a restart of HNS, and HNS finds them as soon as it responds',
      on: 'service',
      expected: ['kept'],
      handled: ['late', 'lost', 'lost in part'],
    },
    async (context) => {
      const { network } = context;
      const endpoint = await createEndpoint(context, network);
      const namespace = await createNamespace(context);
      await attach(context, namespace, endpoint);
      await context.restartHns();
      const objects = [network, endpoint, namespace];
      for (let seconds = 0; ; seconds += 1) {
        const answers = await Promise.all(objects.map(({ kind, id }) => context.open(kind, id)));
        for (const { value } of answers) if (value !== undefined) await context.close(value);
        const found = answers.filter(({ value }) => value !== undefined).length;
        if (found === objects.length) return seen(seconds === 0 ? 'kept' : 'late');
        if (seconds === 20) return seen(found === 0 ? 'lost' : 'lost in part');
        await context.pause(1000);
      }
    },
  ),
];
