import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { readSpan } from '../span.js'
import { UsageError } from '../usage-error.js'
import { printTokenPolicy } from './show-token-policy.js'

const DAY_MS = 86_400_000

/** `bearing org-token policy set` */
export function addSetTokenPolicy(policy: Command, cli: Cli): void {
  policy
    .command('set')
    .description('set the longest life of tokens that are created or rotated from now on')
    .requiredOption('--max-lifetime <span>', 'in days or weeks, such as 90d or 52w; "none" for any')
    .action(async ({ maxLifetime }: { maxLifetime: string }) => {
      const max_lifetime_days = daysOf(maxLifetime)
      const { client, organization } = await cli.session()
      const changed = await client.call('changeOrganizationTokenPolicy', { organization, max_lifetime_days })
      cli.output.done('Token policy changed. Tokens that there are stay as they are.')
      printTokenPolicy(cli, changed)
    })
}

function daysOf(text: string): number | null {
  if (text === 'none') return null
  const days = readSpan(text, '--max-lifetime') / DAY_MS
  if (!Number.isInteger(days)) throw new UsageError('--max-lifetime takes whole days, such as 90d.')
  return days
}
