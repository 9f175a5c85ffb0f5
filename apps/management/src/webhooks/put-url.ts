import { OperationError } from '@bearing/contracts/errors'
import { z } from 'zod'

/** Within this time an upload must start, in seconds. */
const LIFETIME_S = 60

const Credentials = z.object({ access_key_id: z.string(), secret_access_key: z.string() })

/**
 * Returns the URL to put an object to, which is signed: the request itself goes through the guarded client.
 *
 * @param url the server, the bucket and a prefix: `https://s3.eu-central-1.amazonaws.com/bucket/prefix`
 * @param credentials JSON
 */
export async function putUrl(url: string, region: string, credentials: string, name: string): Promise<URL> {
  // They take 34 MiB of memory, so they are loaded only if needed.
  const [{ PutObjectCommand, S3Client }, { getSignedUrl }] = await Promise.all([
    import('@aws-sdk/client-s3'),
    import('@aws-sdk/s3-request-presigner'),
  ])
  const { origin, pathname } = new URL(url)
  const [bucket = '', ...prefix] = decodeURIComponent(pathname)
    .split('/')
    .filter((part) => part !== '')
  const { access_key_id: accessKeyId, secret_access_key: secretAccessKey } = Credentials.parse(
    JSON.parse(credentials),
  )
  const client = new S3Client({
    ...{ region, endpoint: origin, forcePathStyle: true },
    credentials: { accessKeyId, secretAccessKey },
    requestChecksumCalculation: 'WHEN_REQUIRED',
  })
  const command = new PutObjectCommand({ Bucket: bucket, Key: [...prefix, name].join('/') })
  return new URL(await getSignedUrl(client, command, { expiresIn: LIFETIME_S }))
}

/** @throws OperationError `invalid_input` where a URL names no bucket */
export function requireBucket(url: string): void {
  if (/^\/+[a-z0-9][a-z0-9.-]{2,62}(?:\/|$)/.test(new URL(url).pathname)) return
  const detail =
    'must be the URL of the server, followed by the bucket: https://s3.eu-central-1.amazonaws.com/bucket/prefix'
  throw new OperationError('invalid_input', 'The URL names no bucket.', {
    errors: [{ pointer: '/url', detail }],
  })
}
