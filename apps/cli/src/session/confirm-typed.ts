import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { Cli } from './cli.js'
import { UsageError } from '../ground/usage-error.js'
import { YES } from '../ground/arguments.js'

/** Flags of commands that want a name typed again. */
export interface ConfirmFlags {
  readonly confirm?: string | undefined
  readonly yes?: boolean | undefined
}

/** `--confirm` and `--yes`. */
export function confirmFlags<const Name extends string>(name: Name) {
  const confirm = `--confirm <${name}>` as const
  return { [confirm]: 'the same again, as confirmation', ...YES } as Record<typeof confirm, string> &
    typeof YES
}

/**
 * Makes the user type a name before something is deleted permanently. Without a terminal `--confirm` or `--yes` is required.
 *
 * @param name what has to be typed
 * @param warning says what happens
 * @throws UsageError if it is not confirmed
 */
export async function confirmTyped(
  cli: Cli,
  name: string,
  warning: string,
  { confirm, yes }: ConfirmFlags,
): Promise<void> {
  if (yes) return
  if (confirm === undefined) requireTerminal(cli, `--yes, or --confirm ${name}`)
  else if (confirm.trim() === name.trim()) return
  else throw new UsageError('The confirmation differs from what is to be deleted.', `--confirm ${name}`)
  const stdin = cli.takeStdin('the confirmation')
  cli.output.report(warning)
  cli.output.prompt(`Type ${name} to confirm: `)
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
    if (typed.trim() !== name.trim()) throw new UsageError(`That is not ${name}. Nothing was changed.`)
  } finally {
    lines.close()
  }
}

/**
 * Checks that a question can be asked.
 *
 * @param instead the flags that answer it
 * @throws UsageError if there is no terminal
 */
export function requireTerminal({ terminal }: Cli, instead: string): void {
  if (!terminal.stdin.isTTY)
    throw new UsageError(
      'This cannot be undone, and without a terminal the command cannot ask.',
      `Confirm with ${instead}.`,
    )
}
