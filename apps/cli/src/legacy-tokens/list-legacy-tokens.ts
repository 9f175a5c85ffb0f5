import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { moment } from '../output/format.js'

export function addListLegacyTokens(legacyTokens: Command, cli: Cli): void {
  legacyTokens
    .command('list')
    .description('list the imported tokens, and when each was last used')
    .action(async () => {
      const { client, organization } = await cli.session()
      const found = await client.listAll('listLegacyTokens', { organization })
      cli.output.table(found, [
        ['Id', ({ id }) => id],
        ['Kind', ({ kind }) => kind],
        ['Description', ({ description }) => description],
        ['State', ({ state }) => state],
        ['Project', ({ project_id }) => project_id ?? 'all'],
        ['Sunset', ({ sunset_at }) => moment(sunset_at)],
        ['Last used', ({ last_used_at }) => moment(last_used_at)],
      ])
      if (found.length === 0) cli.output.say('No legacy tokens were imported.')
    })
}
