import { table } from '../markdown-table.ts';
import { policyExamples } from '../unit/config/policy-examples.ts';
import { keyTable } from './key-tables.ts';
import { inline, type Key, type Schema, SchemaFile } from './schema.ts';

type Level = (typeof policyExamples)[number]['level'];

/** The sections of the policies in HCN's format, in the order of the schema. */
export function policySections(): readonly string[] {
  return [...sectionsOf('endpoint'), ...sectionsOf('network')];
}

function sectionsOf(level: Level): readonly string[] {
  const file = new SchemaFile('policies');
  const policy = file.schema.definitions?.[`${level}Policy`];
  const types = (policy?.properties?.['Type']?.anyOf?.[0]?.enum ?? []).map(String);
  const settings = (type: string): Schema => {
    const rule = policy?.allOf?.find((one) => one.if?.properties?.Type?.const === type);
    const { $ref = '' } = rule?.then?.properties?.['Settings'] || {};
    return file.resolve({ $ref });
  };
  return [
    `### ${level === 'endpoint' ? 'Endpoint' : 'Network'} policies`,
    '',
    ...table(
      ['type', 'description'],
      types.map((type) => [`[${type}](#${anchor(level, type)})`, settings(type).description ?? '']),
    ),
    '',
    ...types.flatMap((type) => {
      const keys = file.keysOf(settings(type), []);
      return [
        `#### ${type} (${level})`,
        '',
        settings(type).description ?? '',
        '',
        '```json',
        exampleOf(level, type),
        '```',
        '',
        ...(keys.length === 0
          ? []
          : [...keyTable(file, keys), '', ...keys.flatMap((key) => innerTable(file, key))]),
      ];
    }),
  ];
}

/** The keys of a setting that is an object. */
function innerTable(file: SchemaFile, { name, members }: Key): readonly string[] {
  return members.length === 0 ? [] : [`\`${name}\`:`, '', ...keyTable(file, members), ''];
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
