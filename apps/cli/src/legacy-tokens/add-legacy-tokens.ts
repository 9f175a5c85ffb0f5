import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { addDeleteLegacyToken } from './delete-legacy-token.js'
import { addImportLegacyTokens } from './import-legacy-tokens.js'
import { addListLegacyTokens } from './list-legacy-tokens.js'

export function addLegacyTokens(program: Command, cli: Cli): void {
  const group = program
    .command('legacy-tokens')
    .description('service and evaluation tokens from before organization auth tokens')
  addImportLegacyTokens(group, cli)
  addListLegacyTokens(group, cli)
  addDeleteLegacyToken(group, cli)
}
