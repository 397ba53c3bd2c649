/** A folder of src/cli, or a file at its top. */
interface CliModule {
  readonly contains: string;
  /** Other modules of src/cli it may import. */
  readonly imports: readonly string[];
}

/** Which module of the command line may import which. */
export const cliModules: Readonly<Record<string, CliModule>> = {
  terminal: {
    contains: 'what commands share: session, options, tables, wrapping, files, PowerShell, paths of Windows',
    imports: [],
  },
  conflist: {
    contains: 'configuration files: their text, positions, plugins, host-local ranges, logs and checks',
    imports: ['terminal'],
  },
  containerd: { contains: "containerd's configuration and folders", imports: ['terminal'] },
  inventory: {
    contains: 'the objects of HCN as rows, with the names of pods and load balancers; the search for one',
    imports: ['terminal'],
  },
  plugin: {
    contains:
      "the plugin in this process: its configuration, input, run and preview; confirmation of a command's changes",
    imports: ['conflist', 'inventory', 'terminal'],
  },
  traffic: {
    contains: 'follows a packet through a node, by its ACLs, load balancers, NAT and routes',
    imports: ['inventory', 'terminal'],
  },
  gc: {
    contains: 'leftovers and reservations of host-local, and the command that deletes them',
    imports: ['conflist', 'inventory', 'plugin', 'terminal'],
  },
  network: {
    contains: 'creates, connects, describes or deletes a network',
    imports: ['conflist', 'gc', 'inventory', 'plugin', 'terminal'],
  },
  doctor: {
    contains: 'facts of a node, and checks of them',
    imports: ['conflist', 'containerd', 'gc', 'inventory', 'network', 'terminal', 'trace', 'traffic'],
  },
  show: {
    contains: 'shows a pod, address, port or object, or compares two pods',
    imports: ['inventory', 'terminal', 'traffic'],
  },
  capture: {
    contains: 'records packets with pktmon, and counts them at each component',
    imports: ['terminal', 'traffic'],
  },
  trace: {
    contains: 'predicts the path of a packet, and records it',
    imports: ['capture', 'inventory', 'terminal', 'traffic'],
  },
  explain: { contains: 'explains an HRESULT, code or message', imports: ['terminal'] },
  ls: { contains: 'lists objects of HCN', imports: ['inventory', 'terminal'] },
  probe: { contains: 'tests uncertain behavior of HNS', imports: ['inventory', 'terminal'] },
  config: {
    contains: 'generates and checks a conflist, and previews its ADD',
    imports: ['conflist', 'inventory', 'plugin', 'terminal'],
  },
  debug: {
    contains: 'runs the plugin as runtimes do; changes single objects of HCN by hand; tests HNS',
    imports: ['conflist', 'inventory', 'plugin', 'probe', 'terminal'],
  },
  install: {
    contains: 'installs, upgrades and uninstalls win-hcn with changes to files that can be undone',
    imports: ['conflist', 'containerd', 'inventory', 'network', 'plugin', 'terminal'],
  },
  collect: {
    contains: 'creates a support bundle without secrets',
    imports: ['conflist', 'doctor', 'inventory', 'ls', 'terminal'],
  },
  main: {
    contains: 'the list of commands; runs one',
    imports: [
      'collect',
      'config',
      'debug',
      'doctor',
      'explain',
      'gc',
      'install',
      'ls',
      'network',
      'show',
      'terminal',
      'trace',
    ],
  },
};
