import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** An access key that a server of S3 accepts. */
export interface AccessKey {
  readonly id: string
  readonly secret: string
}

/**
 * Checks the AWS signature (version 4) of a request, in its headers or its address, as S3 does.
 *
 * @param nowMs the time
 * @returns why it is refused; undefined: it is right
 */
export function refusal(request: IncomingMessage, key: AccessKey, nowMs: number): string | undefined {
  const [path = '', query = ''] = (request.url ?? '').split('?')
  const parameters = new URLSearchParams(query)
  const signed = parameters.has('X-Amz-Signature') ? fromAddress(parameters) : fromHeaders(request)
  if (!signed) return 'AccessDenied'
  const [id, date = '', region = '', service = '', end] = signed.credential.split('/')
  if (id !== key.id || end !== 'aws4_request') return 'InvalidAccessKeyId'
  const sinceMs = nowMs - timeOf(signed.time)
  if (sinceMs > signed.lifetimeS * 1_000 || sinceMs < -60_000) return 'AccessDenied'
  const canonical = [
    request.method,
    path,
    query
      .split('&')
      .filter((pair) => pair !== '' && !pair.startsWith('X-Amz-Signature='))
      .map((pair) => (pair.includes('=') ? pair : `${pair}=`))
      .sort()
      .join('&'),
    ...signed.headers.map((name) => `${name}:${String(request.headers[name] ?? '').trim()}`),
    '',
    signed.headers.join(';'),
    signed.payload,
  ].join('\n')
  const text = [
    'AWS4-HMAC-SHA256',
    signed.time,
    [date, region, service, 'aws4_request'].join('/'),
    createHash('sha256').update(canonical).digest('hex'),
  ].join('\n')
  const signingKey = [date, region, service, 'aws4_request'].reduce<string | Buffer>(
    (secret, part) => createHmac('sha256', secret).update(part).digest(),
    `AWS4${key.secret}`,
  )
  const right = createHmac('sha256', signingKey).update(text).digest()
  const given = Buffer.from(signed.signature, 'hex')
  return given.length === 32 && timingSafeEqual(right, given) ? undefined : 'SignatureDoesNotMatch'
}

interface Signed {
  readonly credential: string
  readonly time: string
  readonly lifetimeS: number
  readonly headers: readonly string[]
  readonly payload: string
  readonly signature: string
}

function fromAddress(parameters: URLSearchParams): Signed {
  const of = (name: string) => parameters.get(`X-Amz-${name}`) ?? ''
  return {
    credential: of('Credential'),
    time: of('Date'),
    lifetimeS: Number(of('Expires')),
    headers: of('SignedHeaders').split(';'),
    payload: 'UNSIGNED-PAYLOAD',
    signature: of('Signature'),
  }
}

function fromHeaders({ headers }: IncomingMessage): Signed | undefined {
  const found = /^AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=(\w+)$/.exec(
    headers.authorization ?? '',
  )
  const [, credential = '', names = '', signature = ''] = found ?? []
  if (!found) return undefined
  return {
    credential,
    time: String(headers['x-amz-date']),
    lifetimeS: 15 * 60,
    headers: names.split(';'),
    payload: String(headers['x-amz-content-sha256']),
    signature,
  }
}

/** `20261122T065604Z` in milliseconds. */
function timeOf(text: string): number {
  return Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
}
