import { UnusableInputError } from './errors.js'

/**
 * Reads the address of a gateway.
 *
 * @param text an http or https URL; a path before the API's own is kept
 * @returns the URL without a slash at the end
 * @throws UnusableInputError where it is none, or holds credentials, a query or a fragment
 */
export function parseBaseUrl(text: string): string {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    throw new UnusableInputError(
      'The address of the gateway is not a URL, such as https://bearing.example.com.',
    )
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new UnusableInputError('The address of the gateway must begin with http:// or https://.')
  if (url.username || url.password)
    throw new UnusableInputError('The address of the gateway must not hold a user name or password.')
  if (url.search || url.hash)
    throw new UnusableInputError('The address of the gateway must not have a query or a fragment.')
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

/** Returns true if data could be read on its way there: plain http to another machine. */
export function isReadableOnTheWay(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl)
  return protocol === 'http:' && !isLoopback(hostname)
}

function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname)
  )
}
