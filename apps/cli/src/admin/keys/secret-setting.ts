import { open, readFile, rename, stat } from 'node:fs/promises'
import type { Cli } from '../../session/cli.js'
import { UsageError } from '../../ground/usage-error.js'

/**
 * Changes the value of a secret setting in an environment file, or from standard input to standard output (for secret
 * stores). The value is never an argument and never in a message.
 *
 * @param name the environment variable
 * @param file the environment file; undefined for standard input and output
 * @param change returns the new value
 * @returns the result of `change`
 */
export async function changeSecretSetting<Changed extends { readonly value: string }>(
  cli: Cli,
  name: string,
  file: string | undefined,
  change: (value: string) => Changed,
): Promise<Changed> {
  if (file !== undefined) return changeInFile(file, name, change)
  const value = await cli.askSecret(name)
  const changed = change(value)
  cli.output.print(changed.value)
  return changed
}

/** Replaces the file atomically. */
async function changeInFile<Changed extends { readonly value: string }>(
  file: string,
  name: string,
  change: (value: string) => Changed,
): Promise<Changed> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new UsageError(`The file ${file} cannot be read.`)
  })
  const line = new RegExp(`^(?:export )?${name}=(.*)$`, 'm').exec(text)
  if (!line) throw new UsageError(`The file ${file} has no ${name}.`)
  const changed = change(unquote(line[1] ?? ''))
  const { mode } = await stat(file)
  const beside = `${file}.new`
  const written = await open(beside, 'w', mode)
  try {
    await written.chmod(mode)
    // The values have no apostrophe.
    await written.writeFile(text.replace(line[0], () => `${name}='${changed.value}'`))
    await written.sync()
  } finally {
    await written.close()
  }
  await rename(beside, file)
  return changed
}

function unquote(text: string): string {
  const trimmed = text.trim()
  return /^(['"]).*\1$/.test(trimmed) ? trimmed.slice(1, -1) : trimmed
}
