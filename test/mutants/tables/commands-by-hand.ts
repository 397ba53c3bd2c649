import type { MutantsOf } from '../mutant.ts';

/** What the commands by hand and ADD share, and what is only by hand. */
export const commandsByHand: readonly MutantsOf[] = [
  {
    file: 'src/commands/finish-endpoint.ts',
    tests: ['unit/commands/finish-endpoint', 'e2e/attachment', 'e2e/cli/endpoint'],
    mutants: [
      {
        before: 'const policies = assignment === undefined ?',
        after: 'const policies = assignment !== undefined ?',
        noticed: "loopbackDSR has no effect with addresses of HNS's",
      },
      {
        before: 'if (policies.length > 0) await',
        after: 'await',
        noticed: 'every ADD makes a call more',
      },
      {
        before: 'notice(text);',
        after: '{}',
        noticed: 'the log does not say how HNS changed the endpoint',
      },
      {
        before: "{ details: others.join('; ') }",
        after: '{}',
        noticed: 'only the first reason not to use an endpoint is named',
      },
      {
        before: 'if (first !== undefined) throw',
        after: 'if (others.length > 99) throw',
        noticed: 'an ADD succeeds whatever HNS made',
      },
    ],
  },
  {
    file: 'src/commands/provide-network.ts',
    tests: ['e2e/cli/network'],
    mutants: [
      {
        before: '    await ensureHostEndpoint(plan.config, ensured, host, undo);\n',
        after: '',
        noticed: 'a network made by hand has no endpoint of the node',
      },
    ],
  },
  {
    file: 'src/commands/create-unattached-endpoint.ts',
    tests: ['e2e/cli/endpoint'],
    mutants: [
      {
        before: 'if (plan.found === undefined) {',
        after: 'if (plan.config.name === undefined) {',
        noticed: "creating an endpoint by hand interrupts the node's connections",
      },
      {
        before: '  await requireFeatures(requiredFeatures(config, false), hcn);\n',
        after: '',
        noticed: 'an endpoint is tried on a Windows that cannot have it',
      },
      {
        before: '  await refuseExisting(attachment, config, hcn);\n',
        after: '',
        noticed: 'HCN says in its own words that an attachment has an endpoint',
      },
      {
        before: 'const existing = await findUnattached(key, hcn);',
        after: 'const existing = await hcn.findEndpoint(key.id);',
        noticed: 'an attachment gets a second endpoint where HNS chooses the ids',
      },
      {
        before: 'await finishEndpoint({ step, config, assignment }, endpoint, host, undo);',
        after: '',
        noticed: 'an endpoint made by hand is reported as fine whatever HNS made',
      },
    ],
  },
];
