/**
 * The sources of mutants by default and with --changed: the core, and the parts of the command-line tool that decide. The rest of the tool
 * prints, installs, captures and collects.
 */
export const scope: readonly string[] = [
  ...['cni', 'config', 'model', 'net', 'plan', 'steps', 'commands', 'hcn', 'ipam', 'iphlpapi', 'json'],
  ...['gc', 'explain', 'conflist', 'config', 'network'].map(inTool),
  ...['traffic', 'trace', 'probe'].map(inTool),
].map((folder) => `src/${folder}/`);

function inTool(folder: string): string {
  return `cli/${folder}`;
}
