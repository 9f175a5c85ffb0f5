import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { idFrom } from '../id-argument.js'
import { tokenFields } from './list-organization-tokens.js'

export function addDeleteOrganizationToken(tokens: Command, cli: Cli): void {
  tokens
    .command('delete')
    .description('delete a token; it stops working immediately')
    .argument('<id>', 'id of the token, from "bearing org-tokens list"', idFrom('bearing org-tokens list'))
    .action(async (id: string) => {
      const { client, organization } = await cli.session()
      const input = { organization, organization_token_id: id }
      const deleted = await client.call('deleteOrganizationToken', input)
      cli.output.done('Organization token deleted.')
      cli.output.say(
        `Webhooks and devices that it created remain: "bearing audit-log list --actor ${deleted.id}" lists them.`,
      )
      cli.output.record(tokenFields(deleted), deleted)
    })
}
