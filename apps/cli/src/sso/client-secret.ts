import type { Cli } from '../cli.js'
import { readSecret } from '../credential/read-secret.js'

/** Reads a client secret from standard input, because other users can see arguments. */
export async function readClientSecret(cli: Cli): Promise<string> {
  const secret = await readSecret(
    cli.takeStdin('the client secret'),
    (text) => {
      cli.output.prompt(text)
    },
    'the client secret',
  )
  cli.secrets.add(secret)
  return secret
}
