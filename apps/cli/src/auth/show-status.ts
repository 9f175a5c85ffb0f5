import type { CallOutput } from '@bearing/client/call-types'
import { ORGANIZATION_TOKEN } from '@bearing/contracts/principal'
import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { EXIT } from '../error-report.js'
import { moment } from '../output/format.js'
import { isCredentialGiven } from '../credential/select-credential.js'
import { warningOfPreceding } from './preceding-credentials.js'

export function addShowStatus(auth: Command, cli: Cli): void {
  auth
    .command('status')
    .description('show the server and the credential that commands use, and whether it works')
    .action(async () => {
      if (!(await cli.hasCredential())) {
        cli.output.say('You are not signed in. "bearing login" signs in with the browser.')
        if (cli.output.forPrograms) cli.output.record({}, { signed_in: false })
        cli.exitCode = EXIT.unauthenticated
        return
      }
      const session = await cli.session()
      const principal = await session.client.call('whoAmI', {})
      const isLogin = session.selected.credential.kind === 'login'
      const { expires_at } = isLogin
        ? await session.client.call('showSession', {})
        : { expires_at: undefined }
      const { context } = cli.profile
      cli.output.record(
        {
          Server: session.url.value,
          Context: context?.name,
          'Signed in as': holderOf(principal),
          Credential: session.selected.description,
          'Stored in': isLogin ? context?.stored_in : undefined,
          'Ends, unless used': expires_at && moment(expires_at),
        },
        {
          signed_in: true,
          server: session.url.value,
          context: context?.name ?? null,
          credential: session.selected.description,
          stored_in: isLogin ? context?.stored_in : null,
          expires_at: expires_at ?? null,
          principal,
        },
      )
      const preceding = warningOfPreceding(cli.terminal.environment.settings)
      if (preceding !== undefined && !isLogin && !isCredentialGiven(cli.flags) && context?.stored_in)
        cli.output.notice(`You are signed in with "bearing login" too. ${preceding}`)
    })
}

function holderOf(principal: CallOutput<'whoAmI'>): string {
  switch (principal.kind) {
    case 'user':
      return principal.email
    case ORGANIZATION_TOKEN:
      return `organization token "${principal.description}"`
    case 'project_key':
      return 'project key'
    case 'service':
      return principal.name
  }
}
