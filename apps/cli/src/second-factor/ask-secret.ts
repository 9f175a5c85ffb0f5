import type { Cli } from '../cli.js'
import { readSecret } from '../credential/read-secret.js'

/** Prompts for a secret, or reads it from the first line of standard input. It is never an argument. */
export async function askSecret(cli: Cli, what: string): Promise<string> {
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
