import { chmodSync, type FSWatcher, mkdtempSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Exit } from '../../src/system/spawn-program.ts';
import type { Ipam } from './ipam.ts';

/** A program in front of an IPAM plugin in memory, for win-hcn as a process. */
export interface IpamProgram {
  /** The folder for CNI_PATH. */
  readonly folder: string;
  /** Runs instead of the answer to the k-th run from now. The program then waits until it is ended. */
  holdRun(ordinal: number): Promise<HeldRun>;
  stop(): void;
}

export interface HeldRun {
  /** Executes the request of the program. */
  work(): void;
  /** Ends the program without an answer. */
  end(): void;
}

/** Writes its request to a file, and reads exit code and output from a pipe. */
const script = `#!/bin/sh
ask="\${0%/*}/$$"
mkfifo "$ask.answer"
{ echo "$CNI_COMMAND $CNI_CONTAINERID $CNI_IFNAME"; cat; } > "$ask.part"
mv "$ask.part" "$ask.ask"
{ read -r code; cat; } < "$ask.answer"
exit "$code"
`;

export function startIpamProgram(ipam: Ipam, name = 'test-ipam'): IpamProgram {
  const folder = mkdtempSync(join(tmpdir(), 'win-hcn-ipam-'));
  const path = join(folder, name);
  writeFileSync(path, script);
  chmodSync(path, 0o755);
  let hold: { left: number; readonly call: (run: HeldRun) => void } | undefined;

  const answer = (processId: string): void => {
    const [head = '', ...stdin] = readFileSync(join(folder, `${processId}.ask`), 'utf8').split('\n');
    const [CNI_COMMAND, CNI_CONTAINERID, CNI_IFNAME] = head.split(' ');
    const run = (): Exit => ipam.run({ CNI_COMMAND, CNI_CONTAINERID, CNI_IFNAME }, stdin.join('\n'));
    if (hold !== undefined) hold.left -= 1;
    if (hold?.left === 0) {
      hold.call({ work: () => void run(), end: () => void process.kill(Number(processId), 'SIGKILL') });
      hold = undefined;
      return;
    }
    const { exitCode, stdout } = run();
    void writeFile(join(folder, `${processId}.answer`), `${exitCode}\n${stdout}`);
  };
  const watcher: FSWatcher = watch(folder, (event, file) => {
    const processId = /^(\d+)\.ask$/.exec(file ?? '')?.[1];
    if (event === 'rename' && processId !== undefined) answer(processId);
  });

  return {
    folder,
    holdRun: (ordinal) =>
      new Promise((resolve) => {
        hold = { left: ordinal, call: resolve };
      }),
    stop: () => {
      watcher.close();
      rmSync(folder, { recursive: true });
    },
  };
}
