import type { Cli } from '../cli.js'
import { readSecret } from '../credential/read-secret.js'

/** Reads the secret of a client from standard input: an argument could be read by everybody on the machine. */
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
