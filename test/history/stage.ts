import { setImmediate as turn } from 'node:timers/promises';
import { symbolOf } from '../../src/cli/probe/experiment.ts';
import type { HcnInterceptor } from '../../src/hcn/library.ts';
import { type KubeProxy, startKubeProxy } from '../cluster/agents/kube-proxy.ts';
import { healthy, type ScriptOutputs } from '../e2e/cli/doctor-node.ts';
import { eventClock } from '../e2e/clock.ts';
import { type Node, type Pod, startNode } from '../e2e/node.ts';
import type { WindowsLibraries } from '../simulator/hns.ts';
import { type HresultName, hresultOf } from '../simulator/hresults.ts';
import { noLatency } from '../simulator/latency.ts';
import { newRandom, type Random } from '../storm/random.ts';
import { runWords } from './command-line.ts';
import { l2bridge } from './configurations.ts';
import { expectText } from './expect-text.ts';
import { leftOn } from './left.ts';
import type { Scenario } from './scenario.ts';

/** A simulated node on which a scenario is played. It logs what happens, and throws if an answer is not as expected. */
export interface Stage extends Pick<Node, 'hns' | 'hcn' | 'ipam' | 'outside'> {
  readonly config: Readonly<Record<string, unknown>>;
  /** The pods that the runtime has added, and not deleted. */
  readonly attached: Set<string>;
  /** Varies the order with the seed. */
  readonly random: Random;
  /** Creates a pod's namespace, as the runtime does, unless it exists. */
  pod(name: string, namespaceType?: string): Pod;
  /** ADD for a pod, in whose namespace the container then runs, and CHECK. Expects the addresses, or the code and parts of the error. */
  add(pod: string, expected: string, changes?: object): Promise<void>;
  /** CHECK of a pod. Expects `ok`, or the code and parts of the error, as the following do. */
  check(pod: string, expected: string): Promise<void>;
  /** Ends the container of a pod, DEL, and if it succeeds deletes the namespace. */
  del(pod: string, expected: string): Promise<void>;
  /** GC with the attachments of these pods. */
  gc(valid: readonly string[], expected: string): Promise<void>;
  status(expected: string): Promise<void>;
  /** Runs a command line of win-hcn. Expects its exit code and parts of its output. */
  cli(words: string, exitCode: number, ...parts: readonly string[]): Promise<void>;
  /** What PowerShell's scripts return to doctor. */
  scripts: ScriptOutputs;
  /** Files of the command line besides containerd's and `net.conf`, the scenario's configuration. */
  readonly files: Record<string, string>;
  /** Starts kube-proxy, which deletes all load balancers. */
  kubeProxy(sourceVip?: string): Promise<KubeProxy>;
  /** HNS refuses the next call of a function. */
  refuse(name: string, code: HresultName): Promise<void>;
  /** The container of a pod ends, and something else detaches its endpoint. */
  detach(pod: string): Promise<void>;
  /** The IPAM plugin assigns this address from now on. */
  assign(address: string, gateway: string): void;
  /** Logs and does what another program or the administrator does. */
  event(what: string, happen: () => unknown): Promise<void>;
  /** Compares a value. */
  expect(what: string, actual: unknown, expected: unknown): void;
  log(line: string): void;
  /** Logs the calls of a request to HCN with their results. */
  logCalls(who: string): HcnInterceptor;
  /** What is on the node. */
  left(): string;
  stop(): Promise<void>;
}

/** Starts the node of a scenario. */
export async function startStage(scenario: Scenario, seed: number, log: Stage['log']): Promise<Stage> {
  const { hns: options, config = l2bridge } = scenario;
  const random = newRandom(`history ${seed}`);
  const node = await startNode(options, eventClock, (hns) => inSomeOrder(hns.withoutDlls(), random));
  const { hns, hcn, ipam, outside } = node;
  hns.delay({ ...noLatency, sleep: passTurns });
  // The first request loads it, which takes a time that no seed decides.
  await import('../../src/config/read-config.ts');
  const [first, second] = Object(config['subnets'] ?? []);
  if (first !== undefined) ipam.prefix = first.subnet.replace(/0\/\d+$/, '');
  if (second !== undefined) ipam.prefix6 = second.subnet.replace(/\/\d+$/, '');
  const pods = new Map<string, Pod>();
  const pod = (name: string, type = 'Host'): Pod => {
    const made = pods.get(name) ?? { containerId: name, netns: hns.createNamespace(type) };
    pods.set(name, made);
    return made;
  };
  const attached = new Set<string>();
  const logCalls =
    (who: string): HcnInterceptor =>
    async (call, make) => {
      const answered = await make();
      const { name, id = '' } = call;
      if (!name.startsWith('HcnClose'))
        log(`    ${who}${name} ${id}: ${answered.hresult === 0 ? 'ok' : symbolOf(answered.hresult)}`);
      return answered;
    };
  const stage: Stage = {
    ...{ hns, hcn, ipam, outside, config, attached, random, pod, log, logCalls, scripts: healthy, files: {} },
    ...requests(node, { pod, config, attached, log, logCalls }),
    cli: (words, exitCode, ...parts) => runWords(stage, words, exitCode, parts),
    kubeProxy: (sourceVip) => {
      log('kube-proxy starts');
      const network = String(config['name']);
      const hostMac = '00-15-5D-00-00-04';
      return startKubeProxy({
        hcn,
        network,
        nodeIP: '10.0.0.4',
        hostMac,
        dsr: true,
        ...(sourceVip && { sourceVip }),
      });
    },
    event: async (what, happen) => {
      log(what);
      await happen();
    },
    refuse: (name, code) => {
      const effect = { hresult: hresultOf(code) };
      return stage.event(`HNS refuses the next ${name}`, () => hns.inject({ function: name, effect }));
    },
    detach: (name) =>
      stage.event(`the endpoint of ${name} is detached`, () => {
        const { netns } = pod(name);
        hns.detachContainer(netns, name);
        const own = hns.dump().endpoints.find(({ HostComputeNamespace }) => HostComputeNamespace === netns);
        return hcn.removeEndpoint(netns, String(own?.['ID']));
      }),
    assign: (address, gateway) => {
      const stdout = JSON.stringify({ cniVersion: '1.1.0', ips: [{ address, gateway }] });
      ipam.override.set('ADD', { exitCode: 0, stdout });
    },
    expect: (what, actual, expected) => {
      log(`  ${what}: ${JSON.stringify(actual)}`);
      expectText(what, JSON.stringify(actual), JSON.stringify(expected));
    },
    left: () => leftOn(node, pods, Object(config['ipam'])['type'] !== undefined),
    stop: node.stop,
  };
  return stage;
}

type Requests = Pick<Stage, 'add' | 'check' | 'del' | 'gc' | 'status'>;

/** What the runtime asks of the plugin. */
function requests(
  { hns, hcn, cni }: Node,
  { pod, config, attached, log, logCalls }: Pick<Stage, 'pod' | 'config' | 'attached' | 'log' | 'logCalls'>,
): Requests {
  const results = new Map<string, unknown>();
  const ask = async (command: string, name: string, expected: string, changes: object = {}) => {
    const who = name === '' ? command : `${command} ${name}`;
    log(who);
    const attachment = name === '' ? { containerId: '', netns: '' } : pod(name);
    const intercept = logCalls(name && `${name}: `);
    const { json = {} } = await cni(command, {
      config: { ...config, ...changes },
      pod: attachment,
      intercept,
    });
    const { code = 0, msg, details } = json;
    const addresses: readonly { readonly address: string }[] = json.ips ?? [];
    const isDone = code === 0;
    const done = addresses.map(({ address }) => address.replace(/\/.*/, '')).join(' ') || 'ok';
    const answer = isDone ? done : `${code}: ${[msg, details].filter(Boolean).join('; ')}`;
    log(`  ${who}: ${answer}`);
    expectText(who, answer, expected);
    if (command === 'ADD' && isDone) results.set(name, json);
    return isDone;
  };
  return {
    add: async (name, expected, changes) => {
      if (!(await ask('ADD', name, expected, changes))) return;
      attached.add(name);
      hns.attachContainer(pod(name).netns, name);
      await ask('CHECK', name, 'ok', { prevResult: results.get(name) });
    },
    check: async (name, expected) =>
      void (await ask('CHECK', name, expected, { prevResult: results.get(name) })),
    del: async (name, expected) => {
      const { netns } = pod(name);
      const namespace = hns.dump().namespaces.find(({ ID }) => ID === netns);
      if (JSON.stringify(namespace ?? '').includes('"Container"')) hns.detachContainer(netns, name);
      if (!(await ask('DEL', name, expected))) return;
      attached.delete(name);
      await hcn
        .deleteNamespace(netns)
        .catch((error: Error) => log(`  namespace of ${name}: ${error.message}`));
    },
    gc: async (valid, expected) => {
      const attachments = valid.map((containerID) => ({ containerID, ifname: 'eth0' }));
      await ask('GC', '', expected, { 'cni.dev/valid-attachments': attachments });
    },
    status: async (expected) => void (await ask('STATUS', '', expected)),
  };
}

async function passTurns(count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1) await turn();
}

/** Lets some turns pass before each call, so that the order of simultaneous requests depends on the seed. */
function inSomeOrder({ library, ipHelper }: WindowsLibraries, random: Random): WindowsLibraries {
  const later = ([name, call]: [string, (...given: unknown[]) => Promise<unknown>]) =>
    [
      name,
      async (...given: unknown[]) => {
        await passTurns(random.below(6));
        return call(...given);
      },
    ] as const;
  return {
    library: Object.fromEntries(Object.entries(library).map(later)) as unknown as typeof library,
    ipHelper,
  };
}
