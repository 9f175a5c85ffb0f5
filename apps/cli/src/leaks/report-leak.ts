import type { CallOutput } from '@bearing/client/call-types'
import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { readSecret } from '../credential/read-secret.js'

/** What is told of each outcome. */
const TOLD: Readonly<Record<CallOutput<'reportLeak'>['outcome'], string>> = {
  revoked: 'It was valid, and is revoked now.',
  flagged: 'It is valid. Its organization wants such tokens marked, not revoked: that is done.',
  inactive: 'It had expired or was deleted already.',
  unknown: 'It is none of this Bearing, or it is mistyped.',
}

/** `bearing leaks report` */
export function addReportLeak(leaks: Command, cli: Cli): void {
  leaks
    .command('report')
    .description('report a secret that was found where it should not be; it is read from standard input')
    .option('--found-at <text>', 'where it was found, such as an address; without the secret')
    .action(async ({ foundAt }: { foundAt?: string }) => {
      const secret = await readSecret(
        cli.takeStdin('the secret'),
        (text) => {
          cli.output.prompt(text)
        },
        'the secret',
      )
      cli.secrets.add(secret)
      const report = await cli.anonymous().call('reportLeak', { secret, found_at: foundAt })
      cli.output.done(TOLD[report.outcome])
      cli.output.record({ Outcome: report.outcome }, report)
    })
}
