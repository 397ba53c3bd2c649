import type { MutantsOf } from '../mutant.ts';

/** ADD, what it works through, and how it takes it back. */
export const commandsAdd: readonly MutantsOf[] = [
  {
    file: 'src/commands/add.ts',
    tests: [
      'unit/commands/add',
      'e2e/attachment',
      'e2e/network',
      'e2e/features',
      'e2e/matrix/adds-silences',
      'e2e/inherited-endpoints',
      'e2e/dual-stack',
      'e2e/adapter',
    ],
    mutants: [
      {
        before: '    refuseSecondInterface(request, config.prevResult);\n',
        after: '',
        noticed: "a chained plugin's interface is made a second time",
      },
      {
        before: 'requiredFeatures(config, found === undefined)',
        after: 'requiredFeatures(config, true)',
        noticed: 'a network that exists is refused for features it has',
      },
      {
        before: '    await requireNamespace(request, hcn);\n',
        after: '',
        noticed: 'an ADD into a sandbox that is gone takes an address and a network',
      },
      {
        before: '    endpointDocument(config, attachment, planned, assignment, adapters);\n',
        after: '',
        noticed: "a network is created, which interrupts the node's own, for an address it cannot have",
      },
      {
        before: 'if (error instanceof AlreadyAttached) throw error;',
        after: '',
        noticed: 'a repeated ADD takes the address of the pod at work back',
      },
      {
        before:
          "    if (config.behavior.endpointName === 'without interface') await replaceInherited(attachment, hcn);\n",
        after: '',
        noticed: 'a pod of the plugin before us is attached a second time',
      },
      {
        before: 'resultOf(endpoint, attachment, request.netns, config.mtu)',
        after: 'resultOf(endpoint, attachment, request.namespaceId, config.mtu)',
        noticed: 'the sandbox is not called as the runtime did',
      },
      {
        before: 'throw withDetails(error, ...(await undo.unwind()));',
        after: 'throw error;',
        noticed: 'a failed ADD leaves everything',
      },
      { before: '?? requestedAddresses(config)', after: '', noticed: 'the address asked for is ignored' },
      {
        before: 'name === ifname && parse',
        after: 'parse',
        noticed: "no second interface beside a chained plugin's",
      },
      {
        before: '    await attach(endpoint.ID, request.namespaceId, hcn, undo);\n',
        after: '',
        noticed: 'a pod has no network',
      },
      {
        before: 'attach(endpoint.ID, request',
        after: 'attach(key.id, request',
        noticed: 'every ADD fails where HNS chooses the ids',
      },
      {
        before: 'throw afterRefusal(error, looking);',
        after: 'throw looking;',
        noticed: 'an error does not say why HCN did not attach the endpoint',
      },
      {
        before: '    if (found !== undefined) refuseAttached(found);\n',
        after: '',
        noticed: 'an ADD that lost the race deletes the endpoint of the one that won',
      },
      {
        before: '    if (!isRefusal(error)) throw error;\n',
        after: '',
        noticed: 'an ADD whose attaching timed out leaves the endpoint and its address',
      },
      {
        before: '  refuseAttached(inherited);\n',
        after: '',
        noticed: 'a running pod of the plugin before us loses its endpoint',
      },
      {
        before: '  await hcn.deleteEndpoint(inherited.ID);\n',
        after: '',
        noticed: 'what the plugin before us left keeps a pod from starting',
      },
      {
        before: '    await finishEndpoint({ step, config, assignment }, endpoint, host, undo);\n',
        after: '',
        noticed: 'an ADD succeeds whatever HNS made',
      },
    ],
  },
  {
    file: 'src/commands/apply-all.ts',
    tests: ['e2e/load-balancer', 'e2e/namespaces'],
    mutants: [
      {
        before: 'of steps) await',
        after: 'of steps.slice(0, 1)) await',
        noticed: 'a load balancer with a backend elsewhere is not created',
      },
    ],
  },
  {
    file: 'src/commands/apply.ts',
    tests: ['unit/commands/apply', 'unit/commands/load-balancer', 'e2e/apply', 'e2e/matrix/adds-silences'],
    mutants: [
      {
        before: "if (isOutcomeUnknown(error)) pushInverse('unknown');",
        after: '',
        noticed: 'an ADD whose create timed out leaves the endpoint',
      },
      {
        before: 'endpoint !== undefined && !isAttached(endpoint)',
        after: 'endpoint !== undefined',
        noticed: 'an ADD that lost the race deletes the endpoint of the one that won',
      },
      {
        before: 'if (endpoint === undefined && step.mayAppear) throw',
        after: "if (endpoint === undefined && step.id === '') throw",
        noticed: 'an address is given back while its endpoint may still appear',
      },
      {
        before: 'removeEndpoint(step.id, step.namespace, hcn)',
        after: 'removeEndpoint(step.id, undefined, hcn)',
        noticed: 'a failed ADD deletes an attached endpoint without detaching it',
      },
      {
        before: 'await findByKey(step, hcn)',
        after: 'await hcn.findEndpoint(step.id)',
        noticed: 'an ADD whose create timed out leaves the endpoint where HNS chooses the ids',
      },
      {
        before: 'await hcn.deleteEndpoint(endpoint.ID);',
        after: '{}',
        noticed: 'a failed ADD leaves the endpoint',
      },
      {
        before: 'return hcn.addNetworkPolicies(step.id, step.policies);',
        after: 'return;',
        noticed: 'the node has no routes to its pods',
      },
      {
        before: 'if (usersOf(step.id, await hcn.findLoadBalancers()).length === 0) await',
        after: 'await',
        noticed: 'a remote endpoint that another load balancer began to use is deleted',
      },
      {
        before: 'const { ID: id } = (await hcn.findEndpoint(step.id)) ?? { ID: step.id };',
        after: 'const { id } = step;',
        noticed: 'undoing a load balancer leaves its remote endpoint where HNS chooses the ids',
      },
      {
        before: 'if (users.length > 0) return;',
        after: '',
        noticed: 'undoing a load balancer deletes what another one began to use',
      },
      {
        before: 'namespace?.Resources?.length === 0',
        after: 'namespace !== undefined',
        noticed: 'undoing a namespace deletes one with endpoints',
      },
      {
        before: "?? 'endpoint';",
        after: "?? 'namespace';",
        noticed: 'an address is given back while its endpoint may still appear',
      },
      {
        before: 'if ((await hcn.findEndpoint(id)) !== undefined) return;',
        after: '',
        noticed: 'an error tells of an undoing that was not needed',
      },
      {
        before: 'if (observed !== undefined && isSameLoadBalancer(observed, document)) return;',
        after: '',
        noticed: 'undoing what did not happen breaks the connections of a load balancer',
      },
      {
        before: 'if (observed !== undefined) await hcn.deleteLoadBalancer(id);',
        after: '',
        noticed: 'an update that failed half-way is not undone',
      },
      {
        before: 'if (!deleted && step.mayAppear) throw mayAppear(`load balancer ${step.id}`);',
        after: '',
        noticed: 'an error does not say that the load balancer may still appear',
      },
    ],
  },
  {
    file: 'src/commands/assign.ts',
    tests: ['e2e/attachment', 'e2e/matrix/adds-silences'],
    mutants: [
      {
        before: "undo.push('addresses', giveBack);\n    return assignment;",
        after: 'return assignment;',
        noticed: 'a failed ADD keeps its address',
      },
      {
        before: "undo.push('addresses', giveBack);\n    if (!removed)",
        after: 'if (!removed)',
        noticed: 'an IPAM plugin that failed half-way keeps what it took',
      },
      {
        before: '    await giveBack();\n',
        after: '',
        noticed: 'an ADD cannot be repeated after an interrupted one',
      },
      {
        before: 'throw looking instanceof AlreadyAttached ? looking : ',
        after: 'throw ',
        noticed: 'a repeated ADD takes the address of the pod at work back',
      },
      {
        before: 'if (!removed) throw error;',
        after: '',
        noticed: 'an IPAM plugin that refuses is asked a second time',
      },
    ],
  },
  {
    file: 'src/commands/require-namespace.ts',
    tests: ['e2e/attachment', 'e2e/namespaces'],
    mutants: [
      {
        before: 'code.unknownContainer',
        after: 'code.hcnFailure',
        noticed: 'a runtime does not know that its sandbox is gone',
      },
    ],
  },
  {
    file: 'src/commands/plan-add.ts',
    tests: ['unit/commands/plan-add', 'e2e/cli/plan'],
    mutants: [
      {
        before: 'found === undefined ? createNetwork(config, planned) : []',
        after: 'createNetwork(config, planned)',
        noticed: 'a plan creates a network that is there',
      },
      {
        before: "if (found.state === 'at work') return [];",
        after: '',
        noticed: 'a plan creates a host endpoint that is there',
      },
      {
        before: 'own === undefined || own.ID === inherited?.ID ?',
        after: 'own === undefined || own.ID !== inherited?.ID ?',
        noticed: 'a plan does not show that a leftover goes',
      },
      {
        before: ' || own.ID === inherited?.ID',
        after: '',
        noticed: 'a plan shows the same deletion twice',
      },
      {
        before: 'inherited === undefined ? [] : [deleteUnfinished(inherited)]',
        after: '[]',
        noticed: 'a plan does not show that what the plugin before us left goes',
      },
      {
        before: '  if (inherited !== undefined) refuseAttached(inherited);\n',
        after: '',
        noticed: 'a plan deletes the endpoint of a running pod',
      },
      {
        before: "policies.length === 0 ? [] : [{ do: 'add network policies', id, policies } as const]",
        after: '[]',
        noticed: 'a plan does not show HostRoute',
      },
      {
        before: 'policies.length === 0 ? [] : [',
        after: '[',
        noticed: 'a plan shows a step that does nothing',
      },
      {
        before: "endpoint: found.state === 'unfinished' ? found.id : id,",
        after: 'endpoint: id,',
        noticed: 'a plan attaches an endpoint that does not exist',
      },
      {
        before: "[{ do: 'delete endpoint', id: found.id, namespace: undefined }, create, attach]",
        after: '[create, attach]',
        noticed: 'a plan does not show that a leftover host endpoint goes',
      },
    ],
  },
  {
    file: 'src/commands/ensure-network.ts',
    tests: ['unit/commands/ensure-network', 'e2e/network', 'e2e/adapter'],
    mutants: [
      {
        before: 'found !== undefined && isReady(found)',
        after: 'found !== undefined',
        noticed: 'a pod is put on an Overlay network that is not finished',
      },
      {
        before: '  keep?.();\n  const message',
        after: '  const message',
        noticed: "a slow network is taken back each time, which interrupts the node's own",
      },
      {
        before: '    if (isSlow(network)) await pause(host, slowMilliseconds);\n',
        after: '',
        noticed: 'the first pod on a Transparent network has no address',
      },
      {
        before: '    if (keep !== undefined) await addNetworkPolicies(config, network.ID, host, undo);\n',
        after: '',
        noticed: 'the node has no routes to its pods',
      },
      {
        before: 'if (keep !== undefined) await',
        after: 'await',
        noticed: 'an ADD changes a network that somebody else made',
      },
      {
        before:
          '  if (hasManagementAddress(network)) return isUsableAddress(await hcn.findManagementAddress(network.ID));\n',
        after: '',
        noticed: 'a pod is put on a network before the node has its address back',
      },
      {
        before: 'addresses.some(({ address }) => address === provider)',
        after: 'addresses.length > 0',
        noticed: 'a pod is put on an Overlay network before the node has its address back',
      },
      {
        before: '(await hasItsAddress(network, host)) ? network : undefined',
        after: 'network',
        noticed: 'a pod is put on a network before the node has its address back',
      },
      {
        before: 'readyMilliseconds = 20_000',
        after: 'readyMilliseconds = 200',
        noticed: 'the first pod on an Overlay network fails',
      },
    ],
  },
  {
    file: 'src/commands/create-network.ts',
    tests: ['unit/commands/create-network', 'e2e/network', 'e2e/adapter'],
    mutants: [
      {
        before: 'error.hresult === unspecified || ',
        after: '',
        noticed: 'of two ADDs at once on a new node one fails',
      },
      {
        before: ' || isNetworkExisting(error.hresult)',
        after: '',
        noticed: 'of two ADDs at once on a new node one fails',
      },
      {
        before: 'isRace = isAdapterBusy || ',
        after: 'isRace = ',
        noticed: 'of two ADDs at once on a new node one fails',
      },
      {
        before: 'isRace ? raceMilliseconds : 0',
        after: 'raceMilliseconds',
        noticed: 'an error that is certain comes seconds late',
      },
      {
        before: 'if (!isRefusal(error)) throw error;',
        after: '',
        noticed: "a network whose create timed out is taken for somebody else's",
      },
      {
        before: '      planNetwork(config, network, adapters);\n',
        after: '',
        noticed: 'of two ADDs at once one is on a network that is not as configured',
      },
      {
        before: 'return { id: network.ID, keep: undefined };',
        after: 'return { id, keep: undefined };',
        noticed: 'of two ADDs at once one fails where HNS chooses the ids',
      },
      {
        before: 'error.hresult === adapterNotFound ? await withAdapters(error, host) : error',
        after: 'error',
        noticed: 'an error does not say which adapters there are',
      },
      {
        before: 'readAdapters().then(describeAdapters, () => undefined)',
        after: 'readAdapters().then(describeAdapters)',
        noticed: 'a failure of the IP Helper hides what HCN said',
      },
      {
        before: 'isExternal(config.networkType) && isAdapterMissing',
        after: 'isAdapterMissing',
        noticed: 'a NAT network without subnets fails seconds late',
      },
      {
        before: 'throw afterRefusal(error, looking);',
        after: 'throw looking;',
        noticed: 'an error does not say why HCN did not create the network',
      },
      {
        before: 'if (mayRepeat && isAdapterBusy) return',
        after: 'if (mayRepeat) return',
        noticed: 'a network that HCN refuses is tried twice',
      },
      {
        before: 'return create(plan, host, undo, false);',
        after: 'throw error;',
        noticed: 'a network cannot be replaced by another one on its adapter',
      },
      {
        before: 'return create(plan, host, undo, false);',
        after: 'return create(plan, host, undo, true);',
        noticed: 'an ADD without an adapter never ends',
      },
      {
        before: '  if (isExternal(plan.config.networkType)) host.notice(interruption(plan.planned));\n',
        after: '',
        noticed: "the log does not say that the node's connections are interrupted",
      },
      {
        before: 'if (isExternal(plan.config.networkType)) host.notice',
        after: 'host.notice',
        noticed: 'the log says that a NAT network interrupts the node',
      },
    ],
  },
  {
    file: 'src/commands/add-network-policies.ts',
    tests: ['unit/commands/add-network-policies', 'unit/commands/ensure-network', 'e2e/network'],
    mutants: [
      {
        before: '  if (policies.length === 0) return;\n',
        after: '',
        noticed: 'every new network costs a call more',
      },
      {
        before: '    notice(`network "${config.name}" lacks HostRoute: ${toCniError(error).message}`);\n',
        after: '    throw error;\n',
        noticed: 'an ADD fails for a policy that flannel and Calico do without',
      },
      {
        before: '    notice(`network "${config.name}" lacks HostRoute: ${toCniError(error).message}`);\n',
        after: '',
        noticed: 'the log does not say that the node has no routes to its pods',
      },
    ],
  },
  {
    file: 'src/commands/look-at-network.ts',
    tests: ['e2e/host-endpoint', 'e2e/network', 'e2e/adapter'],
    mutants: [
      {
        before: '  checkHostEndpoint(config, planned, adapters);\n',
        after: '',
        noticed: "a network is created, which interrupts the node's own, for a host endpoint that cannot be",
      },
      {
        before: 'if (network === undefined) throw error;',
        after: 'throw error;',
        noticed: 'of two ADDs at once on a new node one fails',
      },
      {
        before: 'raceMilliseconds = 3_000',
        after: 'raceMilliseconds = 0',
        noticed: 'of two ADDs at once on a new node one fails',
      },
      {
        before: "config.createNetwork === 'never' || ",
        after: '',
        noticed: 'an error that is certain comes seconds late',
      },
    ],
  },
  {
    file: 'src/commands/free-addresses.ts',
    tests: ['unit/commands/create-endpoint', 'e2e/stale-addresses'],
    mutants: [
      {
        before: 'if (!isAddressTaken(refusal.hresult)) return false;',
        after: '',
        noticed: 'any refusal of HCN removes leftovers that have nothing to do with it',
      },
      {
        before: 'if (found.some(({ reason }) => reason !== undefined)) throw refusedFor(refusal, found);',
        after: '',
        noticed: 'a running pod loses its endpoint',
      },
      {
        before: 'isRemote(endpoint) ? await hcn.findLoadBalancers() : []',
        after: '[]',
        noticed: 'the endpoint of a service at work is removed',
      },
      {
        before: '    if (removed) notice(removalNotice(holder));\n',
        after: '',
        noticed: 'the log does not say what was removed',
      },
      {
        before: 'return found.length > 0;',
        after: 'return false;',
        noticed: 'a leftover is removed and the ADD fails all the same',
      },
      {
        before: 'isOurs: isOurs(endpoint)',
        after: 'isOurs: true',
        noticed: 'an endpoint that win-hcn did not make is removed',
      },
      {
        before: 'staleness(owner.name, [], owner.behavior, ids)',
        after: 'staleness(owner.name, [], owner.behavior, [])',
        noticed: 'an endpoint somebody else called like ours is removed',
      },
      {
        before: '(await hcn.findNamespace(endpoint.HostComputeNamespace)) !== undefined',
        after: 'name !== undefined',
        noticed: 'what a restart left keeps pods from starting',
      },
      {
        before: 'error instanceof CniError ? error : afterRefusal(refusal, error)',
        after: 'error',
        noticed: 'an error does not say that the address is taken',
      },
    ],
  },
  {
    file: 'src/commands/undo.ts',
    tests: [
      'unit/commands/undo',
      'e2e/matrix/adds-silences',
      'e2e/network',
      'e2e/attachment',
      'e2e/host-endpoint',
      'e2e/load-balancer',
    ],
    mutants: [
      {
        before: 'entries.toReversed()',
        after: 'entries',
        noticed: 'an address is given back before its endpoint is gone',
      },
      {
        before: "if (taken === 'addresses' && endpointStays) {",
        after: "if (taken === 'addresses' && failures.length > 9) {",
        noticed: 'an address is given back while its endpoint may still appear',
      },
      {
        before: 'entries = entries.filter((other) => other !== entry);',
        after: '',
        noticed: "a slow network is taken back each time, which interrupts the node's own",
      },
      {
        before: 'entries = entries.filter((other) => other !== entry);',
        after: 'entries = [];',
        noticed: 'a failed ADD keeps its address',
      },
      {
        before: "endpointStays ||= taken === 'endpoint';",
        after: "endpointStays = taken === 'endpoint';",
        noticed: 'an address is given back while its endpoint may still appear',
      },
      {
        before: "failures.push('the addresses stay taken until the next DEL');",
        after: '',
        noticed: 'an error does not say that the address is still taken',
      },
      {
        before: 'throw withDetails(error, ...(await undo.unwind()));',
        after: 'throw error;',
        noticed: 'a load balancer that could not be made leaves its remote endpoints',
      },
    ],
  },
];
