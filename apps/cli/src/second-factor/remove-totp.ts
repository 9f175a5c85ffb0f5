import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { asCode, askSecret } from './ask-secret.js'

/** `bearing totp remove` */
export function addRemoveTotp(totp: Command, cli: Cli): void {
  totp
    .command('remove')
    .description(
      'turn the second factor off; a code or recovery code is asked for, or read from standard input',
    )
    .action(async () => {
      const { client } = await cli.session()
      const removed = await client.call('removeTotp', asCode(await askSecret(cli, 'the code')))
      cli.output.done('The second factor is off.')
      cli.output.record({}, removed)
    })
}
