import { describe, expect, test } from 'vitest';
import { runCli, success } from './run-cli.ts';

describe('help of what makes HCN objects by hand', () => {
  test.each<[string, string]>([
    [
      'network',
      `Usage: win-hcn network [options] [command]

HCN networks by hand, with what that interrupts. win-hcn ls networks shows those there are.

Options:
  -h, --help  show this help

Commands:
  ensure      make the network of a configuration, and the node's endpoint on it, as ADD does
  delete      delete a network on which nothing is but the node's own endpoint
  help        show the help of a command

Examples:
  win-hcn network ensure C:\\etc\\cni\\net.d\\10-win-hcn.conflist
  win-hcn network delete l2bridge`,
    ],
    [
      'network ensure',
      `Usage: win-hcn network ensure [options] <file>

Makes the network of a configuration, and the node's endpoint on it where one is configured, as the first ADD
would: before there are pods to wait for it. What exists stays as it is; where it is not as configured, the
differences are shown. With an endpoint of the node, the node's interfaces are set to forward, and what an
interrupted ADD left of it is made anew. Creating an L2Bridge, L2Tunnel, Overlay or Transparent network takes
its adapter away for some seconds, and interrupts the connections to the node. What is awaited is shown
meanwhile.

Arguments:
  file             a .conflist or .conf file; - is stdin

Options:
  --plugin <type>  which plugin of the list, where several are for win-hcn
  -h, --help       show this help

Examples:
  win-hcn network ensure C:\\etc\\cni\\net.d\\10-win-hcn.conflist`,
    ],
    [
      'network delete',
      `Usage: win-hcn network delete [options] <file-or-name>

Deletes a network, and the node's endpoint on it. While other endpoints are on the network it stays, and they
are shown. A file whose network is not there is fine.

Arguments:
  file-or-name  a .conflist or .conf file, or the name of a network, its id or the beginning of it

Options:
  --yes         do it; without it the steps are shown, nothing changes, and the exit code is 1
  -h, --help    show this help

Examples:
  win-hcn network delete l2bridge
  win-hcn network delete l2bridge --yes
  win-hcn network delete C:\\etc\\cni\\net.d\\10-win-hcn.conflist --yes`,
    ],
    [
      'namespace',
      `Usage: win-hcn namespace [options] [command]

HCN namespaces by hand. win-hcn ls namespaces shows those there are.

Options:
  -h, --help  show this help

Commands:
  create      make a namespace, and print its id
  delete      delete a namespace; its endpoints stay, in none
  help        show the help of a command

Examples:
  win-hcn namespace create
  win-hcn namespace delete 7c806792`,
    ],
    [
      'namespace create',
      `Usage: win-hcn namespace create [options]

Makes a namespace for the endpoints of a pod, as a container runtime does before ADD, and prints its id. One
that exists already stays as it is.

Options:
  --id <guid>  its id (default: a new one)
  -h, --help   show this help

Examples:
  win-hcn namespace create
  win-hcn cni add --conf 10-win-hcn.conflist --container pod1 --netns (win-hcn namespace create)`,
    ],
    [
      'namespace delete',
      `Usage: win-hcn namespace delete [options] <namespace>

Deletes a namespace. Its endpoints stay, in none. HNS deletes none in which a container runs: they are named.

Arguments:
  namespace   its id or the beginning of it

Options:
  --yes       do it; without it the steps are shown, nothing changes, and the exit code is 1
  -h, --help  show this help

Examples:
  win-hcn namespace delete 7c806792
  win-hcn namespace delete 7c806792 --yes`,
    ],
    [
      'endpoint',
      `Usage: win-hcn endpoint [options] [command]

HCN endpoints by hand. win-hcn ls endpoints -o wide shows those there are.

Options:
  -h, --help  show this help

Commands:
  create      make the endpoint of an attachment, in no namespace, and print its id
  attach      put an endpoint into a namespace
  detach      take an endpoint out of its namespace; it stays, in none
  delete      delete an endpoint, whoever made it
  help        show the help of a command

Examples:
  win-hcn endpoint create --conf 10-win-hcn.conflist --container pod1 --address 10.244.1.7/24
  win-hcn endpoint attach 5efcf8b5 7c806792
  win-hcn endpoint detach 5efcf8b5 --yes
  win-hcn endpoint delete 5efcf8b5 --yes`,
    ],
    [
      'endpoint create',
      `Usage: win-hcn endpoint create [options]

Makes the endpoint that ADD would make for an attachment, in no namespace, and prints its id. Its network has
to be there. No IPAM plugin is asked: --address says what it would assign. A later ADD for the attachment
takes the endpoint for a leftover while it is in no namespace, and makes it anew; win-hcn cni del deletes it
as well.

Options:
  --conf <file>        a conflist or the configuration of one plugin; - is stdin
  --container <id>     the container, CNI_CONTAINERID
  --ifname <name>      the interface, CNI_IFNAME (default: "eth0")
  --address <address>  an address for the endpoint; more than once
  --plugin <type>      which plugin of the list, where several are for win-hcn
  -h, --help           show this help

Examples:
  win-hcn endpoint create --conf 10-win-hcn.conflist --container pod1 --address 10.244.1.7/24`,
    ],
    [
      'endpoint attach',
      `Usage: win-hcn endpoint attach [options] <endpoint> <namespace>

Puts an endpoint that is in no namespace into one, which may have others.

Arguments:
  endpoint    its id or the beginning of it, or its name
  namespace   its id or the beginning of it

Options:
  -h, --help  show this help

Examples:
  win-hcn endpoint attach 5efcf8b5 7c806792`,
    ],
    [
      'endpoint detach',
      `Usage: win-hcn endpoint detach [options] <endpoint> [namespace]

Takes an endpoint out of its namespace. It stays, in none. HNS lets none out of a namespace in which a
container runs, and Windows Server 2019 attaches an endpoint once in its life.

Arguments:
  endpoint    its id or the beginning of it, or its name
  namespace   the namespace it has to be in, by its id or the beginning of it

Options:
  --yes       do it; without it the steps are shown, nothing changes, and the exit code is 1
  -h, --help  show this help

Examples:
  win-hcn endpoint detach 5efcf8b5
  win-hcn endpoint detach 5efcf8b5 7c806792 --yes`,
    ],
    [
      'endpoint delete',
      `Usage: win-hcn endpoint delete [options] <endpoint>

Deletes an endpoint, whoever made it. No IPAM plugin is told: win-hcn cni del also gives back the addresses of
an endpoint that ADD made.

Arguments:
  endpoint    its id or the beginning of it, or its name

Options:
  --yes       do it; without it the steps are shown, nothing changes, and the exit code is 1
  -h, --help  show this help

Examples:
  win-hcn endpoint delete 5efcf8b5
  win-hcn endpoint delete 5efcf8b5 --yes`,
    ],
    [
      'loadbalancer',
      `Usage: win-hcn loadbalancer [options] [command]

HCN load balancers by hand. win-hcn ls loadbalancers shows those there are.

Options:
  -h, --help  show this help

Commands:
  apply       make a load balancer what its configuration says
  delete      delete a load balancer, and the remote endpoints that only it uses
  help        show the help of a command

Examples:
  win-hcn loadbalancer apply dns.json
  win-hcn loadbalancer delete dns`,
    ],
    [
      'loadbalancer apply',
      `Usage: win-hcn loadbalancer apply [options] <file>

Makes the load balancer of a configuration, with remote endpoints for backends on other nodes, or changes it
into that. What is wrong with the file is told with line and column. A failure leaves what there was before.
schemas/load-balancer.schema.json describes the file. kube-proxy adopts a load balancer that matches the VIP,
protocol, ports and backends of a Service, and deletes it when that Service changes: choose a VIP that no
Service uses.

Arguments:
  file        the configuration of a load balancer; - is stdin

Options:
  -h, --help  show this help

Examples:
  win-hcn loadbalancer apply dns.json
  '{"name":"dns","network":"l2bridge","frontendVIPs":["10.96.0.10"],"ports":[{"protocol":"udp","port":53}],"backends":["10.244.1.2"]}' | win-hcn loadbalancer apply -`,
    ],
    [
      'loadbalancer delete',
      `Usage: win-hcn loadbalancer delete [options] <file-or-name>

Deletes a load balancer, and those remote endpoints win-hcn made that only it uses. A file whose load balancer
is not there is fine.

Arguments:
  file-or-name  its configuration or its name; its id or the beginning of it for any other

Options:
  --yes         do it; without it the steps are shown, nothing changes, and the exit code is 1
  -h, --help    show this help

Examples:
  win-hcn loadbalancer delete dns
  win-hcn loadbalancer delete dns.json --yes`,
    ],
  ])('%s', async (name, text) => {
    const words = name.split(' ');
    expect(await runCli([...words, '--help'])).toEqual(success(text));
  });
});
