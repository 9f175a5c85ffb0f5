import { OperationError } from '@bearing/contracts/errors'
import { MAX_CERTIFICATE_LENGTH, MAX_CHAIN } from '@bearing/contracts/identity/credentials/credential'

/** A client certificate and those that lead to its CA, as DER in base64. */
export interface ClientCertificate {
  readonly certificate: string
  readonly chain: string[]
}

/** The headers in which proxies send a client certificate: the first one has it. */
export const CERTIFICATE_HEADERS = {
  rfc9440: ['client-cert', 'client-cert-chain'],
  nginx: ['x-ssl-client-cert'],
  envoy: ['x-forwarded-client-cert'],
  traefik: ['x-forwarded-tls-client-cert'],
} as const
export type CertificateForm = keyof typeof CERTIFICATE_HEADERS

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/
const PEM = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/g

/**
 * Reads the client certificate that a proxy has verified possession of. Undefined: the client has none.
 *
 * @param values of the headers of the form, in their order; undefined for one that is missing
 * @throws OperationError `device_certificate_invalid` if the text is not a certificate
 */
export function readHeaders(
  form: CertificateForm,
  [first = '', second]: readonly (string | undefined)[],
): ClientCertificate | undefined {
  // Proxies fill these in if the client has no certificate. Caddy leaves its placeholder as it is.
  if (/^(?:|-|::|:\{[\w.]+\}:)$/.test(first.trim())) return undefined
  const [certificate = '', ...chain] = READ[form](first.trim(), second)
  const isRead = [certificate, ...chain].every(
    (one) => BASE64.test(one) && one.length <= MAX_CERTIFICATE_LENGTH,
  )
  if (!isRead || chain.length > MAX_CHAIN) throw unreadable()
  return { certificate, chain }
}

const READ: Readonly<Record<CertificateForm, (text: string, chain: string | undefined) => string[]>> = {
  rfc9440: (text, chain) => [byteSequence(text), ...listOf(chain).map(byteSequence)],
  nginx: (text) => pemIn(decoded(text)),
  envoy: (text) => {
    const element = envoyElement(text)
    const [leaf, ...others] = pemIn(decoded(element.get('cert') ?? ''))
    if (leaf === undefined || others.length > 0) throw unreadable()
    return [leaf, ...pemIn(decoded(element.get('chain') ?? '')).filter((one) => one !== leaf)]
  },
  // Base64 without the lines of PEM. Version 1 also escapes it.
  traefik: (text) => decoded(text).split(','),
}

/** A byte sequence of RFC 8941. */
function byteSequence(text: string): string {
  return /^:([^:]*):$/.exec(text.trim())?.[1] ?? ''
}

function listOf(text: string | undefined): string[] {
  return text === undefined || text.trim() === '' ? [] : text.split(',')
}

function pemIn(text: string): string[] {
  return [...text.matchAll(PEM)].map(([, base64 = '']) => base64.replaceAll(/\s/g, ''))
}

/** Proxies that add to the header of others send several elements: which one counts is unclear. */
function envoyElement(text: string): ReadonlyMap<string, string> {
  const pairs = [...text.matchAll(/\s*([A-Za-z]+)=(?:"((?:[^"\\]|\\.)*)"|([^;,"]*))(;|,|$)/g)]
  if (pairs.some(([, , , , end]) => end === ',') || pairs.map(([pair]) => pair).join('') !== text)
    throw unreadable()
  return new Map(pairs.map(([, name = '', quoted, plain = '']) => [name.toLowerCase(), quoted ?? plain]))
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw unreadable()
  }
}

function unreadable(): OperationError {
  return new OperationError(
    'device_certificate_invalid',
    'The client certificate that the proxy sent cannot be read: CLIENT_CERTIFICATES of the gateway is for another proxy, or it is too large.',
  )
}
