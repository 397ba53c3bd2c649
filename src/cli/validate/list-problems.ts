import { isObject } from '../../cni/text.ts';
import type { JsonObject } from '../../config/plugin-members.ts';

/** What libcni wants of a file and win-hcn does not see: its shape, and the name that goes with it. */
export function listProblems(file: unknown, name: string): readonly { path: string; text: string }[] {
  if (!isObject(file)) return [{ path: '', text: 'the file holds no JSON object' }];
  const isList = file['plugins'] !== undefined;
  const problems = isList ? ofList(file) : ofType(file, '');
  if (isList === /\.conflist$/i.test(name) || name === '-') return problems;
  const text = isList
    ? 'a list of plugins is read from a file called *.conflist only: rename the file'
    : 'a .conflist is a list: put this object into "plugins": [...] beside "cniVersion" and "name", or call the file *.conf';
  return [...problems, { path: '', text }];
}

function ofList({ name, plugins }: JsonObject): readonly { path: string; text: string }[] {
  const nameless =
    typeof name === 'string' && name !== ''
      ? []
      : [{ path: '/name', text: '/name is missing, expected the name of the network' }];
  if (!Array.isArray(plugins) || plugins.length === 0)
    return [
      ...nameless,
      { path: '/plugins', text: '/plugins has no plugin, expected a list of at least one' },
    ];
  return [...nameless, ...plugins.flatMap((plugin, index) => ofType(plugin, `/plugins/${index}`))];
}

function ofType(plugin: unknown, path: string): readonly { path: string; text: string }[] {
  if (!isObject(plugin)) return [{ path, text: `${path} is no object` }];
  const { type } = plugin;
  if (typeof type === 'string' && type !== '') return [];
  return [
    { path: `${path}/type`, text: `${path}/type is missing, expected the name of the plugin's program` },
  ];
}
