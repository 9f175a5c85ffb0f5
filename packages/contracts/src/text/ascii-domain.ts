/** Labels with letters, digits and marks of any script, with one of the dots of UTS #46 between them. */
const INTERNATIONAL = /^[\p{L}\p{M}\p{N}.\u3002\uff0e\uff61-]+$/u

/**
 * Returns a domain in lower case and in ASCII form (UTS #46): `bücher.example` and `xn--bcher-kva.example` are one domain, and only the
 * second is stored and compared. Text that is no domain is only converted to lower case.
 */
export function asciiDomain(domain: string): string {
  // Other characters would make it a URL with a port, a user or a path.
  const url =
    /^[\x00-\x7f]*$/.test(domain) || !INTERNATIONAL.test(domain) ? null : URL.parse(`http://${domain}`)
  return url?.hostname ?? domain.toLowerCase()
}

/** Returns an email address with {@link asciiDomain}. The local part stays. */
export function withAsciiDomain(email: string): string {
  const at = email.lastIndexOf('@')
  return at === -1 ? email : email.slice(0, at + 1) + asciiDomain(email.slice(at + 1))
}
