import { isObject, type JsonObject, parseJson } from '../../json/members.ts';
import type { Component } from './component.ts';
import { linesOf } from './lines.ts';

/** Reads a list of components, in JSON or as text; undefined if it has an unknown form. */
export function parseComponents(output: string): readonly Component[] | undefined {
  const text = output.trim();
  if (/^[[{]/.test(text)) return fromJson(text);
  const found = fromText(output);
  return found.length === 0 ? undefined : found;
}

/** `[{ Group, Components: [{ Id, Name, Type, DriverName, Properties: [{ Name, Value }] }] }]`, also without groups. */
function fromJson(text: string): readonly Component[] | undefined {
  const groups = parseJsonList(text);
  return groups?.flatMap((group) => {
    const name = textIn(group, 'Group');
    const inGroup = listIn(group, 'Components') ?? [group];
    return inGroup.flatMap((one) => {
      const id = Number(one['Id'] ?? Number.NaN);
      if (!Number.isInteger(id)) return [];
      const [type, driver] = [textIn(one, 'Type'), textIn(one, 'DriverName')];
      return [
        {
          id,
          name: textIn(one, 'Name') ?? '',
          ...(type !== undefined && { type }),
          ...(driver !== undefined && { driver }),
          ...(name !== undefined && { group: name }),
          properties: propertiesIn(listIn(one, 'Properties') ?? []),
        },
      ];
    });
  });
}

function propertiesIn(list: readonly JsonObject[]): ReadonlyMap<string, readonly string[]> {
  const properties = new Map<string, readonly string[]>();
  for (const one of list) {
    const name = textIn(one, 'Name')?.toLowerCase();
    const value = one['Value'];
    if (name !== undefined && value !== undefined)
      properties.set(name, [...(properties.get(name) ?? []), String(value)]);
  }
  return properties;
}

/** The table of `pktmon list`, with ID, MAC address and name in a row; and `pktmon comp list` of early builds, with an `Id:` below each name. */
function fromText(output: string): readonly Component[] {
  let group = '';
  return linesOf(output).flatMap((line): readonly Component[] => {
    const [, row, mac, name = ''] =
      /^(\d+)\s+((?:[0-9A-F]{2}-){5}[0-9A-F]{2})\s+(\S.*)$/is.exec(line.trim()) ?? [];
    if (row !== undefined && mac !== undefined)
      return [{ id: Number(row), name, properties: new Map([['physaddress', [mac]]]) }];
    const [, id] = /^\s+Id:\s*(\d+)\s*$/i.exec(line) ?? [];
    if (id !== undefined) return [{ id: Number(id), name: group, group, properties: new Map() }];
    if (/^\S/.test(line)) group = line.trim();
    return [];
  });
}

/** The objects of a JSON array; undefined for any other text. */
export function parseJsonList(text: string): readonly JsonObject[] | undefined {
  try {
    const value = parseJson(text);
    return Array.isArray(value) ? value.filter(isObject) : undefined;
  } catch {
    return undefined;
  }
}

/** The objects of a member that is a list; undefined if it is absent. */
export function listIn(object: JsonObject, key: string): readonly JsonObject[] | undefined {
  const value = object[key];
  return Array.isArray(value) ? value.filter(isObject) : undefined;
}

/** A member that is a text; undefined if it is absent. */
export function textIn(object: JsonObject, key: string): string | undefined {
  const value = object[key];
  return typeof value === 'string' ? value : undefined;
}
