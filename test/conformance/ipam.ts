// An IPAM plugin as a program: it leases like host-local and records its runs.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** A lease is a file with its owner, named after the address. Tests write `on-ADD` and so on to replace a command. */
const script = `#!/bin/sh
d=$0.d
cat > "$d/stdin-$CNI_COMMAND"
env > "$d/env-$CNI_COMMAND"
echo "$CNI_COMMAND" >> "$d/calls"
if [ -f "$d/on-$CNI_COMMAND" ]; then . "$d/on-$CNI_COMMAND"; exit; fi
owner="$CNI_CONTAINERID $CNI_IFNAME"
leases=$(grep -lFx "$owner" "$d"/lease-* 2>/dev/null)
case $CNI_COMMAND in
ADD)
  if [ -n "$leases" ]; then echo '{"code":100,"msg":"this owner has a lease"}'; exit 1; fi
  n=2
  while ! (set -C; echo "$owner" > "$d/lease-10.5.0.$n") 2>/dev/null; do n=$((n + 1)); done
  echo '{"ips":[{"version":"4","address":"10.5.0.'$n'/24","gateway":"10.5.0.1"}],"routes":[{"dst":"0.0.0.0/0"}]}' ;;
CHECK)
  if [ -z "$leases" ]; then echo '{"code":100,"msg":"this owner has no lease"}'; exit 1; fi ;;
DEL)
  if [ -n "$leases" ]; then rm $leases; fi ;;
esac
`;

export type IpamCommand = 'ADD' | 'CHECK' | 'DEL' | 'STATUS' | 'GC';

export class Ipam {
  readonly folder: string;
  readonly type: string;

  constructor(folder: string, type = 'test-ipam') {
    this.folder = folder;
    this.type = type;
    mkdirSync(join(folder, `${type}.d`), { recursive: true });
    writeFileSync(join(folder, type), script, { mode: 0o755 });
  }

  /** Makes the plugin run this (lines of sh, with \`$d\` as its folder) instead of leasing. */
  on(command: IpamCommand, fragment: string): void {
    writeFileSync(this.#path(`on-${command}`), `${fragment}\n`);
  }

  /** Makes the plugin print this on stdout. */
  answer(command: IpamCommand, text: string, exitCode = 0): void {
    writeFileSync(this.#path(`answer-${command}`), text);
    this.on(command, `cat "$d/answer-${command}"; exit ${exitCode}`);
  }

  again(command: IpamCommand): void {
    rmSync(this.#path(`on-${command}`));
  }

  /** The commands of its runs, in order. */
  get calls(): readonly string[] {
    return this.#read('calls').split('\n').filter(Boolean);
  }

  /** The owner of each leased address. */
  get leases(): Readonly<Record<string, string>> {
    const names = readdirSync(this.#path('')).filter((name) => name.startsWith('lease-'));
    return Object.fromEntries(names.map((name) => [name.slice('lease-'.length), this.#read(name).trim()]));
  }

  stdin(command: IpamCommand): string {
    return this.#read(`stdin-${command}`);
  }

  environment(command: IpamCommand): Readonly<Record<string, string>> {
    const lines = this.#read(`env-${command}`).split('\n').filter(Boolean);
    return Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    );
  }

  /** Ends the process that a fragment noted in \`$d/pid\`. */
  stop(): void {
    const pid = Number(this.#read('pid'));
    if (pid > 0) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // The process has ended.
      }
    }
  }

  #path(name: string): string {
    return join(this.folder, `${basename(this.type)}.d`, name);
  }

  #read(name: string): string {
    return existsSync(this.#path(name)) ? readFileSync(this.#path(name), 'utf8') : '';
  }
}
