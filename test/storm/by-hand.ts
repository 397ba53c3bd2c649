import { runCli } from '../e2e/cli/run-cli.ts';
import type { Response } from './request.ts';
import type { World } from './world.ts';

/**
 * Runs a command line of an operator in this process, with each configuration as a file, and the current leases of the IPAM plugin in
 * memory in the form of host-local's files.
 */
export async function runHere(world: World, words: readonly string[]): Promise<Response> {
  const files = world.networks.flatMap(({ name, config }) => [
    [`${name}.conf`, JSON.stringify(config)],
    ...world.ipam
      .leasesOf(name)
      .map(([address, holder]) => [
        `C:\\var\\lib\\cni\\networks\\${name}\\${address.replaceAll(':', '_')}`,
        holder.split(' ').join('\r\n'),
      ]),
  ]);
  return runCli(words, {
    files: Object.fromEntries(files),
    system: world.outside,
    environment: { CNI_PATH: '/opt/cni/bin' },
  });
}
