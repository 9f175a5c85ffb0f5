import { verb } from '../session/verb.js'
import { type Cli, asCode } from '../session/cli.js'
import { moment } from '../ground/output/format.js'
import { readSecret } from '../session/read-secret.js'

verb('totp show', {}, (command, cli) =>
  command
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
    }),
)

verb('totp enroll', {}, (command, cli) =>
  command
    .description(
      'start to set up an authenticator; prompts for the account password, or reads it from standard input',
    )
    .action(async () => {
      const { client } = await cli.session()
      const password = await askSecret(cli, 'the account password')
      const begun = await client.call('enrollTotp', { password })
      cli.output.done(
        'Add this to your authenticator, then run "bearing totp confirm" with one of its codes.',
      )
      await cli.output.qrCode(begun.uri)
      cli.output.record({ Secret: begun.secret, Address: begun.uri }, begun)
    }),
)

verb('totp confirm', {}, (command, cli) =>
  command
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
    }),
)

/** Prints recovery codes, which are shown only once. */
function printRecoveryCodes({ output }: Cli, codes: { readonly recovery_codes: readonly string[] }): void {
  output.notice(
    'Store these recovery codes apart from the authenticator. Each works once. They are shown only once.',
  )
  output.record(
    Object.fromEntries(codes.recovery_codes.map((code, index) => [`Code ${String(index + 1)}`, code])),
    codes,
  )
}

verb('totp delete', {}, (command, cli) =>
  command
    .description(
      'turn off the second factor; prompts for a code or recovery code, or reads it from standard input',
    )
    .action(async () => {
      const { client } = await cli.session()
      const removed = await client.call('removeTotp', asCode(await askSecret(cli, 'the code')))
      cli.output.done('The second factor is off.')
      cli.output.record({}, removed)
    }),
)

verb('totp recovery-codes rotate', {}, (command, cli) =>
  command
    .description('replace your recovery codes; prompts for a code, or reads it from standard input')
    .action(async () => {
      const { client } = await cli.session()
      const renewed = await client.call('renewRecoveryCodes', asCode(await askSecret(cli, 'the code')))
      cli.output.done('Recovery codes replaced. The previous ones no longer work.')
      printRecoveryCodes(cli, renewed)
    }),
)

/** Prompts for a secret, or reads it from the first line of standard input. It is never an argument. */
async function askSecret(cli: Cli, what: string): Promise<string> {
  const secret = await readSecret(
    cli.takeStdin(what),
    (text) => {
      cli.output.prompt(text)
    },
    what,
  )
  cli.secrets.add(secret)
  return secret
}
