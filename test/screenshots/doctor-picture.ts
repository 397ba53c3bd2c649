import { createHash } from 'node:crypto';
import { config, doctorEnvironment, healthy } from '../e2e/cli/doctor-node.ts';
import { runCli } from '../e2e/cli/run-cli.ts';
import { startNode } from '../e2e/node.ts';
import { type Scheme, terminalPicture } from './terminal-picture.ts';

/** The columns of the terminal. */
const columns = 100;

/** The path of a picture in the repository. */
export const pathOf = (scheme: Scheme) => `docs/images/doctor-${scheme}.svg`;

/** An SVG picture of doctor on a node with three pods, a leftover endpoint, and no forwarding between its endpoint and its adapter. */
export async function doctorPicture(scheme: Scheme): Promise<string> {
  const node = await startNode();
  try {
    for (const name of ['web', 'api', 'cart', 'old']) {
      const pod = node.newPod(createHash('sha256').update(name).digest('hex'));
      await node.add(config, pod);
      if (name === 'old') await node.hcn.deleteNamespace(pod.netns);
      else node.hns.attachContainer(pod.netns, pod.containerId);
    }
    const forwarding = {
      interfaces: [5, 6, 7, 8].map((index) => ({ index, isIPv6: false, forwarding: index !== 6 })),
    };
    const environment = doctorEnvironment(node, { ...healthy, forwarding });
    const { stdout } = await runCli(['doctor'], { ...environment, width: columns });
    return terminalPicture(`\u001b[2mPS>\u001b[22m win-hcn doctor\n${stdout}`, columns, scheme);
  } finally {
    await node.stop();
  }
}
