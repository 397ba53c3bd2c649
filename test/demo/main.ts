/**
 * Demonstrates win-hcn on the simulated Host Network Service: runs ADD, CHECK and DEL of a pod for the examples l2bridge and overlay,
 * and prints the host before and after each.
 */
import { example } from '../e2e/example.ts';
import { runBundle } from '../e2e/process.ts';
import { startHns } from '../simulator/hns.ts';
import { printHost } from './tables.ts';

const containerId = 'c0ffee';

for (const name of ['l2bridge', 'overlay'] as const) {
  const hns = await startHns();
  const netns = hns.createNamespace();
  const config = example(name);
  const cni = async (command: string, extra: object = {}): Promise<string> => {
    hns.clearCalls();
    const environment = {
      ...hns.environment,
      CNI_COMMAND: command,
      CNI_CONTAINERID: containerId,
      CNI_NETNS: netns,
      CNI_IFNAME: 'eth0',
    };
    const { exitCode, stdout } = await runBundle(environment, JSON.stringify({ ...config, ...extra }));
    console.log(`\n> CNI_COMMAND=${command} win-hcn: exit code ${exitCode} after these calls to HCN:`);
    for (const call of hns.calls) console.log(`    ${call.function}`);
    if (stdout !== '') console.log(JSON.stringify(JSON.parse(stdout), undefined, 2));
    if (exitCode !== 0) process.exitCode = 1;
    return stdout;
  };

  console.log(`\n==== conflist-examples/${name}.conflist ====`);
  console.log(`\nThe host before; the runtime has made a namespace for container ${containerId}:\n`);
  printHost(hns.dump());
  const result = await cni('ADD');
  console.log('\nThe host after ADD:\n');
  printHost(hns.dump());
  await cni('CHECK', { prevResult: JSON.parse(result) });
  await cni('DEL');
  console.log('\nThe host after DEL; the network stays for the next pod:\n');
  printHost(hns.dump());
  await hns.stop();
}
