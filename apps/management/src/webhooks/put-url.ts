import { OperationError } from '@bearing/contracts/errors'
import { z } from 'zod'

/** Within this time an upload must start, in seconds. */
const LIFETIME_S = 60

const Credentials = z.object({ access_key_id: z.string(), secret_access_key: z.string() })

/** Keeps an object from being deleted or replaced. */
export interface ObjectLock {
  readonly until: Date
  /** Of the body, in base64: S3 requires it of a locked object. */
  readonly md5: string
}

/** Returns the headers that the URL of a locked object is signed with. */
export function lockHeaders(lock: ObjectLock | undefined): Record<string, string> {
  if (!lock) return {}
  return {
    'content-md5': lock.md5,
    'x-amz-object-lock-mode': 'COMPLIANCE',
    'x-amz-object-lock-retain-until-date': lock.until.toISOString().replace('.000Z', 'Z'), // as the SDK signs it
  }
}

/**
 * Returns the URL to put an object to, which is signed: the request itself goes through the guarded client.
 *
 * @param url the server, the bucket and a prefix: `https://s3.eu-central-1.amazonaws.com/bucket/prefix`
 * @param credentials JSON
 */
export async function putUrl(
  url: string,
  region: string,
  credentials: string,
  name: string,
  lock?: ObjectLock,
): Promise<URL> {
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
  const command = new PutObjectCommand({
    ...{ Bucket: bucket, Key: [...prefix, name].join('/') },
    ...(lock && {
      ContentMD5: lock.md5,
      ObjectLockMode: 'COMPLIANCE',
      ObjectLockRetainUntilDate: lock.until,
    }),
  })
  const unhoistableHeaders = new Set(Object.keys(lockHeaders(lock)))
  return new URL(await getSignedUrl(client, command, { expiresIn: LIFETIME_S, unhoistableHeaders }))
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
