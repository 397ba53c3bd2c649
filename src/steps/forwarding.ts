import { CniError, code } from '../cni/error.ts';
import type { HostComputeNetwork } from '../hcn/documents.ts';
import { forwardingInterfaces, type HostAddresses } from '../plan/host-endpoint.ts';
import type { StepTargets } from './changes.ts';
import { poll } from './poll.ts';

/** How long the interface of a new host endpoint may take to appear. */
const interfaceMilliseconds = 10_000;

/**
 * Enables IPv4 forwarding between the host endpoint with these addresses and the network's adapter, and deletes the host endpoint's
 * default routes. Waits up to 10 s for the interface; throws code 11 if it does not appear.
 */
export async function enableForwarding(
  network: HostComputeNetwork,
  own: HostAddresses,
  targets: Pick<StepTargets, 'ipHelper' | 'timer' | 'now'>,
): Promise<void> {
  const { ipHelper } = targets;
  const found = await poll(targets, interfaceMilliseconds, async () =>
    forwardingInterfaces(network, own, await ipHelper.readAdapters()),
  );
  if (found === undefined) {
    throw new CniError(
      code.tryAgainLater,
      `no interface has the address of host endpoint ${own.address}, or the adapter of the network has no IPv4 address`,
      { details: 'check Get-NetIPAddress and Get-NetAdapter -IncludeHidden' },
    );
  }
  for (const { index } of [found.host, ...found.management]) await ipHelper.enableForwarding(index);
  await ipHelper.removeDefaultRoutes(found.host.index);
}
