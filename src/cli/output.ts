import { Option } from 'commander';
import { stringify } from 'yaml';

/** What `-o` takes; without it a table that fits most terminals. */
export type Format = 'wide' | 'json' | 'yaml';

export function formatOption(): Option {
  return new Option('-o, --output <format>', 'print more columns, JSON or YAML').choices([
    'wide',
    'json',
    'yaml',
  ]);
}

/** A value in a format that programs read; undefined for a format that people read. */
export function serialized(value: unknown, format: Format | undefined): string | undefined {
  if (format === 'json') return JSON.stringify(value, undefined, 2);
  return format === 'yaml' ? stringify(value).trimEnd() : undefined;
}
