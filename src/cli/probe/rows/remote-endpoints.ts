import type { JsonObject } from '../../../json/members.ts';
import { remoteEndpointFlag, remoteMacPrefix } from '../../../model/ownership.ts';
import { macFromAddress } from '../../../net/mac.ts';
import { created, endpointDocument, read } from '../fixtures.ts';
import type { Answer, Item, Laboratory } from '../laboratory.ts';
import { type Row, seen, seenAcceptance, seenAnswer } from '../row.ts';

/** The document of a remote endpoint as kube-proxy sends it, without a name. */
function remoteDocument(laboratory: Laboratory, network: Item<'Network'>, address: string): JsonObject {
  const { Name, ...document } = endpointDocument(laboratory, network);
  return {
    ...document,
    IpConfigurations: [{ IpAddress: address }],
    MacAddress: macFromAddress(remoteMacPrefix, address),
    Flags: remoteEndpointFlag,
  };
}

function createRemote(
  laboratory: Laboratory,
  network: Item<'Network'>,
  address: string,
  members: JsonObject = {},
): Promise<Answer<Item<'Endpoint'> | undefined>> {
  const document = { ...remoteDocument(laboratory, network, address), ...members };
  return laboratory.createEndpoint(network, document);
}

function createLocal(
  laboratory: Laboratory,
  network: Item<'Network'>,
  IpAddress: string,
): Promise<Answer<Item<'Endpoint'> | undefined>> {
  const document = { ...endpointDocument(laboratory, network), IpConfigurations: [{ IpAddress }] };
  return laboratory.createEndpoint(network, document);
}

const conflictEvidence = 'O k8s#130963 (refused); S kube-proxy hns.go (WS2019 accepts it)';

/** Remote endpoints, which represent backends of load balancers on other nodes. */
export const remoteEndpointRows: readonly Row[] = [
  {
    id: 'duplicateRemoteAddress',
    claim: 'HNS refuses a remote endpoint with the address of a local one',
    evidence: conflictEvidence,
    handling: 'the endpoint on this node wins as the backend of a load balancer',
    experiment: {
      on: 'base',
      expected: ['refused'],
      run: async (laboratory) => {
        const network = await laboratory.base();
        const { subnet } = network;
        await created(laboratory, await createRemote(laboratory, network, subnet.address(20)));
        await created(laboratory, await createLocal(laboratory, network, subnet.address(21)));
        return seenAcceptance((await createRemote(laboratory, network, subnet.address(21))).hresult);
      },
    },
  },
  {
    id: 'localAfterRemote',
    claim: 'HNS refuses a local endpoint with the address of a remote one',
    evidence: conflictEvidence,
    handling:
      'queries the other endpoint only after a refusal; if HNS accepts both, traffic may go to the old node until kube-proxy deletes the remote endpoint',
    experiment: {
      on: 'base',
      expected: ['refused'],
      run: async (laboratory) => {
        const network = await laboratory.base();
        const address = network.subnet.address(20);
        await created(laboratory, await createRemote(laboratory, network, address));
        return seenAcceptance((await createLocal(laboratory, network, address)).hresult);
      },
    },
  },
  {
    id: 'remoteName',
    claim: 'A remote endpoint keeps the `Name` of its document',
    evidence: 'I: kube-proxy sends none',
    handling: 'sends `remote_<address>`, and recognizes its remote endpoints by that name',
    experiment: {
      on: 'base',
      expected: ['kept'],
      run: async (laboratory) => {
        const network = await laboratory.base();
        const { subnet } = network;
        await created(laboratory, await createRemote(laboratory, network, subnet.address(20)));
        const name = laboratory.newName();
        const answer = await createRemote(laboratory, network, subnet.address(21), { Name: name });
        if (answer.value === undefined) return seenAnswer(answer.hresult);
        const { Name } = await read(laboratory, answer.value);
        return seen(Name === name ? 'kept' : 'replaced', String(Name));
      },
    },
  },
  {
    id: 'remoteMacAddress',
    claim: 'HNS accepts two remote endpoints with one MAC address',
    evidence: 'S kube-proxy gives every IPv6 address the same one; I for IPv4',
    handling:
      'derives it from the last four octets of an address; two IPv6 backends with the same ones can set `macAddress`',
    experiment: {
      on: 'base',
      expected: ['accepted'],
      run: async (laboratory) => {
        const network = await laboratory.base();
        const [one, other] = [network.subnet.address(20), network.subnet.address(21)];
        await created(laboratory, await createRemote(laboratory, network, one));
        const members = { MacAddress: macFromAddress(remoteMacPrefix, one) };
        return seenAcceptance((await createRemote(laboratory, network, other, members)).hresult);
      },
    },
  },
  {
    id: 'remoteWithoutProviderAddress',
    claim: "An Overlay network refuses a remote endpoint without its node's address",
    evidence: 'I: kube-proxy always sends it',
    handling: 'sends a ProviderAddress, and refuses a backend whose node it cannot determine',
    experiment: {
      on: 'Overlay',
      expected: ['refused'],
      run: async (laboratory) => {
        const network = await laboratory.base();
        const { subnet } = network;
        const Settings = { ProviderAddress: subnet.address(250) };
        const Policies = [{ Type: 'ProviderAddress', Settings }];
        const known = await createRemote(laboratory, network, subnet.address(20), { Policies });
        await created(laboratory, known);
        return seenAcceptance((await createRemote(laboratory, network, subnet.address(21))).hresult);
      },
    },
  },
];
