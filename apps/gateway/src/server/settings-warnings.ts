/** Settings of which an empty value is dangerous behind a proxy. */
interface Settings {
  readonly PUBLIC_URL: string
  readonly TRUSTED_PROXIES: readonly string[]
}

/**
 * Returns a warning for each setting that is right on one's own machine and wrong on the Internet. A public URL with
 * `http:` says that clients reach the gateway directly, since the gateway itself speaks no TLS.
 */
export function settingsWarnings({ PUBLIC_URL, TRUSTED_PROXIES }: Settings): string[] {
  const warnings: string[] = []
  if (PUBLIC_URL === '')
    warnings.push(
      'PUBLIC_URL is not set. The redirect URIs of single sign-on and upload URLs come from the Host header, which a client can forge. Set it to the address that clients use, for example PUBLIC_URL=https://bearing.example.com.',
    )
  if (TRUSTED_PROXIES.length === 0 && !PUBLIC_URL.startsWith('http:'))
    warnings.push(
      'TRUSTED_PROXIES is not set. If a proxy is in front of the gateway, all clients have its IP address: they share every rate limit by address, so one client can get the others refused, and the audit log shows the proxy. Set it to the IP addresses or CIDR ranges of your proxies, for example TRUSTED_PROXIES=10.0.0.0/8.',
    )
  return warnings
}
