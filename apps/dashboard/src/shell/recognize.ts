import { isProjectKey } from '@bearing/access/project-key-format'
import { parseToken, tokenKind, type TokenKind } from '@bearing/access/token-format'

/** The kind of a text that was typed or pasted. */
export type Recognized =
  | { readonly is: 'token'; readonly kind: TokenKind; readonly id: string }
  /** A secret, or a part of one, that is never sent anywhere. */
  | { readonly is: 'secret' }
  | { readonly is: 'mac'; readonly mac: string }
  | { readonly is: 'id'; readonly id: string }
  /** May be the beginning of a serial number. */
  | { readonly is: 'serial'; readonly prefix: string }
  | { readonly is: 'words' }

/** Prefixes of secrets: those of webhooks, and of keys of other makers that people paste by mistake. */
const SECRET = /^(?:whsec_|sk_|ghp_|xox|eyJ|Bearer\s|Basic\s)/i
/** Most serial numbers are shorter. Longer texts may be secrets, such as legacy tokens, or parts of some. */
const MAX_SERIAL = 24

/** Recognizes a text without sending it. */
export function recognize(text: string): Recognized {
  const trimmed = text.trim()
  const token = parseToken(trimmed)
  if (token) return { is: 'token', kind: token.kind, id: token.id }
  if (tokenKind(trimmed) !== undefined || SECRET.test(trimmed) || isProjectKey(trimmed))
    return { is: 'secret' }
  const lower = trimmed.toLowerCase()
  if (/^(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}$/.test(lower)) return { is: 'mac', mac: lower.replaceAll('-', ':') }
  if (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(lower)) return { is: 'id', id: lower }
  if (/^[A-Za-z0-9_-]+$/.test(trimmed))
    return trimmed.length <= MAX_SERIAL ? { is: 'serial', prefix: trimmed } : { is: 'secret' }
  return { is: 'words' }
}
