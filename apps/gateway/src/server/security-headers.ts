/** Browsers must not guess the type of a reply: an upload of a device is never a script. */
const PLAIN = { 'x-content-type-options': 'nosniff' } as const
/** One year, without `includeSubDomains`: the other hosts of the domain are not ours. */
const SECURE = { ...PLAIN, 'strict-transport-security': 'max-age=31536000' } as const

/**
 * Returns the security headers of every reply. `Strict-Transport-Security` is only for https (RFC 6797 §7.2).
 *
 * @param publicUrl URL that clients use for the gateway; empty if it is not set
 * @param protocol of the request, as trusted proxies report it
 */
export function securityHeaders(publicUrl: string, protocol?: string): Readonly<Record<string, string>> {
  return publicUrl.startsWith('https:') || protocol === 'https' ? SECURE : PLAIN
}
