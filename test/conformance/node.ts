// A node for a runtime: a Host Network Service, an IPAM plugin, and win-hcn as a process.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Hns, type HnsOptions, startHns } from '../simulator/hns.ts';
import { Ipam } from './ipam.ts';
import type { Start, Transport } from './transport.ts';

export type Config = Readonly<Record<string, unknown>>;

/** Differences from an ordinary request; an undefined member is removed. */
export interface Request extends Partial<Omit<Start, 'environment'>> {
  readonly command?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly config?: Config;
  /** Returns stdin from the ordinary configuration. */
  readonly encode?: (json: string) => string | Uint8Array;
  /** A hanging call to HCN ends only with the process, by a kill that has no exit code outside of Windows. */
  readonly hangs?: true;
}

export interface Answer {
  readonly ok: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into whatever was printed
  readonly json: any;
  readonly stdout: string;
  readonly stderr: string;
  readonly milliseconds: number;
}

export interface Node {
  readonly hns: Hns;
  readonly ipam: Ipam;
  readonly netns: string;
  /** The ordinary configuration, changed. */
  config(changes?: Config): Config;
  /** Runs one request and asserts what holds for every answer. */
  cni(request?: Request): Promise<Answer>;
  /** The same without the assertions, for a request that is killed. */
  start(request?: Request): ReturnType<Transport['run']>;
  endpointNames(): readonly unknown[];
  stop(): Promise<void>;
}

export async function startNode(transport: Transport, options: HnsOptions = {}): Promise<Node> {
  const hns = await startHns(options);
  const folder = mkdtempSync(join(tmpdir(), 'win-hcn-conformance-'));
  const ipam = new Ipam(folder);
  const netns = hns.createNamespace();
  const { WIN_HCN_LIBRARY, WIN_HCN_SIMULATED_HNS } = hns.environment;
  const base = {
    CNI_COMMAND: 'ADD',
    CNI_CONTAINERID: 'c1',
    CNI_NETNS: netns,
    CNI_IFNAME: 'eth0',
    CNI_PATH: transport.windows ? 'C:\\opt\\cni\\bin' : folder,
    WIN_HCN_SIMULATED_HNS,
    ...(transport.windows ? {} : { WIN_HCN_LIBRARY }),
  };

  const config = (changes: Config = {}): Config =>
    present({
      cniVersion: '1.1.0',
      name: 'n1',
      type: 'win-hcn',
      networkType: 'L2Bridge',
      subnets: [{ subnet: '10.5.0.0/24' }],
      ...(transport.windows ? { adapter: 'Ethernet' } : { ipam: { type: ipam.type } }),
      ...changes,
    });

  const start = ({ command, env, config: changes, encode, stdin, hangs: _, ...rest }: Request = {}) => {
    const json = JSON.stringify(config(changes));
    const environment = present({ ...base, ...(command !== undefined && { CNI_COMMAND: command }), ...env });
    return transport.run({ ...rest, environment, stdin: stdin ?? encode?.(json) ?? json });
  };

  const cni = async (request: Request = {}): Promise<Answer> => {
    const began = performance.now();
    const { exitCode, stdout, stderr } = await start(request);
    const milliseconds = performance.now() - began;
    expect(milliseconds, 'how long it took').toBeLessThan(20_000);
    expect(stderr).not.toMatch(/^\s+at .*:\d+:\d+\)?$/m);
    const json = stdout === '' ? undefined : JSON.parse(stdout);
    const command = { ...base, CNI_COMMAND: request.command ?? base.CNI_COMMAND, ...request.env }.CNI_COMMAND;
    const ok = exitCode === 0;
    if (!ok) expectError(request.hangs ? (exitCode ?? 1) : exitCode, json);
    else if (command === 'ADD' || command === 'VERSION')
      expect({ json, stderr, milliseconds }).toMatchObject({ json: expect.any(Object) });
    else expect(stdout).toBe('');
    return { ok, json, stdout, stderr, milliseconds };
  };

  return {
    hns,
    ipam,
    netns,
    config,
    cni,
    start,
    endpointNames: () => hns.dump().endpoints.map(({ Name }) => Name),
    stop: async () => {
      ipam.stop();
      await hns.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

function expectError(exitCode: number | undefined, json: unknown): void {
  expect(exitCode).toBe(1);
  expect(json).toEqual({
    cniVersion: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    code: expect.any(Number),
    msg: expect.stringMatching(/./),
    ...(typeof json === 'object' && json !== null && 'details' in json
      ? { details: expect.any(String) }
      : {}),
  });
  expect(json).toMatchObject({ code: expect.toSatisfy((code) => Number.isInteger(code) && code > 0) });
}

function present<T>(members: Readonly<Record<string, T | undefined>>): Readonly<Record<string, T>> {
  return Object.fromEntries(
    Object.entries(members).filter((entry): entry is [string, T] => entry[1] !== undefined),
  );
}
