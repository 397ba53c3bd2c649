import { CniError, code } from '../cni/error.ts';
import { type AttachRequest, attachmentOf } from '../cni/request.ts';
import type { NetworkConfig } from '../config/network-config.ts';
import type { ObservedNetwork } from '../hcn/documents.ts';
import { subnetsOf } from '../model/network-document.ts';
import { attachmentDifferences, type ExpectedAttachment } from '../plan/check.ts';
import { encapOverhead } from '../plan/network-adapter.ts';
import { findEndpointByKey } from '../steps/find-endpoints.ts';
import { begin } from './begin.ts';
import type { CommandContext } from './command-context.ts';
import { keyOf } from './create-endpoint.ts';
import { findNetwork } from './find-network.ts';

/** Compares an attachment with its configuration and result (specification, section 4, "CHECK"). Throws code 102 with every difference. */
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
  const [first, ...others] = attachmentDifferences(
    { config, attachment, namespaceId: request.namespaceId, prevResult, ...fromNetwork },
    { endpoint, namespace, isNetworkMissing },
  );
  if (first !== undefined) {
    throw new CniError(code.notAsExpected, `the attachment differs from the result of ADD: ${first}`, {
      details: [...others, 'delete the pod, so that it is recreated'].join('; '),
    });
  }
  await locateIpam()?.check();
}

/** Whether the expected endpoint depends on the network, which is queried only then. */
function needsNetwork({ mtu, behavior }: NetworkConfig): boolean {
  return mtu !== undefined || behavior.exceptOwnSubnets;
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
