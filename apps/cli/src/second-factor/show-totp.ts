import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { moment } from '../output/format.js'

export function addShowTotp(totp: Command, cli: Cli): void {
  totp
    .command('show')
    .description('show whether your second factor is on, and how many recovery codes are left')
    .action(async () => {
      const { client } = await cli.session()
      const shown = await client.call('showTotp', {})
      cli.output.record(
        {
          'Second factor': shown.confirmed_at === null ? 'off' : `on since ${moment(shown.confirmed_at)}`,
          'Recovery codes left': String(shown.recovery_codes_left),
        },
        shown,
      )
    })
}
