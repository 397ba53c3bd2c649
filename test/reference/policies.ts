import { policyExamples } from '../unit/config/policy-examples.ts';
import { keyLine } from './key-lines.ts';
import { inline, type Key, type Schema, SchemaFile } from './schema.ts';

type Level = (typeof policyExamples)[number]['level'];

/** The sections of the policies in HCN's format, in the order of the schema. */
export function policySections(): readonly string[] {
  const shown = new Map<string, string>();
  return [...sectionsOf('endpoint', shown), ...sectionsOf('network', shown)];
}

/** `shown` has the settings of earlier sections, each with a link to its section. */
function sectionsOf(level: Level, shown: Map<string, string>): readonly string[] {
  const file = new SchemaFile('policies');
  const policy = file.schema.definitions?.[`${level}Policy`];
  const types = (policy?.properties?.['Type']?.anyOf?.[0]?.enum ?? []).map(String);
  const settings = (type: string): Schema => {
    const rule = policy?.allOf?.find((one) => one.if?.properties?.Type?.const === type);
    const { $ref = '' } = rule?.then?.properties?.['Settings'] || {};
    return file.resolve({ $ref });
  };
  const link = (type: string) => `[${type}](#${anchor(level, type)})`;
  return [
    `### ${level === 'endpoint' ? 'Endpoint' : 'Network'} policies`,
    '',
    `${types.map(link).join(', ')}.`,
    '',
    ...types.flatMap((type) => [
      `#### ${type} (${level})`,
      '',
      settings(type).description ?? '',
      '',
      '```json',
      exampleOf(level, type),
      '```',
      '',
      ...settingsLines(file, file.keysOf(settings(type), []), link(type), shown),
    ]),
  ];
}

/** The settings of a policy, and of the objects in it. Settings that an earlier section has are a link to that. */
function settingsLines(
  file: SchemaFile,
  keys: readonly Key[],
  link: string,
  shown: Map<string, string>,
): readonly string[] {
  const lineOf = (key: Key) => keyLine(file, key);
  const byOrigin = Map.groupBy(keys, (key) => shown.get(lineOf(key)) ?? '');
  const repeated = [...byOrigin].filter(([origin, same]) => origin !== '' && same.length > 1);
  const own = keys.filter((key) => !repeated.some(([, same]) => same.includes(key)));
  for (const line of own.map(lineOf)) if (!shown.has(line)) shown.set(line, link);
  const nested = keys.filter(({ members }) => members.length > 0);
  return [
    ...own.map(lineOf),
    ...repeated.map(
      ([origin, same]) => `- ${same.map(({ name }) => `\`${name}\``).join(', ')}: as in ${origin}`,
    ),
    ...(keys.length === 0 ? [] : ['']),
    ...nested.flatMap(({ name, members }) => [
      `Keys of \`${name}\`:`,
      '',
      ...settingsLines(file, members, link, shown),
    ]),
  ];
}

function exampleOf(level: Level, type: string): string {
  const example = policyExamples.find((one) => one.level === level && one.type === type);
  if (example === undefined) throw new Error(`policy-examples.ts has no ${level} policy ${type}`);
  const { Type, Settings } = example.canonical;
  return inline(Object.keys(Settings).length === 0 ? { Type } : { Type, Settings });
}

/** GitHub's anchor of a heading. */
function anchor(level: Level, type: string): string {
  return `${type}-${level}`.toLowerCase();
}
