import { endpointDocument } from '../documents.ts';
import { seen, seenAcceptance, symbolOf } from '../observation.ts';
import { attachment, hostAttachment } from '../parts.ts';
import type { Row } from '../row.ts';

/** Endpoints in the namespaces of containers. */
export const namespaceRows: readonly Row[] = [
  {
    id: 'attachTwice',
    claim: 'HNS refuses to add an endpoint to the namespace that it is in',
    on: 'base',
    expected: ['refused'],
    handled: ['accepted'],
    uses: [attachment],
    run: async (context) => seenAcceptance((await context.share(attachment)).addAgain),
  },
];

/**
 * The node's namespace. Attaching adds an interface to the node, which Windows may use or register in DNS: such experiments need
 * --adapter.
 */
export const hostNamespaceRows: readonly Row[] = [
  {
    id: 'hostAttach',
    claim: "A new endpoint can be attached to the node's namespace at once",
    on: 'L2Bridge',
    expected: ['at once'],
    handled: ['after refusals'],
    uses: [hostAttachment],
    run: async (context) => {
      const { refusals, isAttached } = await context.share(hostAttachment);
      const codes = refusals.map(symbolOf).join(', ');
      if (!isAttached) return seen('refused', codes);
      return refusals.length === 0 ? seen('at once') : seen('after refusals', codes);
    },
  },
  {
    id: 'unspecifiedNextHop',
    claim: 'HNS accepts an endpoint with a default route through 0.0.0.0',
    on: 'L2Bridge',
    expected: ['accepted'],
    handled: ['refused'],
    creates: { Endpoint: 1 },
    run: async (context) => {
      const network = await context.network();
      const Routes = [{ NextHop: '0.0.0.0', DestinationPrefix: '0.0.0.0/0' }];
      return seenAcceptance(await context.createEndpoint(network, endpointDocument(network, { Routes })));
    },
  },
];
