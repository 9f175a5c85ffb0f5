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

/** Converts a code for the API: six digits are from an authenticator, anything else is a recovery code. */
export function asCode(code: string): { totp_code: string } | { recovery_code: string } {
  return /^\s*\d{3} ?\d{3}\s*$/.test(code) ? { totp_code: code } : { recovery_code: code }
}
