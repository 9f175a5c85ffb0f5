/** No browser guesses the type of a reply: what a device has uploaded is never a script. */
const PLAIN = { 'x-content-type-options': 'nosniff' } as const
/** One year. Without `includeSubDomains`, since the other hosts of the domain are not ours. */
const SECURE = { ...PLAIN, 'strict-transport-security': 'max-age=31536000' } as const

/**
 * Returns the security headers that every reply has. `Strict-Transport-Security` is only for https (RFC 6797 §7.2).
 *
 * @param publicUrl address that clients reach the gateway at; empty if it is not set
 * @param protocol that the request came over, as far as trusted proxies say
 */
export function securityHeaders(publicUrl: string, protocol?: string): Readonly<Record<string, string>> {
  return publicUrl.startsWith('https:') || protocol === 'https' ? SECURE : PLAIN
}
