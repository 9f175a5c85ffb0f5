import { z } from 'zod'

export interface SmtpServer {
  /** Sender of mails. */
  readonly from: string
  readonly host: string
  readonly port: number
  /** TLS from the first byte. */
  readonly secure: boolean
  /** True if nothing is sent to a server without STARTTLS. */
  readonly requireTLS: boolean
  readonly auth: { readonly user: string; readonly pass: string } | undefined
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/**
 * Reads `smtps://user:password@host:port?from=sender` (TLS from the first byte) or `smtp://…` (STARTTLS). Mails contain links
 * that open accounts, so they are sent without TLS only to this machine, or with `tls=optional`.
 *
 * @param report receives the mistake, without the password
 * @returns undefined after a mistake
 */
export function readSmtpUrl(text: string, report: (mistake: string) => void): SmtpServer | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !['smtp:', 'smtps:'].includes(url.protocol) || url.hostname === '') {
    report('must be smtps://user:password@host or smtp://user:password@host')
    return undefined
  }
  const from = z.email().safeParse(url.searchParams.get('from'))
  if (!from.success) {
    report('must name the sender of mails: "?from=bearing@example.com"')
    return undefined
  }
  const unknown = [...url.searchParams].find(
    ([name, value]) => name !== 'from' && (name !== 'tls' || value !== 'optional'),
  )
  if (unknown) {
    report('may have "from" and "tls=optional" after "?", and nothing else')
    return undefined
  }
  const secure = url.protocol === 'smtps:'
  return {
    from: from.data,
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    requireTLS: !secure && !url.searchParams.has('tls') && !LOOPBACK.test(url.hostname),
    auth:
      url.username === ''
        ? undefined
        : { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
  }
}
