import type { MutantsOf } from '../mutant.ts';

/** How endpoints are found, created and deleted, a pod's and the node's own. */
export const commandsEndpoints: readonly MutantsOf[] = [
  {
    file: 'src/commands/own-endpoints.ts',
    tests: ['unit/commands/own-endpoints', 'e2e/attachment', 'e2e/inherited-endpoints'],
    mutants: [
      {
        before: ' ?? (await findNamed(name, hcn))[0]',
        after: '',
        noticed: 'no endpoint is found again where HNS chooses the ids',
      },
      {
        before: '(await hcn.findEndpoint(id)) ?? ',
        after: '',
        noticed: 'CHECK does not find the endpoint of a pod',
      },
      {
        before: 'isDerived(id) ? undefined : ',
        after: '',
        noticed: "DEL of one container deletes another one's endpoint",
      },
      {
        before: 'if (endpoint?.Name === name) found.push(endpoint);',
        after: 'if (endpoint !== undefined) found.push(endpoint);',
        noticed: "DEL of one container deletes another one's endpoint",
      },
      {
        before: 'inherited === undefined ? own : [...own, inherited]',
        after: 'own',
        noticed: 'DEL leaves what the plugin before us made',
      },
      {
        before: 'inherited === undefined ? own : [...own, inherited]',
        after: 'inherited === undefined ? own : [inherited]',
        noticed: 'DEL leaves our endpoint where HNS chose its id',
      },
      {
        before: 'findNamed(endpointName(attachment), hcn)',
        after: 'findNamed(inheritedEndpointName(attachment), hcn)',
        noticed: 'DEL leaves our endpoints where HNS chooses the ids',
      },
      {
        before: 'inherited === undefined || others.length === 0',
        after: 'others.length >= 0',
        noticed: 'of several endpoints with the name DEL deletes any',
      },
      {
        before: '[inherited, ...others].map',
        after: 'others.map',
        noticed: 'an error does not name one of the endpoints to choose from',
      },
    ],
  },
  {
    file: 'src/commands/remove-endpoint.ts',
    tests: ['unit/commands/remove-endpoint', 'e2e/failing-del', 'e2e/attachment'],
    mutants: [
      {
        before: 'namespace === undefined ? undefined : await detach(id, namespace, hcn)',
        after: 'undefined',
        noticed: 'an attached endpoint is deleted without detaching it, which hangs on some HNS',
      },
      {
        before: 'if (await hcn.openNamespace(namespace)) await',
        after: 'await',
        noticed: 'an error tells of a namespace that is gone',
      },
      {
        before: 'if (error instanceof HcnUnavailable) throw error;',
        after: '',
        noticed: 'on a machine without HCN addresses stay taken',
      },
      {
        before: '    return toCniError(error).message;',
        after: '    throw error;',
        noticed: 'an endpoint that HNS cannot detach stays',
      },
      {
        before: 'refusal === undefined ? error : withDetails(error, refusal)',
        after: 'error',
        noticed: 'an error does not say why the endpoint could not be detached',
      },
      {
        before: 'if (!isRefusal(error) && !isLate) throw failure;',
        after: '',
        noticed: 'a service that is down is asked again and again',
      },
      {
        before: 'if (!isRefusal(error) && !isLate) throw failure;',
        after: 'if (!isRefusal(error)) throw failure;',
        noticed: 'an endpoint whose deletion hangs while it is attached stays',
      },
      {
        before: 'if (!isRefusal(error) && !isLate) throw failure;',
        after: 'if (!isLate) throw failure;',
        noticed: 'an endpoint that HNS does not delete while it is attached stays',
      },
      {
        before: 'error instanceof HcnTimeout && error.tried',
        after: 'error instanceof HcnTimeout',
        noticed: 'an error tells of calls that were not made',
      },
      {
        before: 'throw withDetails(failure, toCniError(looking).message);',
        after: 'throw failure;',
        noticed: 'an error does not say why the endpoint stays',
      },
      {
        before: 'throw withDetails(failure, toCniError(looking).message);',
        after: 'throw looking;',
        noticed: 'an error does not say that the endpoint could not be deleted',
      },
      {
        before: "    if (found === 'stays') throw failure;\n",
        after: '',
        noticed: 'DEL reports success, and the endpoint stays',
      },
      {
        before: "if (endpoint === undefined) return 'absent';",
        after: "if (endpoint === undefined) return 'stays';",
        noticed: 'DEL fails though the endpoint is gone',
      },
      {
        before: "if (endpoint === undefined) return 'absent';",
        after: "if (endpoint === undefined) return 'removed';",
        noticed: 'DEL leaves everything where HNS chooses the ids and refuses to delete others',
      },
      {
        before: "return found === 'removed';",
        after: 'return false;',
        noticed: 'DEL costs a search after a deletion that was refused at first',
      },
      {
        before: '!isAttached(endpoint) || ',
        after: '',
        noticed: 'an endpoint is detached from a namespace that does not exist',
      },
      {
        before: ' || endpoint.HostComputeNamespace === tried',
        after: '',
        noticed: 'a detaching that failed is tried twice',
      },
      {
        before: '  await hcn.removeEndpoint(endpoint.HostComputeNamespace, id);\n',
        after: '',
        noticed: 'an endpoint in another namespace than CNI_NETNS names stays',
      },
      {
        before: '  await hcn.deleteEndpoint(id);\n',
        after: '',
        noticed: 'DEL reports success, and the endpoint stays',
      },
      {
        before: 'return await hcn.deleteEndpoint(id);',
        after: 'await hcn.deleteEndpoint(id);\n    return true;',
        noticed: 'DEL leaves everything where HNS chooses the ids',
      },
    ],
  },
  {
    file: 'src/commands/delete-network.ts',
    tests: ['unit/commands/delete-network', 'e2e/apply', 'e2e/host-endpoint', 'e2e/network'],
    mutants: [
      {
        before: '    if (!isOfNode) return;\n',
        after: '',
        noticed: 'a failed ADD deletes the network of other pods',
      },
      {
        before: 'step.hostEndpoints.includes(id) || ',
        after: '',
        noticed: 'a network stays for a host endpoint that has another name',
      },
      {
        before: ' || endpoint?.Name === hostEndpointName(step.name)',
        after: '',
        noticed: 'a failed ADD leaves the network where HNS chooses the ids',
      },
      {
        before:
          '  for (const endpoint of hostEndpoints) await removeEndpoint(endpoint.ID, attachedTo(endpoint), hcn);\n',
        after: '',
        noticed: 'a failed ADD leaves the endpoint of the node without its network',
      },
      {
        before: 'attachedTo(endpoint)',
        after: 'undefined',
        noticed: 'a failed ADD deletes an attached endpoint without detaching it',
      },
      {
        before: 'hcn.deleteNetwork(network.ID)',
        after: 'hcn.deleteNetwork(step.id)',
        noticed: 'a failed ADD leaves the network where HNS chooses the ids',
      },
      {
        before: 'if (network === undefined) return;',
        after: "if (network === undefined) throw new Error('no network');",
        noticed: 'an error tells of an undoing that was not needed',
      },
      {
        before: 'const isOfNode = step',
        after: 'const isOfNode = endpoint === undefined || step',
        noticed: 'a failed ADD deletes a network with an endpoint that HNS lists and does not show',
      },
    ],
  },
  {
    file: 'src/commands/create-endpoint.ts',
    tests: [
      'unit/commands/create-endpoint',
      'e2e/attachment',
      'e2e/matrix/adds-silences',
      'e2e/stale-addresses',
    ],
    mutants: [
      {
        before: 'if (!isRefusal(error)) throw error;',
        after: '',
        noticed: 'an endpoint whose create timed out is made a second time',
      },
      {
        before: 'const removed = unfinished || (await',
        after: 'const removed = (await',
        noticed: 'an ADD cannot be repeated after an interrupted one',
      },
      {
        before: ' || (await freeAddresses(error, step, owner, host))',
        after: '',
        noticed: 'a leftover keeps pods from starting',
      },
      {
        before: 'if (!removed) throw error;',
        after: '',
        noticed: 'an endpoint that HCN refuses is tried twice',
      },
      {
        before: 'if (endpoint.ID !== step.id) {',
        after: '{',
        noticed: 'every ADD searches for endpoints of its name',
      },
      {
        before: '    await removeNamesakes(endpoint, hcn);\n',
        after: '',
        noticed: 'a pod has two endpoints where HNS chooses the ids',
      },
      {
        before: '    refuseAmbiguous(endpoint.Name, owner.name);\n',
        after: '',
        noticed: 'an ADD takes the endpoint of another pod for its own where HNS chooses the ids',
      },
      {
        before: '.length < 2) return;',
        after: '.length < 1) return;',
        noticed: 'every ADD fails where HNS chooses the ids',
      },
      {
        before: '.length < 2) return;',
        after: '.length < 3) return;',
        noticed: 'an ADD takes the endpoint of another pod for its own where HNS chooses the ids',
      },
      {
        before: 'if (endpoint !== undefined) return endpoint;',
        after: 'return endpoint as ObservedEndpoint;',
        noticed: 'an endpoint that is gone at once looks like a fault of win-hcn',
      },
      {
        before: '  if (unfinished !== undefined) await hcn.deleteEndpoint(unfinished.ID);\n',
        after: '',
        noticed: 'an ADD cannot be repeated after an interrupted one',
      },
      {
        before: 'return unfinished !== undefined;',
        after: 'return false;',
        noticed: 'an ADD cannot be repeated after an interrupted one',
      },
      {
        before: 'throw looking instanceof AlreadyAttached ? looking : afterRefusal(error, looking);',
        after: 'throw looking;',
        noticed: 'an error does not say why HCN did not create the endpoint',
      },
      {
        before: 'looking instanceof AlreadyAttached ? looking : afterRefusal',
        after: 'afterRefusal',
        noticed: 'a repeated ADD looks like a failure of HCN',
      },
      {
        before: '  const endpoint = await findByKey(key, hcn);\n',
        after: '  const endpoint = await hcn.findEndpoint(key.id);\n',
        noticed: 'an interrupted ADD takes an address for ever where HNS chooses the ids',
      },
      {
        before: '  if (endpoint !== undefined) refuseAttached(endpoint);\n',
        after: '',
        noticed: 'a repeated ADD deletes the endpoint of the pod at work',
      },
      {
        before: 'if (isAttached(endpoint)) throw',
        after: 'throw',
        noticed: 'an ADD cannot be repeated after an interrupted one',
      },
      {
        before: '.filter(({ ID }) => ID !== created.ID)',
        after: '',
        noticed: 'an ADD deletes the endpoint it has just created where HNS chooses the ids',
      },
      {
        before: 'if (attached !== undefined) {',
        after: 'if (attached?.ID === created.ID) {',
        noticed: 'a repeated ADD deletes the endpoint of the pod at work where HNS chooses the ids',
      },
      {
        before: '  for (const { ID } of others) await hcn.deleteEndpoint(ID);\n',
        after: '',
        noticed: 'a pod has two endpoints where HNS chooses the ids',
      },
      {
        before: '(error: unknown) => toCniError(error).message,',
        after: '() => undefined,',
        noticed: 'an error does not say that a second endpoint stays',
      },
      {
        before: "const details = ['DEL it first', ...(failure === undefined ? [] : [failure])]",
        after: "const details = ['DEL it first']",
        noticed: 'an error does not say that a second endpoint stays',
      },
    ],
  },
  {
    file: 'src/commands/create-shared-endpoint.ts',
    tests: [
      'unit/commands/create-shared-endpoint',
      'e2e/matrix/adds-silences',
      'e2e/load-balancer',
      'e2e/host-endpoint',
    ],
    mutants: [
      {
        before: '    if (!isRefusal(error)) throw error;\n',
        after: '',
        noticed: 'a call without an answer counts as done',
      },
      {
        before: 'throw afterRefusal(error, looking);',
        after: 'throw looking;',
        noticed: 'an error does not say why HCN did not create the endpoint',
      },
      {
        before: 'if (existing === undefined) throw error;',
        after: 'throw error;',
        noticed: 'of two requests at once one fails',
      },
      {
        before: '  if ((await hcn.findEndpoint(id)) !== undefined) return id;\n',
        after: '',
        noticed: 'of two requests at once one fails',
      },
      {
        before: 'return (await findCreated(step, hcn)).ID;',
        after: 'return step.id;',
        noticed: 'the endpoint of the node is never attached where HNS chooses the ids',
      },
      {
        before:
          'named.find(({ HostComputeNetwork }) => HostComputeNetwork === document.HostComputeNetwork)?.ID',
        after: 'undefined',
        noticed: 'of two requests at once one fails where HNS chooses the ids',
      },
      {
        before:
          'named.find(({ HostComputeNetwork }) => HostComputeNetwork === document.HostComputeNetwork)?.ID',
        after: 'named[0]?.ID',
        noticed: 'an endpoint of another network is used',
      },
    ],
  },
  {
    file: 'src/commands/ensure-host-endpoint.ts',
    tests: ['unit/commands/ensure-host-endpoint', 'e2e/host-endpoint'],
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
        before: "  if (found.state === 'leftover') await host.hcn.deleteEndpoint(found.id);\n",
        after: '',
        noticed: 'what an interrupted request left keeps pods from starting',
      },
      {
        before: "  if (found.state === 'unfinished') await attach(found.id, host, undo);\n",
        after: '',
        noticed: 'an endpoint of the node that an interrupted request left is never attached',
      },
      {
        before: "if (found.state === 'absent' || found.state === 'leftover') {",
        after: "if (found.state === 'absent') {",
        noticed: 'a leftover host endpoint goes and no other one comes',
      },
      {
        before: 'await attach(await createSharedEndpoint(step, host.hcn, undo), host, undo);',
        after: 'await attach((await createSharedEndpoint(step, host.hcn, undo), id), host, undo);',
        noticed: 'the endpoint of the node is never attached where HNS chooses the ids',
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
        before: 'attachMilliseconds = 5_000',
        after: 'attachMilliseconds = 0',
        noticed: 'an ADD fails because HNS does not attach a new endpoint at once',
      },
      {
        before: 'if (!isRefusal(error)) throw error;',
        after: '',
        noticed: 'a service that is down is asked again and again',
      },
      {
        before: 'return isThere || isInNamespace(error.hresult) || undefined;',
        after: 'return isInNamespace(error.hresult) || undefined;',
        noticed: 'of two pods at once one fails',
      },
      {
        before: 'return isThere || isInNamespace(error.hresult) || undefined;',
        after: 'return isThere || undefined;',
        noticed: 'of two pods at once one fails',
      },
      {
        before: 'return isThere || isInNamespace(error.hresult) || undefined;',
        after: 'return true;',
        noticed: 'the endpoint of the node is not attached, without a word',
      },
      {
        before: '  if (attached === undefined) throw refusal;\n',
        after: '',
        noticed: 'the endpoint of the node is not attached, without a word',
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
    tests: ['unit/commands/look-at-host-endpoint', 'e2e/host-endpoint'],
    mutants: [
      {
        before: "  if (isAsConfigured) return { state: 'at work', id: endpoint.ID };\n",
        after: "  return { state: 'at work', id: endpoint.ID };\n",
        noticed: "the node's endpoint has another address than configured",
      },
      {
        before: "isAsConfigured ? 'unfinished' : 'leftover'",
        after: "'unfinished'",
        noticed: 'what an interrupted request left keeps pods from starting',
      },
      {
        before: ' && endpoint.HostComputeNetwork === network.ID;',
        after: ';',
        noticed: 'what an interrupted request left on another network keeps pods from starting',
      },
      {
        before: ' ?? (await findNamedSo(network, address, hcn))',
        after: '',
        noticed: "flannel's endpoint of the node keeps pods from starting",
      },
      {
        before: '.filter((endpoint) =>\n    hasAddress(endpoint, address),\n  )',
        after: '',
        noticed: "flannel's endpoint with another address keeps pods from starting",
      },
      {
        before: 'named.find(isAttached) ?? ',
        after: '',
        noticed: 'an address that the node has on another network is given a second time',
      },
      {
        before: ' ?? named.find(({ HostComputeNetwork }) => HostComputeNetwork === network.ID)',
        after: '',
        noticed: 'an interrupted request leaves a host endpoint where HNS chooses the ids',
      },
      {
        before: 'named.find(({ HostComputeNetwork }) => HostComputeNetwork === network.ID)',
        after: 'named[0]',
        noticed: 'an endpoint of another network, which another plugin needs, is deleted',
      },
      {
        before: '    (others.length === 0 ? only : undefined) ??\n',
        after: '',
        noticed: 'no host endpoint where HNS does not number the namespace of the node',
      },
      {
        before: 'others.length === 0 ? only : undefined',
        after: 'only',
        noticed:
          'the endpoint of the node is put into a container where HNS numbers no namespace it calls default',
      },
      {
        before: ' ??\n    hostNamespaceOf(await hcn.findNamespaces())',
        after: '',
        noticed: 'no host endpoint where HNS calls no namespace default',
      },
      {
        before: '.filter(isOfHost)',
        after: '',
        noticed: 'the endpoint of the node is put into a container',
      },
    ],
  },
];
