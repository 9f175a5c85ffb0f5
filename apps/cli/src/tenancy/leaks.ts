import type { CallOutput } from '@bearing/client/call-types'
import { verb } from '../session/verb.js'
import { readSecret } from '../session/read-secret.js'

const MESSAGES: Readonly<Record<CallOutput<'reportLeak'>['outcome'], string>> = {
  revoked: 'It was valid, and is revoked now.',
  flagged: 'It is valid. By the policy of its organization it was marked, not revoked.',
  inactive: 'It was already expired or deleted.',
  unknown: 'It is not a secret of this Bearing, or it is mistyped.',
}

verb('leaks report', { examples: ['--found-at https://example.com/paste < secret.txt'] }, (command, cli) =>
  command
    .description('report a leaked secret; it is read from standard input')
    .option('--found-at <text>', 'where it was found, such as a URL; without the secret')
    .action(async ({ foundAt }: { foundAt?: string }) => {
      const secret = await readSecret(
        cli.takeStdin('the secret'),
        (text) => {
          cli.output.prompt(text)
        },
        'the secret',
      )
      cli.secrets.add(secret)
      const report = await (await cli.anonymous()).call('reportLeak', { secret, found_at: foundAt })
      cli.output.done(MESSAGES[report.outcome])
      cli.output.record({ Outcome: report.outcome }, report)
    }),
)
