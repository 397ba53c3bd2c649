import type { MutantsOf } from '../mutant.ts';

/** ADD, what it works through, and how it takes it back. */
export const commandsAdd: readonly MutantsOf[] = [
  {
    file: 'src/commands/add.ts',
    tests: [
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
          "    if (config.manner.endpointName === 'without interface') await replaceInherited(attachment, hcn);\n",
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
    tests: ['e2e/apply', 'e2e/matrix/adds-silences'],
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
        after: 'if (endpoint === undefined && id === step.id) throw',
        noticed: 'an address is given back while its endpoint may still appear',
      },
      {
        before: 'if (endpoints.some((id) => !step.hostEndpoints.includes(id))) return;',
        after: '',
        noticed: 'a failed ADD deletes the network of other pods',
      },
      {
        before: 'for (const id of endpoints) await hcn.deleteEndpoint(id);',
        after: '',
        noticed: 'a failed ADD leaves the network with the endpoint of the node',
      },
      {
        before: 'if (usersOf(step.id, await hcn.findLoadBalancers()).length === 0) await',
        after: 'await',
        noticed: 'a remote endpoint that another load balancer began to use is deleted',
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
    file: 'src/commands/create-endpoint.ts',
    tests: ['e2e/attachment', 'e2e/matrix/adds-silences', 'e2e/stale-addresses'],
    mutants: [
      {
        before: 'if (!isRefusal(error)) throw error;',
        after: '',
        noticed: 'an endpoint whose create timed out is made a second time',
      },
      {
        before: '(await removeUnfinished(step.id, hcn)) || (await',
        after: '(await',
        noticed: 'an ADD cannot be repeated after an interrupted one',
      },
      {
        before: ' || (await freeAddresses(error, step, owner, host))',
        after: '',
        noticed: 'a leftover keeps pods from starting',
      },
      {
        before: 'if (isRefusal(error)) await throwIfAttached(step.id, hcn);',
        after: '',
        noticed: 'an ADD that lost the race deletes the endpoint of the one that won',
      },
      {
        before: 'if (endpoint !== undefined && isAttached(endpoint)) {',
        after: 'if (endpoint !== undefined) {',
        noticed: 'an ADD cannot be repeated after an interrupted one',
      },
      {
        before: 'if (endpoint !== undefined && isAttached(endpoint)) {',
        after: 'if (endpoint?.Name === id) {',
        noticed: 'a repeated ADD deletes the endpoint of the pod at work',
      },
    ],
  },
  {
    file: 'src/commands/create-shared-endpoint.ts',
    tests: ['e2e/matrix/adds-silences', 'e2e/load-balancer', 'e2e/host-endpoint'],
    mutants: [
      { before: '!isRefusal(error) || ', after: '', noticed: 'a call without an answer counts as done' },
      {
        before: '!isRefusal(error) || (await hcn.findEndpoint(step.id)) === undefined',
        after: 'step',
        noticed: 'of two requests at once one fails',
      },
    ],
  },
  {
    file: 'src/commands/ensure-host-endpoint.ts',
    tests: ['e2e/host-endpoint'],
    mutants: [
      {
        before: '  await ipHelper.removeDefaultRoutes(found.host.index);\n',
        after: '',
        noticed: "the node's own packets go to the pods' network",
      },
      {
        before: '[found.host, ...found.management]',
        after: '[found.host]',
        noticed: 'nothing from outside reaches the pods',
      },
      {
        before: "if (state === 'leftover') await host.hcn.deleteEndpoint(id);",
        after: '',
        noticed: 'what an interrupted request left keeps pods from starting',
      },
      {
        before: '    keep();\n    throw error;',
        after: '    throw error;',
        noticed: "a network that only lacks forwarding is taken back, which interrupts the node's own",
      },
      {
        before: 'interfaceMilliseconds = 10_000',
        after: 'interfaceMilliseconds = 0',
        noticed: 'an ADD fails because the interface takes a moment',
      },
      {
        before: 'if (endpoint?.HostComputeNamespace !== namespace) throw error;',
        after: 'throw error;',
        noticed: 'of two pods at once one fails',
      },
      {
        before: '      code.tryAgainLater,\n',
        after: '      code.hcnFailure,\n',
        noticed: 'a runtime does not know that it may repeat the request',
      },
    ],
  },
  {
    file: 'src/commands/look-at-host-endpoint.ts',
    tests: ['e2e/host-endpoint'],
    mutants: [
      {
        before: "if (isAsConfigured) return 'at work';",
        after: "return 'at work';",
        noticed: "the node's endpoint has another address than configured",
      },
      {
        before: "return isAsConfigured ? 'unfinished' : 'leftover';",
        after: "return 'unfinished';",
        noticed: 'what an interrupted request left keeps pods from starting',
      },
      {
        before: ' ?? (await findInherited(network, address, hcn))',
        after: '',
        noticed: "flannel's endpoint of the node keeps pods from starting",
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
    tests: ['e2e/cli/plan'],
    mutants: [
      {
        before: 'found === undefined ? [createNetwork(planned)] : []',
        after: '[createNetwork(planned)]',
        noticed: 'a plan creates a network that is there',
      },
      {
        before: "if (state === 'at work') return [];",
        after: '',
        noticed: 'a plan creates a host endpoint that is there',
      },
      {
        before: '    ...(await unfinishedSteps(id, hcn)),\n',
        after: '',
        noticed: 'a plan does not show that a leftover goes',
      },
    ],
  },
  {
    file: 'src/commands/ensure-network.ts',
    tests: ['e2e/network', 'e2e/adapter'],
    mutants: [
      {
        before: 'if (found !== undefined && isReady(found)) return',
        after: 'if (found !== undefined) return',
        noticed: 'a pod is put on an Overlay network that is not finished',
      },
      {
        before: '  keep();\n  const message',
        after: '  const message',
        noticed: "a slow network is taken back each time, which interrupts the node's own",
      },
      {
        before: '  if (ready !== undefined && isSlow(ready)) await pause(host, slowMilliseconds);\n',
        after: '',
        noticed: 'the first pod on a Transparent network has no address',
      },
      {
        before: '!hasManagementAddress(network) || isUsableAddress(await hcn.findManagementAddress(id))',
        after: 'true',
        noticed: 'a pod is put on a network before the node has its address back',
      },
      {
        before: '[unspecified, adapterNotFound].includes(error.hresult) ? raceMilliseconds : 0',
        after: '0',
        noticed: 'of two ADDs at once on a new node one fails',
      },
      {
        before: '[unspecified, adapterNotFound].includes',
        after: '[unspecified].includes',
        noticed: 'of two ADDs at once on a new node one fails',
      },
      {
        before: 'if (!isRefusal(error)) throw error;',
        after: '',
        noticed: "a network whose create timed out is taken for somebody else's",
      },
      {
        before: '    planNetwork(config, network, adapters);\n',
        after: '',
        noticed: 'of two ADDs at once one is on a network that is not as configured',
      },
      {
        before: 'readyMilliseconds = 20_000',
        after: 'readyMilliseconds = 200',
        noticed: 'the first pod on an Overlay network fails',
      },
      {
        before: 'throw error.hresult === adapterNotFound ? await withAdapters(error, host) : error;',
        after: 'throw error;',
        noticed: 'an error does not say which adapters there are',
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
    tests: ['e2e/stale-addresses'],
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
        before: 'isOurs: isStale(endpoint)',
        after: 'isOurs: true',
        noticed: 'an endpoint that win-hcn did not make is removed',
      },
      {
        before: '(await hcn.findNamespace(endpoint.HostComputeNamespace)) !== undefined',
        after: 'name !== undefined',
        noticed: 'what a restart left keeps pods from starting',
      },
      {
        before: ': withDetails(refusal, looking.message);',
        after: ': looking;',
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
