import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { Cli } from '../cli.js'
import { UsageError } from '../usage-error.js'

/**
 * Makes the user type a slug before something is deleted. Without a terminal `--yes` is required.
 *
 * @param warning says what happens
 * @throws UsageError if the slug is not confirmed
 */
export async function confirmSlug(cli: Cli, slug: string, warning: string, yes = false): Promise<void> {
  if (yes) return
  const stdin = cli.takeStdin('the confirmation')
  if (!stdin.isTTY) throw new UsageError('Without a terminal, confirm with --yes.')
  cli.output.say(warning)
  cli.output.prompt(`Type ${slug} to confirm: `)
  // The terminal echoes what is typed.
  const lines = createInterface({
    input: stdin,
    output: new Writable({
      write: (_, __, done) => {
        done()
      },
    }),
  })
  try {
    const typed = await lines.question('', { signal: cli.terminal.signal })
    if (typed.trim() !== slug) throw new UsageError('That is not the slug. Nothing was changed.')
  } finally {
    lines.close()
  }
}
