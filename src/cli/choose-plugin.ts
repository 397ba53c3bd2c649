import { isObject } from '../cni/text.ts';
import { type ListedPlugin, pluginsIn } from './plugin-list.ts';
import type { Session } from './session.ts';

/** The plugin a command is about, of a given type or the one for win-hcn; undefined where that is not one plugin, which is told. */
export function selectPlugin(
  file: unknown,
  name: string,
  type: string | undefined,
  session: Session,
): ListedPlugin | undefined {
  const listed = isObject(file) ? pluginsIn(file, session.system.executable) : [];
  const [plugin, ...others] = listed.filter((one) => (type === undefined ? one.ours : one.type === type));
  if (plugin !== undefined && others.length === 0) return plugin;
  const types = listed.map((one) => one.type).join(', ') || 'none';
  const which = plugin === undefined ? 'no plugin' : 'more than one plugin';
  session.printStderr(
    `win-hcn: ${name} has ${which} ${type === undefined ? 'for win-hcn' : `of type ${type}`} (its plugins: ${types}): name one with --plugin`,
  );
  return undefined;
}
