import { describe, expect, test } from 'vitest';
import { runBundle } from '../process.ts';
import { runCli, success } from './run-cli.ts';

const help = `Usage: win-hcn [options] [command]

A CNI plugin for the Windows Host Compute Network, and what helps when it is run by hand.

Options:
  -V, --version  show the version
  -h, --help     show this help

Find out what is wrong:
  doctor         what is wrong with this node, in order, each with the command that mends it
  explain        what an HRESULT, a CNI error code or an error text means, and what to do
  ls             networks, endpoints, namespaces and load balancers, each with what it belongs to
  show           one pod, address or object of HCN, with all that belongs to it
  graph          networks, endpoints, namespaces and load balancers as a picture: a tree, a page or Mermaid
  explain-nat    explain NAT and routing for pod traffic
  explain-acl    explain which ACL allows or blocks a connection
  diff           what differs between two pods, one of which works and the other not
  collect        a support bundle: HCN, configurations, logs and Windows of this node in one zip, redacted

Try a configuration:
  validate       what is wrong with a conflist or a plugin configuration, with line and column
  plan           the HCN documents and steps an ADD would take on this node now; nothing changes
  cni            run the plugin as a container runtime does, with what it calls

Change what HCN has:
  network        make the network of a configuration, or delete one
  namespace      make an HCN namespace as a container runtime does, or delete one
  endpoint       make the endpoint of an attachment; attach, detach or delete an endpoint
  loadbalancer   make a load balancer what its configuration says, or delete one
  gc             what pods left behind, and why it is stale; --yes deletes it

Use this command line:
  completion     the script that makes PowerShell complete commands, options and names with Tab
  help           show the help of a command

Examples:
  win-hcn doctor
  win-hcn explain 0x803b002f
  win-hcn show pod 0e12d1d5a8cfb
  win-hcn validate C:\\etc\\cni\\net.d\\10-win-hcn.conflist

Exit codes: 0 success, 1 a problem was found, 2 wrong usage, 3 the Host Network Service does not answer.
Colours are for terminals only, and none with NO_COLOR set.
A container runtime sets CNI_COMMAND, and then none of this is looked at.`;

const explainHelp = `Usage: win-hcn explain [options] <code-or-text...>

Explains an HRESULT in hex or decimal, its symbol, a code of a CNI error object, or every code in a pasted
text. Needs no Windows.

Arguments:
  code-or-text  a code, or words of an error; - reads the text from stdin

Options:
  --json        print JSON
  -h, --help    show this help

Examples:
  win-hcn explain 0x803b002f
  win-hcn explain -2143616977
  win-hcn explain HCN_E_INVALID_IP
  win-hcn explain "HNS failed with error : The parameter is incorrect"
  kubectl describe pod web | win-hcn explain -`;

const validateHelp = `Usage: win-hcn validate [options] <file>

Reads a conflist, or the configuration of one plugin, as a runtime and win-hcn do, and says what is wrong with
it, where. Configurations of other supported plugins are read in their own dialect. Two ACLs that tie are a
warning, an ignored key is a note; neither changes exit code 0. Does not need Windows.

Arguments:
  file        a .conflist or .conf file; - is stdin

Options:
  --json      print JSON
  -h, --help  show this help

Examples:
  win-hcn validate C:\\etc\\cni\\net.d\\10-win-hcn.conflist
  win-hcn validate --json 10-win-hcn.conflist
  kubectl get configmap cni -o jsonpath="{.data.conflist}" | win-hcn validate -`;

const planHelp = `Usage: win-hcn plan [options] <file>

Validates a configuration, looks at this node as ADD does, and prints the steps that ADD would take with the
documents it would send to HCN. Nothing changes, and no IPAM plugin is asked: --address says what it would
assign.

Arguments:
  file                   a .conflist or .conf file; - is stdin

Options:
  --netns <guid>         the HCN namespace of the pod; without it nothing is attached
  --container <id>       the container, CNI_CONTAINERID (default: "pod1")
  --ifname <name>        the interface, CNI_IFNAME (default: "eth0")
  --address <address>    an address for the endpoint, such as the IPAM plugin would assign; more than once
  --args <pairs>         CNI_ARGS, such as "K8S_POD_NAME=web;K8S_POD_NAMESPACE=shop"
  --port <mapping>       the capability portMappings, as [HOST_IP:]HOST:CONTAINER[/PROTOCOL]; more than once
  --dns <server>         the capability dns: a server; more than once
  --dns-search <domain>  the capability dns: a search domain; more than once
  --mac <address>        the capability mac
  --ip <address>         the capability ips; more than once
  --plugin <type>        which plugin of the list, where several are for win-hcn
  --json                 print JSON
  -h, --help             show this help

Examples:
  win-hcn plan C:\\etc\\cni\\net.d\\10-win-hcn.conflist
  win-hcn plan 10-win-hcn.conflist --netns 7c806792-3d8f-4c7b-9e51-0d4f6a3b2c1d --address 10.244.1.7/24
  win-hcn plan 10-win-hcn.conflist --port 8080:80/tcp --dns 10.96.0.10`;

const cniHelp = `Usage: win-hcn cni [options] [command]

Runs the plugin as a container runtime does: with the environment and the configuration that libcni would
pass. The result or the error object is printed on stdout, the calls to HCN with their durations on stderr.

Options:
  -h, --help  show this help

Commands:
  add         ADD: make an interface in a namespace
  check       CHECK: compare an interface with its result
  del         DEL: remove an interface
  gc          GC: delete what is of no valid attachment
  status      STATUS: whether an ADD would succeed
  version     VERSION: the versions of the protocol
  help        show the help of a command

Examples:
  win-hcn cni add --conf C:\\etc\\cni\\net.d\\10-win-hcn.conflist --container pod1 --netns 7c806792-3d8f-4c7b-9e51-0d4f6a3b2c1d > result.json
  win-hcn cni check --conf C:\\etc\\cni\\net.d\\10-win-hcn.conflist --container pod1 --netns 7c806792-3d8f-4c7b-9e51-0d4f6a3b2c1d --prev-result result.json
  win-hcn cni del --conf C:\\etc\\cni\\net.d\\10-win-hcn.conflist --container pod1
  win-hcn cni status --conf C:\\etc\\cni\\net.d\\10-win-hcn.conflist`;

const addHelp = `Usage: win-hcn cni add [options]

ADD: make an interface in a namespace

Options:
  --conf <file>          a conflist or the configuration of one plugin; - is stdin
  --plugin <type>        which plugin of the list, where several are for win-hcn
  --cni-path <folders>   where IPAM plugins are, CNI_PATH (default: the folder of win-hcn.exe)
  --json                 print one JSON document: input, answer, calls
  --container <id>       the container, CNI_CONTAINERID
  --ifname <name>        the interface, CNI_IFNAME (default: "eth0")
  --netns <guid>         the HCN namespace of the pod
  --args <pairs>         CNI_ARGS, such as "K8S_POD_NAME=web;K8S_POD_NAMESPACE=shop"
  --port <mapping>       the capability portMappings, as [HOST_IP:]HOST:CONTAINER[/PROTOCOL]; more than once
  --dns <server>         the capability dns: a server; more than once
  --dns-search <domain>  the capability dns: a search domain; more than once
  --mac <address>        the capability mac
  --ip <address>         the capability ips; more than once
  --prev-result <file>   the result of the plugins before this one; - is stdin
  -h, --help             show this help

Examples:
  win-hcn cni add --conf C:\\etc\\cni\\net.d\\10-win-hcn.conflist --container pod1 --netns 7c806792-3d8f-4c7b-9e51-0d4f6a3b2c1d --port 8080:80/tcp`;

const gcHelp = `Usage: win-hcn cni gc [options]

GC: delete every endpoint that win-hcn made on the network and no --keep names, those of running pods too, and
have the IPAM plugin do the same with addresses. Without --yes it shows which. win-hcn gc deletes what pods
left behind and nothing else.

Options:
  --conf <file>              a conflist or the configuration of one plugin; - is stdin
  --plugin <type>            which plugin of the list, where several are for win-hcn
  --cni-path <folders>       where IPAM plugins are, CNI_PATH (default: the folder of win-hcn.exe)
  --json                     print one JSON document: input, answer, calls
  --keep <container/ifname>  a valid attachment; more than once
  --keep-none                there is no valid attachment: delete all that win-hcn made on the network
  --yes                      do it; without it the steps are shown, nothing changes, and the exit code is 1
  -h, --help                 show this help

Examples:
  win-hcn cni gc --conf C:\\etc\\cni\\net.d\\10-win-hcn.conflist --keep pod1/eth0 --keep pod2/eth0 --yes`;

const lsHelp = `Usage: win-hcn ls [options] [kind]

Lists what HCN has: endpoints with their container, network and namespace, who made them, and which are stale.
Without a kind it lists all four. An endpoint of an ADD that is under way is in no namespace for a moment.

Arguments:
  kind                   one kind of objects (choices: "networks", "endpoints", "namespaces", "loadbalancers")

Options:
  -o, --output <format>  print more columns, JSON or YAML (choices: "wide", "json", "yaml")
  --remote               show remote endpoints too, which stand for pods on other nodes
  -w, --watch [seconds]  look again every so many seconds (2) until Ctrl+C
  -h, --help             show this help

Examples:
  win-hcn ls
  win-hcn ls endpoints
  win-hcn ls endpoints --remote -o wide
  win-hcn ls endpoints --watch 5
  win-hcn ls endpoints -o json | ConvertFrom-Json | Where-Object stale`;

const showHelp = `Usage: win-hcn show [options] <kind> <key>

Shows one thing that HCN has: what belongs to it, whose it is, and its policies in the order in which they
count, with what HNS blocks by itself. HCN does not know the names of pods: a pod goes by the id of its
container, as crictl pods shows it.

Arguments:
  kind                   what the key is of (choices: "pod", "container", "ip", "endpoint", "namespace",
                         "network", "loadbalancer")
  key                    an id or the beginning of it, an address, or the name of an endpoint or a network

Options:
  -o, --output <format>  print more columns, JSON or YAML (choices: "wide", "json", "yaml")
  -w, --watch [seconds]  look again every so many seconds (2) until Ctrl+C
  -h, --help             show this help

Examples:
  win-hcn show pod 0e12d1d5a8cfb
  win-hcn show ip 10.244.1.2
  win-hcn show endpoint 5efcf8b5
  win-hcn show network l2bridge -o json
  win-hcn show pod 0e12d1d5a8cfb --watch`;

const completionHelp = `Usage: win-hcn completion [options] <shell>

Prints a script for Windows PowerShell 5.1 and later. It completes commands and options, and the ids, names
and addresses of what HCN has, where that is known within a second. The first example is for this session. The
others put the same line into the profile, for every session to come; write the full path there where win-hcn
is in no folder of $env:Path.

Arguments:
  shell       the shell (choices: "powershell")

Options:
  -h, --help  show this help

Examples:
  win-hcn completion powershell | Out-String | Invoke-Expression
  if (-not (Test-Path $PROFILE)) { New-Item -Force -ItemType File $PROFILE }
  Add-Content $PROFILE 'win-hcn completion powershell | Out-String | Invoke-Expression'`;

const leftoversHelp = `Usage: win-hcn gc [options]

Lists what pods left behind, and why it is stale: endpoints in no namespace or in one that is gone, remote
endpoints of win-hcn's without a load balancer, and addresses whose container has neither an endpoint nor a
namespace. Nothing changes without --yes. With it, each endpoint is looked at again after 5 s (40 s with
--ipam), as one of an ADD that is under way is in no namespace for a moment, and deleted if it is still stale.
What a pod has, the node's own endpoints and kube-proxy's always stay.

host-local's files are under its lock, which only host-local should hold. So gc deletes none of them: it
prints the command that does, or with --ipam runs DEL for the container, and host-local gives the address
back.

This is not the GC of a container runtime, which names the pods that are valid: win-hcn cni gc runs that.

Without --yes it ends with 1 when something is stale, with --yes when something could not be deleted.

Options:
  --dry-run              change nothing, as without --yes
  --yes                  delete what is stale
  --network <name>       only what is on this network
  --other-plugins        endpoints of other plugins too, which are called CONTAINER_NETWORK
  --conf <file>          only the network of this conflist or plugin configuration; - is stdin
  --plugin <type>        which plugin of the list, where several are for win-hcn
  --ipam                 have host-local give addresses back; needs --conf
  --cni-path <folders>   where host-local is, CNI_PATH (default: the folder of win-hcn.exe)
  -o, --output <format>  print more columns, JSON or YAML (choices: "wide", "json", "yaml")
  -h, --help             show this help

Examples:
  win-hcn gc
  win-hcn gc --yes
  win-hcn gc --network l2bridge --other-plugins --yes
  win-hcn gc --conf C:\\etc\\cni\\net.d\\10-win-hcn.conflist --ipam --yes`;

const collectHelp = `Usage: win-hcn collect [options]

Writes a support bundle: HCN's objects as HCN answers them, what win-hcn ls, graph and doctor show, the
network adapters, the configurations of CNI and of containerd, logs, and what Windows says of services,
updates, routes, ports and events. Nothing is downloaded, sent or changed, and nothing but the zip is written.
Passwords, tokens and keys are replaced by <redacted>; README.txt in the zip says how they are recognized. A
part that fails or hangs is left out after its deadline: the zip is written all the same, with exit code 1.
Where everything hangs that takes some ten minutes. Ctrl+C before the end leaves nothing.

Options:
  -o, --output <file>  the zip (default: win-hcn-COMPUTER-TIME.zip in this folder)
  --force              replace a file that is there already
  -h, --help           show this help

Examples:
  win-hcn collect
  win-hcn collect -o C:\\temp\\node.zip
  win-hcn collect -o node.zip --force`;

const graphHelp = `Usage: win-hcn graph [options]

Draws what HCN has, and what is wrong with it: each network with its endpoints and their namespaces, each load
balancer with its backends. In a tree and in Mermaid, an endpoint without an owner is one of win-hcn. A page
opens offline in any browser, to search and to click. A flowchart in Mermaid can be pasted into an issue.

Options:
  --format <format>  a tree in text, a page of HTML, or a flowchart in Mermaid; default: as the name of --file
                     ends, else a tree (choices: "tree", "html", "mermaid")
  --file <file>      make or replace this file instead of printing
  --remote           draw remote endpoints too, which stand for pods on other nodes; a page always has them
  -h, --help         show this help

Examples:
  win-hcn graph
  win-hcn graph --file graph.html
  win-hcn graph --file graph.mmd --remote
  win-hcn graph --format mermaid`;

const doctorHelp = `Usage: win-hcn doctor [options]

Looks at everything that pods need of this node: rights, the Host Network Service, containerd, its
configuration and its plugins, who may change them, the network, the adapters, the ports, the endpoints. Each
check passes, warns, fails, or is unknown where nobody can tell, and has the PowerShell command that mends it
(fix) or shows more (see). Nothing is changed. Run it as an administrator. It ends with 1 when a check fails,
and with 3 when the Host Network Service does not answer; warnings alone are fine.

Options:
  --conf <file>          a configuration to check in the place of the runtime's; - is stdin
  -o, --output <format>  print JSON or YAML (choices: "json", "yaml")
  -h, --help             show this help

Examples:
  win-hcn doctor
  win-hcn doctor --conf C:\\etc\\cni\\net.d\\10-win-hcn.conflist
  win-hcn doctor -o json | ConvertFrom-Json | ForEach-Object findings | Where-Object verdict -eq 'FAIL'`;

const explainNatHelp = `Usage: win-hcn explain-nat [options] <pod> <destination>

Says what HNS was told to do with what a pod sends: a load balancer that catches it, an exception of
OutBoundNAT or a translation, an SDN route or a proxy. Policies are numbered as HCN lists them, exceptions are
compared with the destination as given. Ends with 0 when it can tell, whatever the answer is, and with 1 when
it cannot.

Arguments:
  pod                    the id of the pod's container or the beginning of it, as for win-hcn show pod
  destination            an address, with a port and a protocol where they matter; with a port it is tcp
                         unless it is said

Options:
  -o, --output <format>  print JSON or YAML (choices: "json", "yaml")
  -h, --help             show this help

Examples:
  win-hcn explain-nat 0e12d1d5a8cfb 10.96.0.10:53/udp
  win-hcn explain-nat 0e12d1d5a8cfb 8.8.8.8
  win-hcn explain-nat 0e12d1d5a8cfb [fd00::7]:443 -o json`;

const explainAclHelp = `Usage: win-hcn explain-acl [options] <pod> <direction> <remote>

Says which ACL of a pod's endpoint allows or blocks a connection: the first that matches, in the order of
priorities, and in the end HNS's own block, which no document shows. Addresses and ports are those that the
pod sees. Ends with 0 when it can tell, whatever the answer is, and with 1 when it cannot.

Arguments:
  pod                    the id of the pod's container or the beginning of it, as for win-hcn show pod
  direction              who connects: in, somebody to the pod; out, the pod to somebody (choices: "in",
                         "out")
  remote                 the other party's address, with the port that is connected to (in: the pod's; out:
                         the other party's) and the protocol, which with a port is tcp unless it is said

Options:
  --source-port <port>   the port that the connection comes from, where an ACL is about it
  -o, --output <format>  print JSON or YAML (choices: "json", "yaml")
  -h, --help             show this help

Examples:
  win-hcn explain-acl 0e12d1d5a8cfb in 10.9.0.7:80
  win-hcn explain-acl 0e12d1d5a8cfb out 10.96.0.10:53/udp
  win-hcn explain-acl 0e12d1d5a8cfb out [fd00::7]:443/tcp -o json
  win-hcn explain-acl 0e12d1d5a8cfb in 10.9.0.7/icmp`;

const diffHelp = `Usage: win-hcn diff [options] <pod> <other>

Compares the endpoints of two pods as HCN has them, what matters most first: network, state and health,
addresses and routes, DNS, ACLs, other policies, namespace and load balancers. A pod's own address within a
policy is taken for the same as the other's own. Ends with 0 when nothing differs that could be alike, and
with 1 when something does.

Arguments:
  pod                    the id of a pod's container or the beginning of it, as for win-hcn show pod
  other                  the same of another pod

Options:
  -o, --output <format>  print JSON or YAML (choices: "json", "yaml")
  -h, --help             show this help

Examples:
  win-hcn diff 0e12d1d5a8cfb 41c0b2f1
  win-hcn diff 0e12d1d5a8cfb 41c0b2f1 -o json`;

describe('help', () => {
  test.each([[['--help']], [['-h']], [['help']]])('names the commands: %j', async (words) => {
    expect(await runCli(words)).toEqual(success(help));
  });

  test.each<[string, string]>([
    ['explain', explainHelp],
    ['validate', validateHelp],
    ['plan', planHelp],
    ['cni', cniHelp],
    ['cni add', addHelp],
    ['cni gc', gcHelp],
    ['ls', lsHelp],
    ['show', showHelp],
    ['explain-nat', explainNatHelp],
    ['explain-acl', explainAclHelp],
    ['diff', diffHelp],
    ['doctor', doctorHelp],
    ['graph', graphHelp],
    ['gc', leftoversHelp],
    ['collect', collectHelp],
    ['completion', completionHelp],
  ])('of %s has examples', async (name, text) => {
    const words = name.split(' ');
    expect(await runCli([...words, '--help'])).toEqual(success(text));
    expect(await runCli(words.toSpliced(-1, 0, 'help'))).toEqual(success(text));
  });

  test('has bold titles on a terminal, as wide as it is', async () => {
    const { stdout } = await runCli(['--help'], { width: 60 });
    expect(stdout).toContain('\u001b[1mUsage:\u001b[22m win-hcn [options] [command]\n');
    expect(stdout).toContain('\u001b[1mExamples:\u001b[22m\n');
    const described = stdout.slice(0, stdout.indexOf('Examples:'));
    for (const line of described.split('\n'))
      expect(line.length, line).toBeLessThanOrEqual(60 + '\u001b[1m\u001b[22m'.length);
  });
});

test('help on stderr has colours only where that is a terminal', async () => {
  const { stderr } = await runCli([], { width: 80 });
  expect(stderr).toContain('Usage: win-hcn [options] [command]\n');
  const { stderr: coloured } = await runCli([], { width: 80, stderrWidth: 80 });
  expect(coloured).toContain('\u001b[1mUsage:\u001b[22m win-hcn [options] [command]\n');
});

describe('wrong usage ends with 2, and says where the help is', () => {
  test.each([
    [['explode'], "win-hcn: unknown command 'explode'\n(Did you mean explain?)\n(win-hcn --help says how)\n"],
    [['explain'], "win-hcn: missing required argument 'code-or-text'\n(win-hcn explain --help says how)\n"],
    [['explain', '--yaml', '5'], "win-hcn: unknown option '--yaml'\n(win-hcn explain --help says how)\n"],
  ])('%j', async (words, stderr) => {
    expect(await runCli(words)).toEqual({ exitCode: 2, stdout: '', stderr });
  });
});

describe('the process', () => {
  test('runs a command when CNI_COMMAND is not set', async () => {
    const { exitCode, stdout, stderr } = await runBundle({}, '', ['explain', '77']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' });
    expect(stdout).toContain('CNI code 77, which win-hcn does not know\n');
  });

  test.each([
    ['EPIPE', ''],
    ['ENOSPC', 'win-hcn: cannot print: ENOSPC, write\n'],
  ])('ends with 1 when its output is not taken: %s', async (code, stderr) => {
    const writeStdout = () => {
      throw Object.assign(new Error(`${code}, write`), { code });
    };
    expect(await runCli(['explain', '77'], { system: { writeStdout } })).toEqual({
      exitCode: 1,
      stdout: '',
      stderr,
    });
    expect(await runCli(['--help'], { system: { writeStdout } })).toMatchObject({ exitCode: 1, stderr });
  });

  test('tells its version', async () => {
    const ended = await runBundle({}, '', ['--version']);
    expect(ended).toEqual({ exitCode: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), stderr: '' });
  });

  test('is the plugin when CNI_COMMAND is set, whatever its arguments are', async () => {
    const ended = await runBundle({ CNI_COMMAND: 'VERSION' }, '', ['explain', '77']);
    expect(ended).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(ended.stdout)).toMatchObject({ cniVersion: '1.1.0' });
  });
});
