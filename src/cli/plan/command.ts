import type { Command } from 'commander';
import { parseNamespaceId } from '../../cni/request.ts';
import { newCommand } from '../new-command.ts';
import { configFileText, pluginOption, withAddress, withCapabilities, withContainer } from '../options.ts';
import { readPlugin } from '../plugin-config.ts';
import { type CapabilityFlags, warnUndeclared, withRuntimeConfig } from '../runtime-config.ts';
import { exitCode, type Session } from '../session.ts';
import { printValidation } from '../validate/print-validation.ts';
import type { Validation } from '../validate/validate-file.ts';
import { type AddFlags, planPlugin } from './plan-plugin.ts';
import { titleOf } from './step-title.ts';

interface Flags extends Omit<AddFlags, 'namespaceId'>, CapabilityFlags {
  readonly plugin?: string;
  readonly json?: true;
}

/** `plan`: what an ADD would do on this node, without doing it. */
export function planCommand(session: Session): Command {
  const command = newCommand('plan', session, {
    summary: 'preview the steps of an ADD on this node',
    description:
      'Validates a configuration, reads the state of this node as ADD does, and prints the steps of the ADD with the ' +
      'documents for HCN. Changes nothing and runs no IPAM plugin: --address replaces its result.',
    examples: [
      'win-hcn plan C:\\etc\\cni\\net.d\\10-win-hcn.conflist',
      'win-hcn plan 10-win-hcn.conflist --netns 7c806792-3d8f-4c7b-9e51-0d4f6a3b2c1d --address 10.244.1.7/24',
      'win-hcn plan 10-win-hcn.conflist --port 8080:80/tcp --dns 10.96.0.10',
    ],
  })
    .argument('<file>', configFileText)
    .option('--netns <guid>', 'HCN namespace of the pod, CNI_NETNS; without it, nothing is attached');
  return withCapabilities(withAddress(withContainer(command, 'pod1')))
    .option(...pluginOption)
    .option('--json', 'print JSON')
    .action((file: string, flags: Flags) => plan(file, flags, session));
}

async function plan(file: string, flags: Flags, session: Session): Promise<void> {
  let validation: Validation | undefined;
  const plugin = readPlugin(file, flags.plugin, session, (found) => {
    validation = found;
    if (!flags.json) printValidation(file, found, session);
    else if (found.problems.length > 0) session.print(JSON.stringify({ file, ...found }, undefined, 2));
  });
  if (plugin === undefined) return;
  const namespaceId = flags.netns === undefined ? undefined : parseNamespaceId(flags.netns);
  if (flags.netns !== undefined && namespaceId === undefined) {
    session.printStderr(`win-hcn: --netns ${flags.netns} is no GUID of a namespace`);
    return session.setExitCode(exitCode.wrongUsage);
  }
  const { config, undeclared } = withRuntimeConfig(plugin.config, flags);
  warnUndeclared(undeclared, session);
  const planned = await planPlugin(
    config,
    { ...flags, ...(namespaceId !== undefined && { namespaceId }) },
    session.system,
  );
  if (flags.json) {
    session.print(JSON.stringify({ file, ...validation, plan: planned }, undefined, 2));
    return;
  }
  for (const [index, step] of planned.steps.entries()) {
    session.print(`\n${session.style('bold', `${index + 1}. ${titleOf(step)}`)}`);
    if ('document' in step) session.print(JSON.stringify(step.document, undefined, 2));
  }
  if (planned.remarks.length > 0) session.print(`\n${planned.remarks.join('\n')}`);
}
