import type { CallOutput } from '@bearing/client/call-types'
import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { moment } from '../output/format.js'

/** `bearing org-token list` */
export function addListOrganizationTokens(tokens: Command, cli: Cli): void {
  tokens
    .command('list')
    .description('list the tokens of an organization, expired and deleted ones too')
    .action(async () => {
      const { client, organization } = await cli.session()
      const found = await client.listAll('listOrganizationTokens', { organization })
      cli.output.table(found, [
        ['Id', ({ id }) => id],
        ['Description', ({ description }) => description],
        ['State', ({ state }) => state],
        ['Expires', ({ expires_at }) => moment(expires_at)],
        ['Created', ({ created_at }) => moment(created_at)],
        ['Permissions', ({ permissions }) => String(permissions.length), 'right'],
      ])
      if (found.length === 0)
        cli.output.tell('No tokens yet. Create one: bearing org-token create --description <text>')
    })
}

/** The fields of a token, for people. */
export function tokenFields(token: CallOutput<'deleteOrganizationToken'>): Record<string, string> {
  return {
    Id: token.id,
    Description: token.description,
    Permissions: token.permissions.join(', '),
    Expires: moment(token.expires_at),
    State: token.state,
  }
}
