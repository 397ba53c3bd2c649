import { Document, visit } from 'yaml';
import { isPrintable, printableIn } from './printable.ts';

/** What `-o` takes; without it a table that fits most terminals. */
export type Format = 'wide' | 'json' | 'yaml';

/** What `-o` takes where all that there is to print is printed anyway. */
export type DataFormat = Exclude<Format, 'wide'>;

/**
 * A value in a format that programs read; undefined for a format that people read. YAML is such that readers of version 1.1, for
 * which `yes` is a boolean, read the same.
 */
export function serialized(value: unknown, format: Format | undefined): string | undefined {
  if (format === 'json') return JSON.stringify(value, undefined, 2);
  return format === 'yaml' ? yamlText(value) : undefined;
}

/** A value in a format that programs read, else as people read it, to whom no text in it does anything but to be read. */
export function formatted<T>(value: T, format: Format | undefined, forPeople: (value: T) => string): string {
  return serialized(value, format) ?? forPeople(printableIn(value));
}

/** What is unprintable is escaped where it is printed, which only double quotes allow. */
function yamlText(value: unknown): string {
  const document = new Document(value, { version: '1.1' });
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value === 'string' && !isPrintable(node.value)) node.type = 'QUOTE_DOUBLE';
    },
  });
  return document.toString().trimEnd();
}
