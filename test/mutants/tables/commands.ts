import type { MutantsOf } from '../mutant.ts';

/** Every other command. */
export const commands: readonly MutantsOf[] = [
  {
    file: 'src/commands/check.ts',
    tests: ['e2e/attachment', 'e2e/inherited-endpoints', 'e2e/adapter'],
    mutants: [
      {
        before: "  if (ipam !== undefined) await delegateCommand(ipam, 'CHECK');\n",
        after: '',
        noticed: 'CHECK does not find that the IPAM plugin has lost its lease',
      },
      {
        before: 'code.notAsExpected',
        after: 'code.hcnFailure',
        noticed: 'what CHECK finds looks like a failure of HCN',
      },
      {
        before: 'await findByKey(key, hcn)',
        after: 'await hcn.findEndpoint(key.id)',
        noticed: 'CHECK fails the pods of the plugin before, and all where HNS chooses the ids',
      },
      {
        before: 'endpointNameIn(config, attachment)',
        after: 'attachment.containerId',
        noticed: 'CHECK fails the pods of the plugin before, and all where HNS chooses the ids',
      },
      {
        before: 'mtu !== undefined || behavior.exceptOwnSubnets',
        after: 'mtu !== undefined',
        noticed: "CHECK does not find that win-overlay's outbound NAT has lost its exceptions",
      },
      { before: '[...others, ', after: '[', noticed: 'CHECK names only the first thing that is wrong' },
      {
        before: 'if (prevResult === undefined) {',
        after: "if (config.name === '') {",
        noticed: 'CHECK without prevResult fails in a way it should not',
      },
    ],
  },
  {
    file: 'src/commands/del.ts',
    tests: ['unit/commands/del', 'e2e/attachment', 'e2e/matrix/adds-silences'],
    mutants: [
      {
        before: `  const missing = await deleteEndpoint(attachment, namespace, hcn).catch((error: unknown) => {
    if (error instanceof HcnMissing) return error;
    throw error;
  });
  const ipam = locateIpam();
  if (ipam !== undefined) await delegateCommand(ipam, 'DEL');
`,
        after: `  const ipam = locateIpam();
  if (ipam !== undefined) await delegateCommand(ipam, 'DEL');
  const missing = await deleteEndpoint(attachment, namespace, hcn).catch((error: unknown) => {
    if (error instanceof HcnMissing) return error;
    throw error;
  });
`,
        noticed: 'the next pod gets an address that an endpoint still has',
      },
      {
        before: 'if (error instanceof HcnMissing) return error;',
        after: 'if (error instanceof Error) return error;',
        noticed: 'the next pod gets an address that an endpoint still has',
      },
      {
        before: 'if (missing !== undefined) throw missing;',
        after: '',
        noticed: 'DEL reports success on a machine without HCN',
      },
      {
        before: '    if (error instanceof HcnMissing) return error;\n',
        after: '',
        noticed: 'on a machine without HCN addresses stay taken',
      },
      {
        before: 'if (await removeEndpoint(endpointId(attachment), namespace, hcn)) return;',
        after: 'await removeEndpoint(endpointId(attachment), namespace, hcn);',
        noticed: 'DEL costs a search each time',
      },
      {
        before: 'removeEndpoint(endpointId(attachment), namespace, hcn)',
        after: 'removeEndpoint(endpointId(attachment), undefined, hcn)',
        noticed: 'DEL deletes an attached endpoint without detaching it',
      },
      {
        before: 'await removeEndpoint(endpoint.ID, attachedTo(endpoint), hcn);',
        after: '{}',
        noticed: 'DEL leaves what the plugin before us made, and everything where HNS chooses the ids',
      },
      {
        before: 'removeEndpoint(endpoint.ID, attachedTo(endpoint), hcn)',
        after: 'removeEndpoint(endpoint.ID, undefined, hcn)',
        noticed: 'DEL deletes an attached endpoint without detaching it',
      },
    ],
  },
  {
    file: 'src/commands/failures.ts',
    tests: ['unit/failures', 'e2e/attachment', 'e2e/host-endpoint'],
    mutants: [
      {
        before: 'error.unavailable || error.ambiguous ?',
        after: 'error.unavailable ?',
        noticed: 'a runtime does not know that it may repeat the request',
      },
      {
        before: 'error.unavailable || error.ambiguous ?',
        after: 'error.ambiguous ?',
        noticed: 'a service that is down looks like a refusal',
      },
      {
        before: 'error instanceof HcnTimeout || ',
        after: '',
        noticed: 'a call without an answer looks like a fault of win-hcn',
      },
      {
        before: 'details: error.record, cause: error',
        after: 'cause: error',
        noticed: 'what HNS found wrong is not in the error',
      },
      {
        before: 'error.passing ?',
        after: '!error.passing ?',
        noticed: 'a runtime does not know that it may repeat the request',
      },
      {
        before: '[first.details, ...failures]',
        after: 'failures',
        noticed: 'what could not be undone hides what was wrong',
      },
      {
        before: 'failure.code === code.tryAgainLater',
        after: 'failure.code === code.internal',
        noticed: 'a runtime does not know that it may repeat the request',
      },
      {
        before: 'withDetails(looking, refusal.message)',
        after: 'failure',
        noticed: 'a failure of HNS hides what it refused before',
      },
      {
        before: 'withDetails(refusal, failure.message)',
        after: 'failure',
        noticed: 'a look that fails hides what HCN refused',
      },
      {
        before: 'new CniError(code.hcnMissing,',
        after: 'new CniError(code.internal,',
        noticed: 'a machine without HCN looks like a fault of win-hcn',
      },
    ],
  },
  {
    file: 'src/commands/gc.ts',
    tests: ['unit/commands/gc', 'e2e/status', 'e2e/inherited-endpoints', 'e2e/host-endpoint'],
    mutants: [
      {
        before: ' || (await isOfNode(endpoint, hcn))',
        after: '',
        noticed: 'GC deletes an endpoint of the node itself',
      },
      {
        before: '  await attempt(delegateGc(locateIpam));\n',
        after: '',
        noticed: 'GC leaves the addresses of dead pods taken',
      },
      {
        before: 'failures.push(error);\n      const left',
        after: 'throw error;\n      const left',
        noticed: 'GC stops at the first endpoint that it cannot delete',
      },
      { before: ' || !isStale(endpoint)', after: '', noticed: 'GC deletes what win-hcn did not make' },
      {
        before: 'await attempt(deleteStale(network, decide, hcn, failures));',
        after: 'await deleteStale(network, decide, hcn, failures);',
        noticed: 'the IPAM plugin is not asked to collect when HCN fails',
      },
      {
        before: 'const { candidates, isStale } = decide(await hcn.findEndpointsOfNetwork(found.ID));',
        after:
          'const candidates = await hcn.findEndpointsOfNetwork(found.ID);\n  const { isStale } = decide(candidates);',
        noticed: 'GC cuts running pods',
      },
      {
        before: '[error, Object(error).cause]',
        after: '[error]',
        noticed: 'GC waits for HCN once for each endpoint where a deletion hangs',
      },
      {
        before: '[error, Object(error).cause]',
        after: '[Object(error).cause]',
        noticed: 'GC waits for HCN once for each endpoint where a look hangs',
      },
      {
        before: 'if (!isLate || left === 0) continue;',
        after: 'if (!isLate) continue;',
        noticed: 'an error of GC tells of no endpoints that were not looked at',
      },
      {
        before: 'removeEndpoint(id, attachedTo(endpoint), hcn)',
        after: 'removeEndpoint(id, undefined, hcn)',
        noticed: 'GC deletes an attached endpoint without detaching it',
      },
      {
        before: '(endpoint === undefined || ',
        after: '(endpoint?.ID === id || ',
        noticed: 'GC deletes nothing',
      },
      {
        before: 'if (found === undefined) return;',
        after: "if (found === undefined) throw new Error('no network');",
        noticed: 'GC fails on a node without the network',
      },
    ],
  },
  {
    file: 'src/commands/load-balancer.ts',
    tests: ['unit/commands/load-balancer', 'e2e/load-balancer', 'e2e/load-balancer-crash'],
    mutants: [
      {
        before: '  await requireFeatures(requiredByLoadBalancer(config), hcn);\n',
        after: '',
        noticed: 'a load balancer is tried on a Windows that does not take it',
      },
      {
        before: '.filter(({ ID }) => ID !== id)',
        after: '',
        noticed: 'a remote endpoint that only the load balancer used stays',
      },
      {
        before: 'atStake ? await otherLoadBalancers(loadBalancerId(config.name), hcn) : []',
        after: '[]',
        noticed: 'a backend is moved under another load balancer',
      },
      {
        before: 'endpoints.some(isOwnRemote) ? await otherLoadBalancers(id, hcn) : []',
        after: '[]',
        noticed: 'a remote endpoint that another load balancer uses is deleted',
      },
      {
        before: 'if (observed !== undefined && isSameLoadBalancer(observed, step.document)) return;',
        after: 'return;',
        noticed: 'an update has no effect where HNS only says that it has',
      },
      {
        before: 'if (error instanceof HcnError && isNotImplemented(error.hresult)) return undefined;',
        after: '',
        noticed: 'an update fails where HNS cannot modify a load balancer',
      },
      {
        before: '[...new Set([...ids, ...referred])]',
        after: 'ids',
        noticed: 'a load balancer that moves to another network leaves its remote endpoint',
      },
      {
        before: 'actualIds.set(step.id, await createSharedEndpoint(step, hcn, undo));',
        after: 'await apply(step, hcn, undo);',
        noticed: 'of two load balancers at once one fails',
      },
      {
        before: 'await apply({ ...step, document: actual(step.document) }, hcn, undo);',
        after: 'await apply(step, hcn, undo);',
        noticed: 'no load balancer has a backend elsewhere where HNS chooses the ids',
      },
      {
        before: 'modify({ ...step, document: actual(step.document) }, hcn, undo)',
        after: 'modify(step, hcn, undo)',
        noticed: 'no load balancer gets a backend elsewhere where HNS chooses the ids',
      },
      {
        before: "if (observed.loadBalancer === undefined) return 'created';",
        after: '',
        noticed: 'a load balancer that is new is called updated',
      },
    ],
  },
  {
    file: 'src/commands/namespaces.ts',
    tests: ['e2e/namespaces'],
    mutants: [
      {
        before: '  if (await hcn.openNamespace(id)) return false;\n',
        after: '',
        noticed: 'creating a namespace that exists is an error',
      },
      {
        before: 'if (actual === namespace) return true;',
        after: 'return true;',
        noticed: 'an endpoint in another namespace counts as attached',
      },
      {
        before: "=== 'container') ?? []",
        after: "=== 'endpoint') ?? []",
        noticed: 'an error names endpoints for containers',
      },
      {
        before: 'isRefusal(error.cause) && (await isIn(endpoint, namespace, hcn))',
        after: 'isRefusal(error.cause)',
        noticed: 'an endpoint that HCN refused counts as attached',
      },
      {
        before: '  await mustExist(namespace, hcn);\n  return unless',
        after: '  return unless',
        noticed: 'detaching from a namespace that is gone reports success',
      },
      {
        before: '  if (!isAttached(endpoint)) return false;\n',
        after: '',
        noticed: 'an endpoint in no namespace cannot be attached',
      },
      {
        before: 'if (containers.length === 0) throw error;',
        after: '',
        noticed: 'every refusal is blamed on containers',
      },
    ],
  },
  {
    file: 'src/commands/poll.ts',
    tests: ['unit/commands/poll', 'e2e/network', 'e2e/host-endpoint'],
    mutants: [
      {
        before: 'seen !== undefined || now() >= deadline',
        after: 'now() >= deadline',
        noticed: 'the first pod waits 20 s for a network that is finished',
      },
      {
        before: 'seen !== undefined || now() >= deadline',
        after: 'seen !== undefined',
        noticed: 'an ADD waits for ever',
      },
      {
        before: 'pollMilliseconds = 250',
        after: 'pollMilliseconds = 25_000',
        noticed: 'an ADD waits longer than it says',
      },
    ],
  },
  {
    file: 'src/commands/require-features.ts',
    tests: ['e2e/features'],
    mutants: [
      {
        before: 'if (required.length > 0) throwIfMissing',
        after: 'throwIfMissing',
        noticed: 'every ADD asks HNS for its version',
      },
      {
        before: 'if (required.length > 0) throwIfMissing(required, await hcn.version());',
        after: '',
        noticed: 'a feature is tried on a Windows that does not have it',
      },
    ],
  },
  {
    file: 'src/commands/status.ts',
    tests: ['unit/commands/status', 'e2e/status', 'e2e/features'],
    mutants: [
      {
        before: 'statusSeconds = 10;',
        after: 'statusSeconds = 60;',
        noticed: 'a runtime waits a minute for STATUS',
      },
      {
        before: 'Math.max(statusSeconds / 2, left)',
        after: 'left',
        noticed: 'STATUS kills the IPAM plugin at once where HCN was slow',
      },
      {
        before: 'Math.max(statusSeconds / 2, left)',
        after: 'statusSeconds',
        noticed: 'STATUS takes twice its time where HCN was slow',
      },
      {
        before: 'statusSeconds / 2',
        after: '1',
        noticed: 'a node that is only slow is taken for one whose IPAM plugin does not work',
      },
      {
        before: '      if (!isLate(error)) throw error;\n',
        after: '',
        noticed: 'STATUS reports success while HCN refuses everything',
      },
      {
        before: 'if (!isLate(error)) throw error;',
        after: 'throw error;',
        noticed: 'containerd takes a node that is only slow for one that is not ready',
      },
      {
        before: 'error instanceof HcnTimeout || error instanceof IpHelperTimeout',
        after: 'error instanceof HcnTimeout',
        noticed: 'containerd takes a node whose IP Helper is slow for one that is not ready',
      },
      {
        before: 'error instanceof HcnTimeout || error instanceof IpHelperTimeout',
        after: 'error instanceof IpHelperTimeout',
        noticed: 'containerd takes a node that is only slow for one that is not ready',
      },
      {
        before: ' || (error instanceof HcnError && isTimeout(error.hresult))',
        after: '',
        noticed: 'containerd takes a node whose HNS gave up waiting for one that is not ready',
      },
      {
        before: ' && isTimeout(error.hresult)',
        after: '',
        noticed: 'STATUS reports success while HCN refuses everything',
      },
      {
        before: '      host.notice(`STATUS succeeds although HCN is late: ${toCniError(error).message}`);\n',
        after: '',
        noticed: 'the log does not say that HCN was late',
      },
      {
        before: 'degraded ? code.notAvailableAndDegraded : code.notAvailable,',
        after: 'code.notAvailable,',
        noticed: 'STATUS does not say that pods are cut off',
      },
      {
        before: 'degraded ? code.notAvailableAndDegraded : code.notAvailable,',
        after: 'code.notAvailableAndDegraded,',
        noticed: 'STATUS says that pods are cut off where there are none',
      },
      {
        before: 'if (error instanceof PluginError) throw error;',
        after: '',
        noticed: "the IPAM plugin's own code is lost",
      },
      {
        before: 'if (network === undefined || isReady(network)) return;',
        after: 'return;',
        noticed: 'STATUS finds nothing wrong with a network that does not work',
      },
      {
        before:
          "    if (ipam !== undefined) await delegateCommand(ipam, 'STATUS', Math.max(statusSeconds / 2, left));\n",
        after: '',
        noticed: 'STATUS does not ask the IPAM plugin',
      },
      {
        before: 'own === code.notAvailableAndDegraded ? own : code.notAvailable',
        after: 'own',
        noticed: 'STATUS answers with a code the specification does not have',
      },
      {
        before: 'requiredFeatures(config, network === undefined)',
        after: 'requiredFeatures(config, false)',
        noticed: 'STATUS finds nothing wrong where ADD cannot create the network',
      },
      {
        before: '  planNetwork(config, network, ',
        after: '  ((..._: unknown[]) => undefined)(config, network, ',
        noticed: 'STATUS finds nothing wrong with a network that is not as configured',
      },
    ],
  },
];
