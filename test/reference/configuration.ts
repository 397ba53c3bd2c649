// docs/configuration.md, from schemas/ and conflist-examples/.

import { readdirSync } from 'node:fs';
import { example } from '../e2e/example.ts';
import { table } from '../markdown-table.ts';
import { capabilities } from './capabilities.ts';
import { acceptedBy, keySection, keyTable } from './key-tables.ts';
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
    'This file is generated from `schemas/` and `conflist-examples/` by `npm run pages`. Do not edit it. A test checks that it is up to',
    'date, that the examples are valid, and that the defaults are those of win-hcn.',
    '',
    '- [Examples](#examples): complete conflists',
    '- [Keys](#keys) of the plugin, each with type, default, network types and example',
    '- [Runtime capabilities](#runtime-capabilities): settings that a runtime passes for a pod',
    '- [CNI keys](#cni-keys)',
    "- [Policies](#policies) in HCN's format",
    '',
    'Keys are case-insensitive. Unknown keys are refused, except those that begin with `x-`, which you can use for comments. With',
    '`schemas/conflist.schema.json`, an editor that supports JSON Schema validates a conflist as you type. `win-hcn config check FILE` reports',
    'problems with line and column, and `win-hcn config plan FILE` shows what an ADD would do on this node. For the configurations of other',
    'plugins, see [dialects.md](dialects.md).',
    '',
    '## Examples',
    '',
    ...table(['conflist', 'network type', 'shows'], exampleRows()),
    '',
    '## Keys',
    '',
    ...table(
      ['key', 'network types', 'description'],
      own.map((key) => [`[${key.name}](#${key.name.toLowerCase()})`, acceptedBy(key), firstSentence(key)]),
    ),
    '',
    ...own.flatMap((key) => keySection(file, key)),
    '## Runtime capabilities',
    '',
    'A runtime passes the value of a capability in `runtimeConfig` if `capabilities` of the conflist has its name with `true`. For example,',
    'containerd passes the host ports of a pod only with `"capabilities": { "portMappings": true }`.',
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
    ...keyTable(file, protocol),
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

function firstSentence({ description }: Key): string {
  return /^.*?\.(?= |$)/s.exec(description)?.[0] ?? description;
}

function exampleRows(): readonly (readonly string[])[] {
  return readdirSync('conflist-examples')
    .toSorted()
    .map((name) => {
      const { networkType, 'x-comment': comment } = example(name.replace('.conflist', ''));
      return [`[${name}](../conflist-examples/${name})`, String(networkType), String(comment)];
    });
}
