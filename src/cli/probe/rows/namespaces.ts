import { isObject, type JsonObject } from '../../../json/members.ts';
import { seenWhen } from '../context.ts';
import { endpointDocument, isSame, zeroGuid } from '../documents.ts';
import { NotTried, seen, seenAcceptance, seenAnswer, symbolOf } from '../observation.ts';
import { attachment, hostAttachment } from '../parts.ts';
import type { Row } from '../row.ts';

/** How an endpoint's document says that it is in no namespace. */
function detachedForm({ HostComputeNamespace }: JsonObject): string {
  if (HostComputeNamespace === undefined) return 'omitted';
  return HostComputeNamespace === zeroGuid ? 'zero GUID' : 'other';
}

/** How long Windows may take to list a new interface, in seconds. */
const listingSeconds = 5;

/** Endpoints in the namespaces of containers. */
export const namespaceRows: readonly Row[] = [
  {
    id: 'resourceId',
    claim: "The ID of a namespace's resource is the member Id",
    on: 'base',
    expected: ['Id'],
    handled: ['ID'],
    uses: [attachment],
    run: async (context) => {
      const { Resources } = (await context.share(attachment)).namespace;
      const resources: readonly unknown[] = Array.isArray(Resources) ? Resources : [];
      const data = resources.filter(isObject).flatMap(({ Data }) => (isObject(Data) ? [Data] : []));
      const name = data.flatMap((one) => Object.keys(one)).find((member) => isSame(member, 'Id'));
      return seen(name ?? 'absent');
    },
  },
  {
    id: 'attachTwice',
    claim: 'HNS refuses to add an endpoint to the namespace that it is in',
    on: 'base',
    expected: ['refused'],
    handled: ['accepted'],
    uses: [attachment],
    run: async (context) => seenAcceptance((await context.share(attachment)).addAgain),
  },
  {
    id: 'removeAbsentEndpoint',
    claim: 'Removing an endpoint from a namespace that it is not in returns HCN_E_ENDPOINT_NOT_FOUND',
    on: 'base',
    expected: ['HCN_E_ENDPOINT_NOT_FOUND'],
    handled: ['HCN_E_ENDPOINT_NOT_ATTACHED', 'accepted'],
    uses: [attachment],
    run: async (context) => seenAnswer((await context.share(attachment)).removeAbsent),
  },
  {
    id: 'detachedNamespace',
    claim:
      'HostComputeNamespace of an endpoint in no namespace is the zero GUID, before and after an attachment',
    on: 'base',
    expected: ['zero GUID'],
    handled: ['omitted', 'differs'],
    uses: [attachment],
    run: async (context) => {
      const shared = await context.share(attachment);
      const [before, after] = [detachedForm(shared.before), detachedForm(shared.after)];
      return before === after ? seen(before) : seen('differs', `${before} before, ${after} afterwards`);
    },
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
    id: 'hostEndpointAlias',
    claim: "The interface of an endpoint in the node's namespace is named vEthernet (<endpoint>)",
    on: 'L2Bridge',
    expected: ['derived'],
    handled: ['other'],
    uses: [hostAttachment],
    run: async (context) => {
      const host = await context.share(hostAttachment);
      if (!host.isAttached) throw new NotTried('HNS does not attach the endpoint');
      let alias: string | undefined;
      await seenWhen(context, listingSeconds, async () => {
        const isOfHost = ({ address }: { readonly address: string }) => address === host.address;
        alias = (await context.adapters()).find(({ addresses }) => addresses.some(isOfHost))?.alias;
        return alias !== undefined;
      });
      if (alias === undefined) throw new NotTried('Windows lists no interface with the address');
      const derived = `vEthernet (${host.name})`;
      // Windows appends a number to a name that is taken.
      return seen(isSame(alias, derived) || alias.startsWith(`${derived} `) ? 'derived' : 'other');
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
