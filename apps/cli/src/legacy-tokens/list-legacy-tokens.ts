import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { addLimit, type LimitFlag } from '../limit.js'
import { moment } from '../output/format.js'

export function addListLegacyTokens(legacyTokens: Command, cli: Cli): void {
  addLimit(legacyTokens.command('list'))
    .description('list the imported tokens, and when each was last used')
    .action(async ({ limit }: LimitFlag) => {
      const { client, organization } = await cli.session()
      const found = await client.listAll('listLegacyTokens', { organization }, { limit })
      cli.output.table(
        found,
        [
          ['Id', ({ id }) => id],
          ['Kind', ({ kind }) => kind],
          ['Description', ({ description }) => description],
          ['State', ({ state }) => state],
          ['Project', ({ project_id }) => project_id ?? 'all'],
          ['Sunset', ({ sunset_at }) => moment(sunset_at)],
          ['Last used', ({ last_used_at }) => moment(last_used_at)],
        ],
        'No legacy tokens were imported. Import some: bearing legacy-tokens import <file> --sunset <date>',
      )
    })
}
