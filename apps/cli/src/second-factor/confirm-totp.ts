import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { askSecret } from './ask-secret.js'

export function addConfirmTotp(totp: Command, cli: Cli): void {
  totp
    .command('confirm')
    .description(
      'turn on the second factor; prompts for a code of the authenticator, or reads it from standard input',
    )
    .action(async () => {
      const { client } = await cli.session()
      const confirmed = await client.call('confirmTotp', { totp_code: await askSecret(cli, 'the code') })
      cli.output.done(
        'The second factor is on. The account password alone is no longer accepted. Your API key keeps working, except in organizations that require a second factor: for them, create it again with "bearing user-key create --second-factor".',
      )
      printRecoveryCodes(cli, confirmed)
    })
}

/** Prints recovery codes, which are shown only once. */
export function printRecoveryCodes(
  { output }: Cli,
  codes: { readonly recovery_codes: readonly string[] },
): void {
  output.notice(
    'Store these recovery codes apart from the authenticator. Each works once. They are shown only once.',
  )
  output.record(
    Object.fromEntries(codes.recovery_codes.map((code, index) => [`Code ${String(index + 1)}`, code])),
    codes,
  )
}
