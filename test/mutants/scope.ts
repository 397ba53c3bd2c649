/**
 * What mutants are made of by default and by --changed: the core, and what decides in the command-line tool. The rest of the
 * tool prints, installs, captures and collects.
 */
export const scope: readonly string[] = [
  ...['cni', 'config', 'model', 'net', 'plan', 'steps', 'commands', 'hcn', 'ipam', 'iphlpapi', 'json'],
  ...['gc', 'explain', 'explain-nat', 'explain-acl', 'validate', 'network', 'node', 'nodes'].map(inTool),
  ...['path', 'traffic', 'trace', 'probe'].map(inTool),
].map((folder) => `src/${folder}/`);

function inTool(folder: string): string {
  return `cli/${folder}`;
}
