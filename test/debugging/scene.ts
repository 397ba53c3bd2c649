import type { System } from '../../src/system.ts';
import { type CliEnvironment, runCli } from '../e2e/cli/run-cli.ts';
import { type Answer, type Node, startNode } from '../e2e/node.ts';
import type { HnsOptions } from '../simulator/hns.ts';

/** A node with a problem, and the commands that a person runs on it. */
export interface Scene {
  /** Returns the output of a command, without the last line break. */
  run(command: string): Promise<string>;
  close(): Promise<void>;
}

/** The parts of the node besides HCN. */
export interface Props extends Pick<CliEnvironment, 'files' | 'powershell'> {
  /** Changes to the system of the node. */
  readonly system?: Partial<System>;
  /** The output of commands other than win-hcn. */
  readonly others?: Readonly<Record<string, () => string | Promise<string>>>;
}

/** The time of the scenes. */
const night = new Date('2026-11-21T03:00:00Z');

/** Creates a scene on a new node, which `prepare` brings into its state. */
export async function newScene(
  prepare: (node: Node) => Promise<Props>,
  options: HnsOptions = {},
): Promise<Scene> {
  const node = await startNode(options);
  const { others = {}, system = {}, ...surroundings } = await prepare(node);
  const outside = { ...node.outside, clock: () => night, ...system };
  const print = async (command: string) => {
    const [program, ...words] = wordsOf(command);
    const other = others[command];
    if (other !== undefined) return other();
    if (program !== 'win-hcn') throw new Error(`nobody says what "${command}" prints`);
    const printed: string[] = [];
    await runCli(words, { ...surroundings, system: outside, listener: (text) => printed.push(text) });
    return printed.join('').replace(/\n$/, '');
  };
  return {
    // On a node each command is a process, and its calls end with it.
    run: (command) => print(command).finally(() => node.hns.release()),
    close: () => node.stop(),
  };
}

/** A pod whose ADD the kubelet retries, as shown by kubectl. */
export interface Tried {
  /** Runs the ADD once and returns the last event. */
  describe(): Promise<string>;
  /** Runs the ADD again and returns the pod. */
  get(): Promise<string>;
}

export function tried(node: Node, config: () => NamedConfig): Tried {
  const pod = node.newPod('web');
  const add = () => node.cni('ADD', { config: config(), pod });
  return {
    describe: async () => `Warning  FailedCreatePodSandBox  ${libcniError(await add(), config())}`,
    get: async () => {
      const { exitCode } = await add();
      return `NAME  READY  STATUS\nweb   ${exitCode === 0 ? '1/1    Running' : '0/1    ContainerCreating'}`;
    },
  };
}

interface NamedConfig {
  readonly name: string;
  readonly type: string;
}

/** Returns an error in libcni's format. */
function libcniError({ json }: Answer, { name, type }: NamedConfig): string {
  if (json?.msg === undefined) throw new Error('the ADD succeeded');
  const { msg, details } = json;
  const text = details === undefined ? msg : `${msg}; ${details}`;
  return `plugin type="${type}" name="${name}" failed (add): ${text}`;
}

/** Splits a line without variables as PowerShell does. */
function wordsOf(command: string): readonly string[] {
  return [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, bare]) => single ?? double ?? bare ?? '',
  );
}
