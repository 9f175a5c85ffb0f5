import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { addCreateContext } from './create-context.js'
import { addDeleteContext } from './delete-context.js'
import { addListContexts } from './list-contexts.js'
import { addSetContext } from './set-context.js'
import { addUseContext } from './use-context.js'

export function addContexts(program: Command, cli: Cli): void {
  const context = program.command('context').description('choose between gateways and organizations')
  addListContexts(context, cli)
  addUseContext(context, cli)
  addCreateContext(context, cli)
  addSetContext(context, cli)
  addDeleteContext(context, cli)
}
