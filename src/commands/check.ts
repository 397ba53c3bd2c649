import { CniError, code } from '../cni/error.ts';
import { type AttachRequest, attachmentOf } from '../cni/request.ts';
import type { NetworkConfig } from '../config/network-config.ts';
import type { ObservedNetwork } from '../hcn/documents.ts';
import { subnetsOf } from '../model/network-document.ts';
import { attachmentDifferences, type ExpectedAttachment, unreturnedPolicies } from '../plan/check.ts';
import { keyOf } from '../plan/endpoint-plan.ts';
import { encapOverhead } from '../plan/network-adapter.ts';
import { findEndpointByKey } from '../steps/find-endpoints.ts';
import type { CommandContext } from './command-context.ts';
import { findNetwork } from './network.ts';
import { findRemoteSubnetProblems } from './remote-subnets.ts';
import { begin } from './requirements.ts';

/** Compares an attachment with its configuration and result (specification, section 2, "CHECK"). Throws code 102 with every difference. */
export async function check(
  request: AttachRequest,
  config: NetworkConfig,
  context: CommandContext,
): Promise<void> {
  const { hcn, locateIpam } = context;
  const { prevResult } = config;
  if (prevResult === undefined) {
    throw new CniError(
      code.invalidConfig,
      '/prevResult is missing, expected the result of the ADD to check against',
      { details: 'runtimes keep it; when you run CHECK yourself, use what ADD printed' },
    );
  }
  const attachment = attachmentOf(request, config.name);
  const endpointRead = begin(findEndpointByKey(keyOf(config, attachment), hcn));
  const namespaceRead = begin(hcn.findNamespace(request.namespaceId));
  const networkRead = needsNetwork(config) ? begin(findNetwork(config, hcn)) : undefined;
  const endpoint = await endpointRead;
  const namespace = await namespaceRead;
  const network = await networkRead;
  const fromNetwork = await expectedOfNetwork(config, network, context);
  const isNetworkMissing = needsNetwork(config) && network === undefined;
  const expected = { config, attachment, namespaceId: request.namespaceId, prevResult, ...fromNetwork };
  const [first, ...others] = attachmentDifferences(expected, { endpoint, namespace, isNetworkMissing });
  for (const text of endpoint ? unreturnedPolicies(expected, endpoint) : []) context.notice(text);
  if (first !== undefined) {
    throw new CniError(code.notAsExpected, `the attachment differs from the result of ADD: ${first}`, {
      details: [...others, 'delete the pod, so that it is recreated'].join('; '),
    });
  }
  if (network !== undefined) await checkRemoteSubnets(config, network, context);
  await locateIpam()?.check();
}

/** Throws code 102 with every remote subnet that differs from the configuration. */
async function checkRemoteSubnets(
  config: NetworkConfig,
  network: ObservedNetwork,
  context: CommandContext,
): Promise<void> {
  const [first, ...others] = await findRemoteSubnetProblems(config, network, context);
  if (first === undefined) return;
  throw new CniError(
    code.notAsExpected,
    `network "${network.Name}" differs from the configuration: ${first}`,
    { details: [...others, 'set the remote subnets with win-hcn network sync FILE --yes'].join('; ') },
  );
}

/** Whether the network is compared, or the expected endpoint depends on it. It is queried only then. */
function needsNetwork({ mtu, remoteSubnets, behavior }: NetworkConfig): boolean {
  return mtu !== undefined || remoteSubnets.length > 0 || behavior.exceptOwnSubnets;
}

async function expectedOfNetwork(
  config: NetworkConfig,
  network: ObservedNetwork | undefined,
  { ipHelper }: CommandContext,
): Promise<Pick<ExpectedAttachment, 'ownSubnets' | 'encapOverhead'>> {
  if (network === undefined) return { ownSubnets: [], encapOverhead: undefined };
  const adapters = config.mtu === undefined ? [] : await ipHelper.readAdapters();
  return {
    ownSubnets: subnetsOf(network).map(({ IpAddressPrefix }) => IpAddressPrefix),
    encapOverhead: encapOverhead(config, network, adapters),
  };
}
