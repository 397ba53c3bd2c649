// docs/configuration.md, from schemas/ and conflist-examples/.

import { readdirSync } from 'node:fs';
import { example } from '../e2e/example.ts';
import { table } from '../markdown-table.ts';
import { capabilities } from './capabilities.ts';
import { keyLine, keySection } from './key-lines.ts';
import { policySections } from './policies.ts';
import { code, type Key, SchemaFile } from './schema.ts';

/** Keys that CNI defines or that editors read. */
const protocolKeys = [
  '$schema',
  'cniVersion',
  'name',
  'type',
  'capabilities',
  'runtimeConfig',
  'prevResult',
  'args',
];

export function configurationPage(): string {
  const file = new SchemaFile('win-hcn');
  const keys = file.keys();
  const own = keys.filter((key) => !protocolKeys.includes(key.name) && !isForRuntime(key));
  const protocol = keys.filter(({ name }) => protocolKeys.includes(name));
  return `${[
    '# Configuration reference',
    '',
    'Generated from `schemas/` and `conflist-examples/` by `npm run pages`.',
    '',
    'Keys are case-insensitive. Unknown keys are refused, except those that begin with `x-`, for comments. In an editor,',
    '`schemas/conflist.schema.json` validates a conflist as you type. `win-hcn config check FILE` reports problems with line and column,',
    '`win-hcn config plan FILE` shows what an ADD would do on this node. Configurations of other plugins: [dialects.md](dialects.md).',
    '',
    '## Examples',
    '',
    ...table(['conflist', 'network type', 'shows'], exampleRows()),
    '',
    '## Keys',
    '',
    'After the type: the default, and the network types that accept the key, if not all do.',
    '',
    `${own.map(({ name }) => `[${name}](#${name.toLowerCase()})`).join(', ')}.`,
    '',
    ...own.flatMap((key) => keySection(file, key)),
    '## Runtime capabilities',
    '',
    'Settings of a pod, which a runtime passes in `runtimeConfig` if `capabilities` of the conflist has their names: containerd passes host',
    'ports only with `"capabilities": { "portMappings": true }`.',
    '',
    ...table(
      ['capability', 'value, for example', 'effect'],
      capabilities.map(({ name, example, effect }) => [
        `\`${name}\``,
        code(JSON.parse(JSON.stringify(example))),
        effect,
      ]),
    ),
    '',
    'Keys are case-insensitive; null and empty values count as absent. `ips` and `mac` can also be in `args.cni` of the configuration, or in',
    'CNI_ARGS as `IP` and `MAC`. `runtimeConfig` takes precedence over `args.cni`, and `args.cni` over CNI_ARGS. The capability `ipRanges`',
    'is for IPAM plugins: win-hcn refuses it without one.',
    '',
    '## CNI keys',
    '',
    ...protocol.map((key) => keyLine(file, key)),
    '',
    `win-hcn ignores ${keys
      .filter(isForRuntime)
      .map(({ name }) => `\`${name}\``)
      .join(', ')} and keys that begin with \`cni.dev/\`, which are for the runtime.`,
    '',
    '## Policies',
    '',
    "`endpointPolicies` and `networkPolicies` are lists of policies in HCN's format, with HCN's names. win-hcn checks the settings of the types",
    'below, and sends other types unchanged.',
    '',
    ...policySections(),
  ]
    .join('\n')
    .trimEnd()}\n`;
}

function isForRuntime({ description }: Key): boolean {
  return description === 'For the runtime.';
}

function exampleRows(): readonly (readonly string[])[] {
  return readdirSync('conflist-examples')
    .toSorted()
    .map((name) => {
      // A file for the plugin nat has no networkType.
      const { networkType = 'NAT', 'x-comment': comment } = example(name.replace('.conflist', ''));
      return [`[${name}](../conflist-examples/${name})`, String(networkType), String(comment)];
    });
}
