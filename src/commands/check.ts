import { CniError, code } from '../cni/error.ts';
import { type AttachRequest, attachmentOf } from '../cni/request.ts';
import type { NetworkConfig } from '../config/network-config.ts';
import { delegateCommand } from '../ipam/delegate.ts';
import { attachmentDifferences } from '../plan/check.ts';
import { encapOverhead } from '../plan/encap-overhead.ts';
import { endpointId } from '../plan/identity.ts';
import type { Host } from './host.ts';

/** Compares an attachment with what it should be (specification, section 4, "CHECK"). Throws code 102 with every difference. */
export async function check(request: AttachRequest, config: NetworkConfig, host: Host): Promise<void> {
  const { hcn, locateIpam } = host;
  const { prevResult } = config;
  if (prevResult === undefined) {
    throw new CniError(
      code.invalidConfig,
      '/prevResult is missing, expected the result of the ADD to check against',
    );
  }
  const attachment = attachmentOf(request, config.name);
  const endpoint = await hcn.findEndpoint(endpointId(attachment));
  const namespace = await hcn.findNamespace(request.namespaceId);
  const overhead = await wantedOverhead(config, host);
  const [first, ...others] = attachmentDifferences(
    { config, attachment, namespaceId: request.namespaceId, prevResult, encapOverhead: overhead },
    { endpoint, namespace },
  );
  if (first !== undefined) {
    throw new CniError(code.notAsExpected, `the attachment is not as ADD left it: ${first}`, {
      details: others.join('; '),
    });
  }
  const ipam = locateIpam();
  if (ipam !== undefined) await delegateCommand(ipam, 'CHECK');
}

async function wantedOverhead(config: NetworkConfig, { hcn, ipHelper }: Host): Promise<number | undefined> {
  if (config.mtu === undefined) return undefined;
  const network = await hcn.findNetwork(config.name);
  return network && encapOverhead(config, network, await ipHelper.readAdapters());
}
