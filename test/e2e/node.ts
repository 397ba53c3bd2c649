import { type HcnClient, hcnClient } from '../../src/hcn/client.ts';
import { loadComputeNetwork } from '../../src/hcn/computenetwork.ts';
import { type HcnInterceptor, interceptHcnCalls } from '../../src/hcn/library.ts';
import { loadIpHelper } from '../../src/iphlpapi/load-ip-helper.ts';
import type { Outcome } from '../../src/plugin/outcome.ts';
import { run } from '../../src/plugin/run.ts';
import { type System, system } from '../../src/system.ts';
import { type Hns, type HnsOptions, startHns, type WindowsLibraries } from '../simulator/hns.ts';
import { type Clock, eventClock, timed } from './clock.ts';
import { inOrder } from './in-order.ts';
import { type Ipam, newIpam } from './ipam.ts';

/** A simulated Windows node: a Host Network Service, an IPAM plugin, and win-hcn in this process. */
export interface Node {
  readonly hns: Hns;
  readonly ipam: Ipam;
  /** A client of HCN for the actions of other programs. */
  readonly hcn: HcnClient;
  /** The parts of `System` that the node replaces, for tests of other commands. */
  readonly outside: Partial<System>;
  /** Runs one CNI command. */
  cni(command: string, call: Call): Promise<Answer>;
  /** Run this command for `eth0` of a pod. Default: a new pod. */
  readonly add: Request;
  readonly check: Request;
  readonly del: Request;
  readonly gc: Request;
  readonly status: Request;
  /** Creates a namespace, as containerd does before ADD. */
  newPod(containerId?: string): Pod;
  stop(): Promise<void>;
}

export interface Pod {
  readonly containerId: string;
  readonly netns: string;
}

export interface Call {
  readonly config: object;
  readonly pod: Pod;
  readonly ifname?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** The log file if the configuration has none. Default: no log file. */
  readonly defaultLogFile?: string;
  /** Prints the result of ADD. Default: it is only returned. */
  readonly print?: (stdout: string) => void;
  /** Replaces parts of the system of this command. */
  readonly through?: (system: System) => System;
  /** Runs before and after each call to HCN. */
  readonly intercept?: HcnInterceptor;
}

type Request = (config: object, pod?: Pod) => Promise<Answer>;

/** An outcome with stdout parsed as JSON; undefined if it is empty. */
export interface Answer extends Outcome {
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into whatever was printed
  readonly json: any;
  /** The called HCN functions in order. */
  readonly calls: readonly string[];
  /** The text on stderr. */
  readonly log: string;
}

/** Starts a node. By default time passes only while calls hang, and win-hcn calls the stub, which connects to the service. */
export async function startNode(
  options: HnsOptions = {},
  clockFor: (hns: Hns) => Clock = eventClock,
  librariesOf: (hns: Hns) => WindowsLibraries = stubOf,
): Promise<Node> {
  const hns = await startHns(options);
  const clock = clockFor(hns);
  let isRunning = true;
  const connect = () => {
    if (isRunning) process.env['WIN_HCN_SIMULATED_HNS'] = hns.environment.WIN_HCN_SIMULATED_HNS;
  };
  connect();
  const libraries = librariesOf(hns);
  const library = timed(before(connect, libraries.library), clock);
  const ipHelper = timed(before(connect, libraries.ipHelper), clock);
  const ipam = newIpam();
  let pods = 0;

  const ordered = (intercept?: HcnInterceptor): Pick<System, 'loadLibrary' | 'loadIpHelper'> => {
    const inTurn = inOrder(hns);
    const intercepted = intercept ? interceptHcnCalls(async () => library, intercept) : library;
    return { loadLibrary: async () => inTurn(intercepted), loadIpHelper: async () => inTurn(ipHelper) };
  };
  const outside: Partial<System> = {
    isFile: (path) => /^\/opt\/cni\/bin\/(test-ipam|host-local|azure-vnet-ipam)$/.test(path),
    spawn: async (_path, childEnvironment, stdin) => ipam.run(childEnvironment, stdin),
    ...ordered(),
    timer: clock.timer,
    now: clock.now,
    logFile: '',
  };

  const cni = async (command: string, call: Call): Promise<Answer> => {
    const { config, pod, ifname, environment, defaultLogFile = '', print, intercept, through } = call;
    const before = hns.calls.length;
    let log = '';
    const fake: System = {
      ...system,
      ...outside,
      ...ordered(intercept),
      environment: {
        CNI_COMMAND: command,
        CNI_CONTAINERID: pod.containerId,
        CNI_NETNS: pod.netns,
        CNI_IFNAME: ifname ?? 'eth0',
        CNI_PATH: '/opt/cni/bin',
        ...environment,
      },
      readStdin: () => new TextEncoder().encode(JSON.stringify(config)),
      writeStderr: (text) => {
        log += text;
      },
      logFile: defaultLogFile,
    };
    const outcome = await run(through?.(fake) ?? fake, undefined, print);
    const json = outcome.stdout === '' ? undefined : JSON.parse(outcome.stdout);
    return { ...outcome, json, calls: hns.calls.slice(before).map((call) => call.function), log };
  };

  const newPod = (containerId = `pod${++pods}`): Pod => ({ containerId, netns: hns.createNamespace() });
  const request =
    (command: string): Request =>
    (config, pod = newPod()) =>
      cni(command, { config, pod });

  return {
    hns,
    ipam,
    hcn: hcnClient(library),
    outside,
    cni,
    add: request('ADD'),
    check: request('CHECK'),
    del: request('DEL'),
    gc: request('GC'),
    status: request('STATUS'),
    newPod,
    stop: () => {
      isRunning = false;
      return hns.stop();
    },
  };
}

function stubOf({ environment: { WIN_HCN_LIBRARY } }: Hns): WindowsLibraries {
  return { library: loadComputeNetwork(WIN_HCN_LIBRARY), ipHelper: loadIpHelper(WIN_HCN_LIBRARY) };
}

/**
 * Returns the same functions, which call `connect` first: the stub reads the address of the service from the environment. So calls of several
 * nodes of one test must not overlap. A call that a test left behind must not connect the next test to a service that has stopped.
 */
function before<L extends object>(connect: () => void, library: L): L {
  const known = ([name, call]: [string, (...given: unknown[]) => Promise<unknown>]) =>
    [
      name,
      (...given: unknown[]) => {
        connect();
        return call(...given);
      },
    ] as const;
  return Object.fromEntries(Object.entries(library).map(known)) as L;
}
