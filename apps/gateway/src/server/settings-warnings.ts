import type { Settings } from '../config.js'

/**
 * Returns a warning for each setting whose default is unsafe behind a proxy, or beside other processes. With a public URL of `http:`, or a
 * certificate of its own, clients reach the gateway directly.
 */
export function settingsWarnings({
  PUBLIC_URL,
  TRUSTED_PROXIES,
  GATEWAY_PROCESSES,
  REDIS_URL,
  TLS_CERT_FILE,
}: Pick<
  Settings,
  'PUBLIC_URL' | 'TRUSTED_PROXIES' | 'GATEWAY_PROCESSES' | 'REDIS_URL' | 'TLS_CERT_FILE'
>): string[] {
  const warnings: string[] = []
  if (PUBLIC_URL === '')
    warnings.push(
      'PUBLIC_URL is not set. The redirect URIs of single sign-on and upload URLs come from the Host header, which a client can forge. Set it to the address that clients use, for example PUBLIC_URL=https://bearing.example.com.',
    )
  if (TRUSTED_PROXIES.length === 0 && TLS_CERT_FILE === '' && !PUBLIC_URL.startsWith('http:'))
    warnings.push(
      'TRUSTED_PROXIES is not set. If a proxy is in front of the gateway, all clients have its IP address: they share every rate limit by address, so one client can get the others refused, and the audit log shows the proxy. Set it to the IP addresses or CIDR ranges of your proxies, for example TRUSTED_PROXIES=10.0.0.0/8.',
    )
  if (GATEWAY_PROCESSES > 1 && REDIS_URL === '')
    warnings.push(
      `REDIS_URL is not set, so each of the ${String(GATEWAY_PROCESSES)} processes counts limits alone, and clients may send as many times more. Set it to a Redis or Valkey that all processes share, for example REDIS_URL=redis://redis:6379.`,
    )
  return warnings
}
