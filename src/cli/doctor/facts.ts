import type { NetworkConfig } from '../../config/network-config.ts';
import type { HnsVersion } from '../../hcn/documents.ts';
import type { Inventory } from '../../model/inventory.ts';
import type { HostAdapter } from '../../net/host-adapter.ts';
import type { Account } from './collectors/account.ts';
import type { ContainerdCommands } from './collectors/containerd-commands.ts';
import type { FileAccess } from './collectors/files.ts';
import type { HnsService } from './collectors/hns-service.ts';
import type { LoggedAnswer } from './collectors/log-answers.ts';
import type { ProtocolPorts } from './collectors/ports.ts';
import type { WindowsVersion } from './collectors/windows-version.ts';
import type { CniFolders, ContainerdConfig } from './containerd/cni-folders.ts';
import type { ConfFile } from './containerd/conf-file.ts';
import type { Fact } from './fact.ts';

/** All that the checks decide by. */
export interface Facts {
  /** The path of the running exe. */
  readonly executable: string;
  readonly account: Fact<Account>;
  readonly windows: Fact<WindowsVersion>;
  readonly service: Fact<HnsService>;
  readonly crashes: Fact<readonly string[]>;
  readonly version: Fact<HnsVersion>;
  readonly inventory: Fact<Inventory>;
  readonly adapters: Fact<readonly HostAdapter[]>;
  readonly containerd: Containerd;
  readonly configuration: Configuration;
  readonly files: Fact<readonly FileAccess[]>;
  /** Of those, the folders that win-hcn's places are in. */
  readonly above: readonly string[];
  readonly ports: Fact<readonly ProtocolPorts[]>;
  readonly log: LogFacts;
}

export interface Containerd {
  readonly commands: Fact<ContainerdCommands>;
  /** Of its configuration: the default one where no command line names another, or none is known. */
  readonly path: string;
  readonly config: Fact<ContainerdConfig>;
  /** The default ones where the configuration is not known. */
  readonly folders: CniFolders;
}

/** What pods are to get. */
export interface Configuration {
  /** The files of the runtime's folder in their order, or the one that was given. */
  readonly files: Fact<readonly ConfFile[]>;
  readonly isGiven: boolean;
  /** The programs that the first file names, by their plugin's type; undefined for one that is in no folder. */
  readonly programs: Readonly<Record<string, string | undefined>>;
  /** What the first file means, where it is for win-hcn and valid. */
  readonly network: NetworkConfig | undefined;
}

export interface LogFacts {
  /** Empty where none is written. */
  readonly path: string;
  readonly answers: Fact<readonly LoggedAnswer[]>;
  /** The folders that are win-hcn's own, and the file. */
  readonly places: readonly string[];
}

/** The configuration that pods get; undefined where there is none, or nobody knows. */
export function firstConf({ files }: Pick<Configuration, 'files'>): ConfFile | undefined {
  return 'known' in files ? files.known[0] : undefined;
}

/** Whether it is certain which folders the runtime has. */
export function areFoldersKnown({ commands, config }: Containerd): boolean {
  return 'known' in commands && 'known' in config;
}
