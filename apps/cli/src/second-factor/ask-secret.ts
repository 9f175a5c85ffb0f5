import type { Cli } from '../cli.js'
import { readSecret } from '../credential/read-secret.js'

/** Asks for something secret, or reads it from the first line of standard input. It is never an argument. */
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

/** A code as the API takes it: six digits are of an authenticator, everything else is a recovery code. */
export function asCode(code: string): { totp_code: string } | { recovery_code: string } {
  return /^\s*\d{3} ?\d{3}\s*$/.test(code) ? { totp_code: code } : { recovery_code: code }
}
