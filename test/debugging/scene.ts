import type { System } from '../../src/system.ts';
import { type CliEnvironment, runCli } from '../e2e/cli/run-cli.ts';
import { type Answer, type Node, startNode } from '../e2e/node.ts';
import type { HnsOptions } from '../simulator/hns.ts';

/** A node on which something is wrong, and somebody in front of it. */
export interface Scene {
  /** What a command prints, without the last line break. */
  run(command: string): Promise<string>;
  close(): Promise<void>;
}

/** What is there besides HCN. */
export interface Props extends Pick<CliEnvironment, 'files' | 'powershell'> {
  /** How what is outside differs from the node. */
  readonly system?: Partial<System>;
  /** What is no command of win-hcn, and what it prints. */
  readonly others?: Readonly<Record<string, () => string | Promise<string>>>;
}

/** When people need this page. */
const night = new Date('2026-11-21T03:00:00Z');

/** A scene on a node of its own, which `prepare` brings into its state. */
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
    // On a node each command is a process of its own, and its calls end with it.
    run: (command) => print(command).finally(() => node.hns.release()),
    close: () => node.stop(),
  };
}

/** A pod whose ADD the kubelet tries again and again, as kubectl shows it. */
export interface Tried {
  /** Tries once, and prints the last event. */
  describe(): Promise<string>;
  /** Tries once more, and prints the pod. */
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

/** An error in the words of libcni. */
function libcniError({ json }: Answer, { name, type }: NamedConfig): string {
  if (json?.msg === undefined) throw new Error('the ADD succeeded');
  const { msg, details } = json;
  const text = details === undefined ? msg : `${msg}; ${details}`;
  return `plugin type="${type}" name="${name}" failed (add): ${text}`;
}

/** As PowerShell splits a line without variables. */
function wordsOf(command: string): readonly string[] {
  return [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, bare]) => single ?? double ?? bare ?? '',
  );
}
