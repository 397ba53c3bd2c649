import { isFailure } from '../../../hcn/hresults.ts';
import { remoteEndpointFlag, remoteMacPrefix } from '../../../model/ownership.ts';
import { macFromAddress } from '../../../net/mac.ts';
import { created, endpointDocument, read } from '../documents.ts';
import { newProbeName } from '../names.ts';
import { seen, seenAnswer, symbolOf } from '../observation.ts';
import { attachment, firstEndpoint } from '../parts.ts';
import type { Row } from '../row.ts';

/** Endpoints, their addresses and their state. */
export const endpointRows: readonly Row[] = [
  {
    id: 'firstEndpoint',
    claim: 'A new external network accepts its first endpoint at once',
    on: 'L2Bridge',
    expected: ['accepted'],
    handled: ['after refusals'],
    uses: [firstEndpoint],
    run: async (context) => {
      const { refusals } = await context.share(firstEndpoint);
      const codes = refusals.map(symbolOf).join(', ');
      return refusals.length === 0 ? seen('accepted') : seen('after refusals', codes);
    },
  },
  {
    id: 'newAddress',
    claim: 'The first query of a new endpoint shows its addresses',
    on: 'base',
    expected: ['at once'],
    handled: ['later'],
    uses: [firstEndpoint],
    run: async (context) => {
      const { document, address } = await context.share(firstEndpoint);
      return seen(JSON.stringify(document['IpConfigurations'] ?? []).includes(address) ? 'at once' : 'later');
    },
  },
  {
    id: 'addressConflict',
    claim: 'HNS refuses the address of another endpoint with HCN_E_ADDR_INVALID_OR_RESERVED',
    on: 'base',
    expected: ['HCN_E_ADDR_INVALID_OR_RESERVED'],
    handled: ['ERROR_OBJECT_ALREADY_EXISTS'],
    creates: { Endpoint: 1 },
    uses: [firstEndpoint],
    run: async (context) => {
      const { address } = await context.share(firstEndpoint);
      const network = await context.network();
      const IpConfigurations = [{ IpAddress: address, PrefixLength: 24 }];
      const document = endpointDocument(network, { IpConfigurations });
      return seenAnswer(await context.createEndpoint(network, document));
    },
  },
  {
    id: 'remoteName',
    claim: 'A remote endpoint keeps the `Name` of its document',
    on: 'base',
    expected: ['kept'],
    handled: [],
    creates: { Endpoint: 1 },
    run: async (context) => {
      const network = await context.network();
      const sent = newProbeName();
      const address = network.subnet.address(21);
      const document = endpointDocument(network, {
        Name: sent,
        IpConfigurations: [{ IpAddress: address }],
        MacAddress: macFromAddress(remoteMacPrefix, address),
        Flags: remoteEndpointFlag,
      });
      const { Name } = await read(
        context,
        await created(context, await context.createEndpoint(network, document)),
      );
      return seen(Name === sent ? 'kept' : 'replaced');
    },
  },
  {
    id: 'endpointState',
    claim:
      "Without a container, an endpoint's State is 1 after creation and in a namespace, and 1 or 4 once detached",
    on: 'base',
    expected: ['created 1, attached 1, detached 4', 'created 1, attached 1, detached 1'],
    handled: [],
    uses: [attachment],
    run: async (context) => {
      const { before, attached, after } = await context.share(attachment);
      const [created, within, detached] = [before, attached, after].map(({ State }) =>
        typeof State === 'number' ? State : 'unknown',
      );
      return seen(`created ${created}, attached ${within}, detached ${detached}`);
    },
  },
];

/** A row about the IDs of new objects on a ground. */
function idRow(id: string, on: Row['on'], claim: string): Row {
  return {
    id,
    claim,
    on,
    expected: ['honored'],
    handled: ['ignored'],
    uses: [firstEndpoint],
    run: async (context) => {
      const network = await context.network();
      const { endpoint } = await context.share(firstEndpoint);
      if (network.id !== network.requested || endpoint.id !== endpoint.handle.id) return seen('ignored');
      const { hresult, value } = await context.open('Endpoint', endpoint.id);
      if (value !== undefined) await context.close(value);
      return isFailure(hresult) ? seenAnswer({ hresult }) : seen('honored');
    },
  };
}

/** IDs of new objects. */
export const idRows: readonly Row[] = [
  idRow('callerIds', 'base', 'A new network and a new endpoint have the requested IDs'),
  ...(['NAT', 'Overlay'] as const).map((type) =>
    idRow(`callerIds${type}`, type, `A new ${type} network and its new endpoint have the requested IDs`),
  ),
];
