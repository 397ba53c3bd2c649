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

/** What `-o` takes where all that there is to print is printed anyway. */
export type DataFormat = Exclude<Format, 'wide'>;

export function dataFormatOption(): Option {
  return new Option('-o, --output <format>', 'print JSON or YAML').choices(['json', 'yaml']);
}

/**
 * A value in a format that programs read; undefined for a format that people read. YAML is such that readers of version 1.1, for
 * which `yes` is a boolean, read the same.
 */
export function serialized(value: unknown, format: Format | undefined): string | undefined {
  if (format === 'json') return JSON.stringify(value, undefined, 2);
  return format === 'yaml' ? stringify(value, { version: '1.1' }).trimEnd() : undefined;
}
