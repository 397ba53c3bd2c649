import { applyLoadBalancer as apply } from '../../commands/load-balancer.ts';
import { loadBalancerId } from '../../model/identity.ts';
import { openHcn } from '../inventory/read-inventory.ts';
import { exitCode, type Session } from '../session.ts';
import { printValidation } from '../validate/print-validation.ts';
import { readLoadBalancerFile } from './read-file.ts';

const ends = {
  created: 'was created',
  updated: 'was updated',
  unchanged: 'is as configured already',
} as const;

/** Makes a file's load balancer what the file says. Throws where HCN refuses it. */
export async function applyLoadBalancer(file: string, session: Session): Promise<void> {
  const read = readLoadBalancerFile(session.read(file));
  if ('problems' in read) {
    const { problems } = read;
    printValidation(
      file,
      { problems, warnings: [], notes: [], plugins: [] },
      { ...session, print: session.printStderr },
    );
    return session.setExitCode(exitCode.problemFound);
  }
  const { config } = read;
  const end = await apply(config, { hcn: openHcn(session.system) });
  session.print(`load balancer "${config.name}" ${loadBalancerId(config.name)} ${ends[end]}`);
}
