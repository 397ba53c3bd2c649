import type { MutantsOf } from '../mutant.ts';

/** HCN's objects and how long a request may wait for them. */
export const hcn: readonly MutantsOf[] = [
  {
    file: 'src/hcn/open-objects.ts',
    tests: ['unit/hcn/open-objects', 'e2e/attachment', 'e2e/broken-hns'],
    mutants: [
      {
        before: 'if (known !== undefined) return known as Handle<K>;',
        after: '',
        noticed: 'an ADD opens every object again and again',
      },
      {
        before: "if (kind === 'LoadBalancer' && isPolicyNotFound(answer.hresult)) return undefined;",
        after: '',
        noticed: 'a load balancer that is not there is an error',
      },
      {
        before: "kind === 'LoadBalancer' && isPolicyNotFound",
        after: 'isPolicyNotFound',
        noticed: 'a refusal to open an endpoint looks like an absent one',
      },
      {
        before: '    if (handle !== undefined) keep(id, { handle });\n',
        after: '',
        noticed: 'an ADD opens every object again and again',
      },
      {
        before: 'if (reopen && isUsedAfterUnload(answer.hresult)) {',
        after: 'if (answer.hresult === -1) {',
        noticed: 'an object that was made anew looks broken',
      },
      {
        before: '        entries.delete(`${kind} ${id}`);\n        continue;\n',
        after: '        continue;\n',
        noticed: 'an object that was made anew looks absent',
      },
      {
        before: 'keepCreated: (handle, name) => keep(handle.id, { handle, created: { name } }),',
        after: 'keepCreated: (handle, _name) => keep(handle.id, { handle }),',
        noticed: 'every ADD fails where HNS chooses the ids',
      },
      {
        before: 'keepCreated: (handle, name) => keep(handle.id, { handle, created: { name } }),',
        after: 'keepCreated: () => undefined,',
        noticed: 'an ADD opens what it has just created, which fails where HNS chooses the ids',
      },
      {
        before: '    forget: (kind, id) => {\n      entries.delete(`${kind} ${id}`);\n    },\n',
        after: '    forget: () => undefined,\n',
        noticed: 'a deleted endpoint that was made anew is looked for by its old handle',
      },
      {
        before: 'if (entry?.created === undefined || !isNamed(object, entry.created.name))',
        after: 'if (!isNamed(object, entry?.created?.name))',
        noticed: 'an endpoint that HCN mixes up with another one is used',
      },
      {
        before: ' || !isNamed(object, entry.created.name))',
        after: ')',
        noticed: "another pod's endpoint is taken for the one just created",
      },
      {
        before: '        keep(actual, { handle: { ...entry.handle, id: actual } });\n',
        after: '',
        noticed: 'an ADD opens what it has just created a second time where HNS chooses the ids',
      },
      {
        before: 'if (actual === id) return object;',
        after: 'return object;',
        noticed: 'an endpoint that HCN mixes up with another one is used',
      },
      {
        before: 'Name.toLowerCase() === name.toLowerCase()',
        after: 'Name === name',
        noticed: 'every ADD fails where HNS chooses the ids and writes names in capitals',
      },
      {
        before: 'name === undefined || ',
        after: '',
        noticed: 'a load balancer fails where HNS chooses the ids',
      },
      {
        before: "kind === 'LoadBalancer' ? 'load balancer' : kind.toLowerCase()",
        after: 'kind.toLowerCase()',
        noticed: 'an error tells of a loadbalancer',
      },
    ],
  },
  {
    file: 'src/hcn/deadline.ts',
    tests: ['unit/hcn/deadline', 'e2e/status'],
    mutants: [
      {
        before: 'together: 2 * seconds',
        after: 'together: 20 * seconds',
        noticed: 'an ADD takes minutes while HNS is slow',
      },
      {
        before: 'uncounted: 1 };',
        after: 'uncounted: 0 };',
        noticed: 'a GC of many endpoints never ends its work',
      },
      {
        before: 'together: seconds, uncounted: 0',
        after: 'together: 2 * seconds, uncounted: 0',
        noticed: 'STATUS takes longer than a runtime waits',
      },
      {
        before: 'together: seconds, uncounted: 0',
        after: 'together: seconds, uncounted: 1',
        noticed: 'STATUS takes longer than a runtime waits',
      },
      {
        before: 'isGrace ? graceForEach : each * 1000',
        after: 'each * 1000',
        noticed: 'one call that hangs takes all the time there is to take things back',
      },
      {
        before: 'Math.min(longest, left)',
        after: 'longest',
        noticed: 'an ADD takes minutes while HNS is slow',
      },
      {
        before: 'usual === 0 || isGrace ? 0 : more * 1000',
        after: 'usual === 0 ? 0 : more * 1000',
        noticed: 'an ADD that failed waits for minutes to take its endpoint back',
      },
      {
        before: 'usual === 0 || isGrace ? 0 : more * 1000',
        after: 'isGrace ? 0 : more * 1000',
        noticed: 'an ADD that is late goes on',
      },
      {
        before: 'Math.ceil(allowed / 100) / 10',
        after: 'Math.floor(allowed / 1000)',
        noticed: 'an error says that a call was not made',
      },
      {
        before: '      if (isLate) throw giveUp();\n',
        after: '',
        noticed: 'a call is made that nobody waits for',
      },
      {
        before: 'isGrace ? 0 : uncounted * 1000 + own',
        after: 'uncounted * 1000 + own',
        noticed: 'what follows a late call takes longer than five seconds',
      },
      {
        before: 'uncounted * 1000 + own;',
        after: 'uncounted * 1000;',
        noticed: 'an endpoint with many ACLs uses the time of the calls after it',
      },
      {
        before: 'Math.min(Math.max(left, 0) + grace, graceMilliseconds)',
        after: 'Math.max(left, 0) + grace',
        noticed: 'an ADD that failed waits for a minute to take its endpoint back',
      },
      {
        before: 'Math.max(left, 0) + grace',
        after: 'left + grace',
        noticed: 'an ADD whose calls were slow takes nothing back',
      },
      {
        before: '        grace = 0;\n',
        after: '',
        noticed: 'each late call is followed by another one',
      },
      {
        before: '.finally(timeout.cancel)',
        after: '',
        noticed: 'a request ends only when its limit is over',
      },
      {
        before: ', aclSeconds(call));',
        after: ');',
        noticed: 'an endpoint with many ACLs is not finished in time',
      },
    ],
  },
  {
    file: 'src/hcn/hresults/creation.ts',
    tests: ['unit/hcn/hresults', 'unit/hcn/refused-creation'],
    mutants: [
      {
        before: "creates: 'Network',",
        after: "creates: 'Endpoint',",
        noticed: 'an error does not say what to do about a NAT network without subnets',
      },
      {
        before: 'hresult: 0x80070490,',
        after: 'hresult: 0x80070491,',
        noticed: 'an error does not say what to do about a NAT network without subnets',
      },
    ],
  },
];
