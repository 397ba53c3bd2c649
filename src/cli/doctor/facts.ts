import type { NetworkConfig } from '../../config/network-config.ts';
import type { HnsVersion } from '../../hcn/documents.ts';
import type { Inventory } from '../../model/inventory.ts';
import type { HostAdapter } from '../../net/host-adapter.ts';
import type { NodeRoute } from '../../net/node-route.ts';
import type { ConfFile } from '../conflist/conf-file.ts';
import type { Containerd } from '../containerd/read-containerd.ts';
import type { FileAccess } from '../terminal/access.ts';
import type { Fact } from '../terminal/powershell.ts';
import type { MissingEndpoints } from './missing-endpoints.ts';
import type { HostLocal } from './runtime/host-local.ts';

/** The facts that checks share. A check that needs more has a query of its own. */
export interface Facts extends RuntimeFacts, HcnFacts {
  readonly time: Date;
  /** The path of the running exe. */
  readonly executable: string;
  readonly adapters: Fact<readonly HostAdapter[]>;
  /** Not queried unless the configuration asks for routes. */
  readonly routes: Fact<readonly NodeRoute[]>;
}

/** What HCN returned. */
export interface HcnFacts {
  readonly version: Fact<HnsVersion>;
  readonly inventory: Fact<Inventory>;
  /** What lacks its endpoint in the inventory and in a second look. */
  readonly missingEndpoints: Fact<MissingEndpoints>;
}

/** What containerd, its configuration and its folders have. */
export interface RuntimeFacts {
  readonly containerd: Containerd;
  readonly configuration: Configuration;
  /** Files and folders whose access rights matter; only those that exist. */
  readonly files: Fact<readonly FileAccess[]>;
  /** The paths among them that are only parent folders of the others. */
  readonly parents: readonly string[];
  readonly log: Log;
  /** Undefined if no file is for win-hcn, or it has another IPAM plugin. */
  readonly hostLocal: HostLocal | undefined;
}

/** The configuration that containerd reads, or the given one. */
export interface Configuration {
  /** The files in the runtime's folder, in the runtime's order, or the one given with --conf. */
  readonly files: Fact<readonly ConfFile[]>;
  readonly isGiven: boolean;
  /** The program of each plugin type in the files; undefined if it is in no folder. */
  readonly programs: Readonly<Record<string, string | undefined>>;
  /** The network of the file that checks use; undefined if there is none or it is invalid. */
  readonly network: NetworkConfig | undefined;
}

/** The log of win-hcn. */
export interface Log {
  /** Empty if win-hcn writes no log. */
  readonly path: string;
  readonly content: Fact<string>;
  /** The log file and its folders. */
  readonly paths: readonly string[];
}

/** The file that containerd uses; undefined if the folder is empty or cannot be read. */
export function firstConf({ files }: Pick<Configuration, 'files'>): ConfFile | undefined {
  return 'value' in files ? files.value[0] : undefined;
}
