import { schemaVersion } from '../../../hcn/documents.ts';
import { isFailure } from '../../../hcn/hresults.ts';
import { remoteEndpointFlag, remoteMacPrefix } from '../../../model/ownership.ts';
import { macFromAddress } from '../../../net/mac.ts';
import {
  created,
  createEndpoint,
  endpointDocument,
  memberRequest,
  read,
  requireSuccess,
} from '../documents.ts';
import {
  type Context,
  type Experiment,
  experimentFor,
  isExternal,
  retried,
  seen,
  seenAnswer,
  symbolOf,
} from '../experiment.ts';
import { newProbeName } from '../names.ts';

/** Creates the first endpoint on a network, with a static address. A new external network may refuse it for some seconds. */
async function createFirst(context: Context) {
  const { network } = context;
  const address = network.subnet.address(20);
  const document = endpointDocument(network, {
    IpConfigurations: [{ IpAddress: address, PrefixLength: 24 }],
  });
  const { answer, refusals } = await retried(
    context,
    (hresult) => isExternal(network.type) && isFailure(hresult),
    () => context.createEndpoint(network, document),
  );
  return { ...(await created(context, answer)), address, refusals };
}

/** Whether a network and its first endpoint have the requested IDs, and another process can open the endpoint. */
async function seenIds(context: Context, endpoint: Awaited<ReturnType<typeof createFirst>>) {
  const { network } = context;
  if (network.id !== network.requested || endpoint.id !== endpoint.requested) return seen('ignored');
  const { hresult, value } = await context.open('Endpoint', endpoint.id);
  if (value !== undefined) await context.close(value);
  return isFailure(hresult) ? seenAnswer({ hresult }) : seen('honored');
}

/** Endpoints, their IDs and addresses. */
export const endpointExperiments: readonly Experiment[] = [
  {
    on: 'base',
    rows: [
      { id: 'callerIds', on: 'base', expected: ['honored'], handled: ['ignored'] },
      { id: 'firstEndpoint', on: 'L2Bridge', expected: ['accepted'], handled: ['after refusals'] },
      { id: 'newAddress', on: 'base', expected: ['at once'], handled: ['later'] },
      {
        id: 'addressConflict',
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
      const shown = JSON.stringify(document['IpConfigurations'] ?? []);
      return {
        callerIds,
        firstEndpoint:
          refusals.length === 0
            ? seen('accepted')
            : seen('after refusals', refusals.map(symbolOf).join(', ')),
        newAddress: seen(shown.includes(address) ? 'at once' : 'later'),
        addressConflict: seenAnswer(await context.createEndpoint(context.network, second)),
      };
    },
  },
  experimentFor(
    { id: 'callerIdsOverlay', on: 'Overlay', expected: ['honored'], handled: ['ignored'] },
    async (context) => seenIds(context, await createFirst(context)),
  ),
  experimentFor({ id: 'remoteName', on: 'base', expected: ['kept'], handled: [] }, async (context) => {
    const { network } = context;
    const Name = newProbeName();
    const address = network.subnet.address(21);
    const endpoint = await createEndpoint(context, network, {
      Name,
      IpConfigurations: [{ IpAddress: address }],
      MacAddress: macFromAddress(remoteMacPrefix, address),
      Flags: remoteEndpointFlag,
    });
    return seen(endpoint.document['Name'] === Name ? 'kept' : 'replaced');
  }),
];

/** Endpoints in the namespaces of containers, which are created as containerd does. */
export const namespaceExperiments: readonly Experiment[] = [
  {
    on: 'base',
    rows: [
      { id: 'attachTwice', on: 'base', expected: ['refused'], handled: ['accepted'] },
      {
        id: 'endpointState',
        on: 'base',
        expected: ['created 1, attached 1, detached 4', 'created 1, attached 1, detached 1'],
        handled: [],
      },
    ],
    run: async (context) => {
      const endpoint = await createEndpoint(context, context.network);
      const document = { Type: 'Host', SchemaVersion: schemaVersion };
      const namespace = await created(context, await context.create('Namespace', document));
      const change = (type: 'Add' | 'Remove') => context.modify(namespace, memberRequest(type, endpoint.id));
      const state = async () => {
        const { State } = await read(context, endpoint);
        return typeof State === 'number' ? State : 'unknown';
      };
      const before = await state();
      requireSuccess(await change('Add'), 'attaching an endpoint');
      const within = await state();
      const { hresult } = await change('Add');
      requireSuccess(await change('Remove'), 'detaching an endpoint');
      return {
        attachTwice: isFailure(hresult) ? seen('refused', symbolOf(hresult)) : seen('accepted'),
        endpointState: seen(`created ${before}, attached ${within}, detached ${await state()}`),
      };
    },
  },
];
