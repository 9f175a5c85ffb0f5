import { Buffer } from 'node:buffer'

const HIDDEN = '[hidden]'
/** Anything shorter would blank out ordinary text. No password of Bearing is shorter than 12. */
const MIN_LENGTH = 4
/** Tokens of Bearing and secrets of webhooks, known to us or not, such as one that was typed in the place of something else. */
const TOKENS = /\b(brg[ou]_|whsec_)[0-9A-Za-z+/=]+/g

/** Takes secrets out of what goes to standard error. The last line of defence: nothing should print one at all. */
export class Secrets {
  private readonly values = new Set<string>()

  /** Remembers a secret, also in the forms in which it appears in headers and URLs. */
  add(secret: string | undefined, email = ''): void {
    if (!secret || secret.length < MIN_LENGTH) return
    for (const form of [secret, encodeURIComponent(secret), base64(secret), base64(`${email}:${secret}`)])
      this.values.add(form)
  }

  /** Remembers the passwords in the URLs that a text consists of. */
  addUrls(text: string | undefined): void {
    for (const [, password] of text?.matchAll(/\/\/[^/@\s:]*:([^/@\s]+)@/g) ?? []) {
      this.add(password)
      this.add(decoded(password))
    }
  }

  /** The text without any secret. */
  hide(text: string): string {
    let hidden = text
    // Long ones first: one secret may be a part of another.
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
