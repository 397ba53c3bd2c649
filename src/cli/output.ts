import { Document, visit } from 'yaml';
import { isPrintable, printableIn } from './printable.ts';

/** The values of `-o`. Without it commands print a table that fits most terminals. */
export type Format = 'wide' | 'json' | 'yaml';

/** The values of `-o` of a command without further columns. */
export type DataFormat = Exclude<Format, 'wide'>;

/** A value as JSON or YAML; undefined for other formats. YAML 1.1 readers, for which `yes` is a boolean, read the same value. */
export function serialized(value: unknown, format: Format | undefined): string | undefined {
  if (format === 'json') return JSON.stringify(value, undefined, 2);
  return format === 'yaml' ? yamlText(value) : undefined;
}

/** A value as JSON or YAML, otherwise as text for people, with control characters escaped. */
export function formatted<T>(value: T, format: Format | undefined, forPeople: (value: T) => string): string {
  return serialized(value, format) ?? forPeople(printableIn(value));
}

/** Unprintable characters are escaped, which YAML allows only in double quotes. */
function yamlText(value: unknown): string {
  const document = new Document(value, { version: '1.1' });
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value === 'string' && !isPrintable(node.value)) node.type = 'QUOTE_DOUBLE';
    },
  });
  return document.toString().trimEnd();
}
