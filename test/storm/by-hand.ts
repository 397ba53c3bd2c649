import { runCli } from '../e2e/cli/run-cli.ts';
import type { Response } from './request.ts';
import type { World } from './world.ts';

/** A command line of an operator, and its files. */
interface CommandLine {
  readonly words: readonly string[];
  readonly files: Readonly<Record<string, string>>;
}

const configs = ({ networks }: World): readonly (readonly [string, string])[] =>
  networks.map(({ name, config }) => [`${name}.conf`, JSON.stringify(config)]);

/** Runs a command line in this process. */
export async function runHere(world: World, { words, files }: CommandLine): Promise<Response> {
  return runCli(words, {
    files: withLeases(world, { ...files, ...Object.fromEntries(configs(world)) }),
    system: world.outside,
    environment: { CNI_PATH: '/opt/cni/bin' },
  });
}

/** The files, and the current leases of the IPAM plugin in memory in the form of host-local's files. */
function withLeases(world: World, files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const all = (): Readonly<Record<string, string>> => ({
    ...files,
    ...Object.fromEntries(
      world.networks.flatMap(({ name }) =>
        world.ipam
          .leasesOf(name)
          .map(([address, holder]) => [
            `C:\\var\\lib\\cni\\networks\\${name}\\${address.replaceAll(':', '_')}`,
            holder.split(' ').join('\r\n'),
          ]),
      ),
    ),
  });
  return new Proxy(files, {
    get: (_, path: string) => all()[path],
    has: (_, path: string) => path in all(),
    ownKeys: () => Object.keys(all()),
    getOwnPropertyDescriptor: (_, path: string) => {
      const value = all()[path];
      return value === undefined ? undefined : { value, enumerable: true, configurable: true };
    },
  });
}
