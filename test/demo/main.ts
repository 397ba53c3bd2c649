/**
 * Demonstrates win-hcn on the simulated Host Network Service: runs ADD, CHECK and DEL of a pod for the examples l2bridge and overlay,
 * prints the host before and after each as `win-hcn ls` does, and ends with what happened to each pod.
 */
import { loadComputeNetwork } from '../../src/hcn/computenetwork.ts';
import { runCli } from '../e2e/cli/run-cli.ts';
import { example } from '../e2e/example.ts';
import { runBundle } from '../e2e/process.ts';
import { type Hns, startHns } from '../simulator/hns.ts';

const summaries: string[] = [];
for (const [container, name] of [
  ['pod1', 'l2bridge'],
  ['pod2', 'overlay'],
] as const) {
  const hns = await startHns();
  try {
    summaries.push(await demonstrate(container, name, hns));
  } finally {
    await hns.stop();
  }
}
console.log(`\n==== Summary ====\n\n${summaries.join('\n').trimEnd()}`);

/** Runs the pod of an example, and returns what happened to it. */
async function demonstrate(container: string, name: string, hns: Hns): Promise<string> {
  const netns = hns.createNamespace();
  const config = example(name);
  console.log(`\n==== conflist-examples/${name}.conflist ====`);
  console.log(`\nThe host before; the runtime has created a namespace for ${container}:\n`);
  console.log(await list(hns));

  const run = async (command: string, extra: object = {}) => {
    hns.clearCalls();
    const environment = {
      ...hns.environment,
      CNI_COMMAND: command,
      CNI_CONTAINERID: container,
      CNI_NETNS: netns,
      CNI_IFNAME: 'eth0',
    };
    const { exitCode, stdout } = await runBundle(environment, JSON.stringify({ ...config, ...extra }));
    const calls = hns.calls.map((call) => call.function);
    console.log(`\n> CNI_COMMAND=${command} win-hcn: exit code ${exitCode} after these calls to HCN:`);
    console.log(calls.map((call) => `    ${call}`).join('\n'));
    const result = stdout === '' ? undefined : JSON.parse(stdout);
    if (result !== undefined) console.log(JSON.stringify(result, undefined, 2));
    if (exitCode !== 0) throw new Error(`${command} of ${container} failed`);
    return { calls: calls.length, result };
  };

  const added = await run('ADD');
  console.log('\nThe host after ADD:\n');
  console.log(await list(hns));
  await run('CHECK', { prevResult: added.result });
  const deleted = await run('DEL');
  console.log('\nThe host after DEL; the network remains for the next pod:\n');
  console.log(await list(hns));

  const { endpoints } = hns.dump();
  if (endpoints.length > 0) throw new Error(`DEL left ${endpoints.length} endpoints of ${container}`);
  const addresses = added.result.ips.map(({ address }: { address: string }) => address.replace(/\/.*/, ''));
  return [
    `${container} got ${addresses.join(' and ')} on network "${name}" with ${added.calls} HCN calls.`,
    `CHECK found no difference, and DEL removed its endpoint with ${deleted.calls} HCN calls.\n`,
  ].join('\n');
}

/** The output of `win-hcn ls`, as wide as the terminal. */
async function list(hns: Hns): Promise<string> {
  process.env['WIN_HCN_SIMULATED_HNS'] = hns.environment.WIN_HCN_SIMULATED_HNS;
  const library = loadComputeNetwork(hns.environment.WIN_HCN_LIBRARY);
  const { stdout, stderr } = await runCli(['ls'], {
    system: { loadLibrary: async () => library },
    width: process.stdout.columns ?? 80,
    environment: { NO_COLOR: '1' },
  });
  return `> win-hcn ls\n${stdout}${stderr}`.trimEnd();
}
