import { Buffer } from 'node:buffer'
import { withoutLineEnd } from '@bearing/contracts/text/without-line-end'

const HIDDEN = '[hidden]'
/** Shorter secrets would match ordinary text. Passwords have at least 12 characters. */
const MIN_LENGTH = 4
/** Matches any token of Bearing or webhook secret, such as one typed in a wrong place. */
const TOKENS = /\b(brg[ous]_|whsec_)[0-9A-Za-z+/=]+/g

/** Removes secrets from standard error, as the last line of defense. */
export class Secrets {
  private readonly values = new Set<string>()

  /** Adds a secret, also in its forms in headers and URLs. */
  add(given: string | undefined, email = ''): void {
    // As it is sent.
    const secret = withoutLineEnd(given ?? '')
    if (secret.length < MIN_LENGTH) return
    for (const form of [secret, encodeURIComponent(secret), base64(secret), base64(`${email}:${secret}`)])
      this.values.add(form)
  }

  /** Adds the passwords in the URLs of a text. */
  addUrls(text: string | undefined): void {
    for (const [, password] of text?.matchAll(/\/\/[^/@\s:]*:([^/@\s]+)@/g) ?? []) {
      this.add(password)
      this.add(decoded(password))
    }
  }

  /** Returns the text without secrets. */
  hide(text: string): string {
    let hidden = text
    // Longest first, because one secret may contain another.
    for (const value of [...this.values].sort((a, b) => b.length - a.length))
      hidden = hidden.replaceAll(value, HIDDEN)
    return hidden.replace(TOKENS, `$1${HIDDEN}`)
  }
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text && decodeURIComponent(text)
  } catch {
    return undefined
  }
}
