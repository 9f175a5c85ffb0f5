import { Buffer } from 'node:buffer'
import type { Readable } from 'node:stream'
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { OperationError } from '@bearing/contracts/errors'
import { ConcurrencyLimit } from '@bearing/nats/concurrency-limit'
import type { InflationLimits } from '@bearing/service/ground/inflation'
import { readContent } from './read-content.js'
import { Storage, type Inspected, type Stored } from './storage.js'

/** Within this time a transfer must start, in seconds. */
const URL_LIFETIME_S = 15 * 60
/** Time-outs of connecting to S3, and of waiting for data, in milliseconds. */
const CONNECT_MS = 3_000
const IDLE_MS = 8_000
/** Attempts of the SDK: few, so that callers receive an error before their own deadline. */
const MAX_ATTEMPTS = 2
/** Objects that a process reads concurrently. More would wait for a connection of the SDK. */
const MAX_READS = 50

/** The bucket and its credentials. */
export interface S3Options {
  /** URL of an S3-compatible server that clients can reach; undefined for AWS. */
  readonly endpoint: string | undefined
  readonly region: string
  readonly bucket: string
  /** Undefined: the default chain of the SDK. Secret. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined
}

/** Stores files and payloads of chunks in an S3 bucket. Clients of files put and get the bytes there, with presigned URLs. */
export class S3Storage extends Storage {
  override readonly name = 's3'
  override readonly storesPayloads = true
  private readonly client: S3Client
  private readonly bucket: string
  /** Few calls wait for a bucket that does not respond. */
  private readonly reads = new ConcurrencyLimit({
    limit: MAX_READS,
    tooMany: 'Too many files are being read from the file storage',
    retryAfterS: 5,
  })

  constructor({ endpoint, region, bucket, credentials }: S3Options) {
    super()
    this.bucket = bucket
    this.client = new S3Client({
      region,
      ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
      ...(credentials && { credentials }),
      // A presigned URL cannot contain a checksum of unknown bytes.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      maxAttempts: MAX_ATTEMPTS,
      // The SDK's default waits forever.
      requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: IDLE_MS },
    })
  }

  /** Valid for any length, because clients may send the file compressed. The commit checks the size. */
  override putUrl(object: string): Promise<string> {
    return getSignedUrl(this.client, new PutObjectCommand(this.at(object)), { expiresIn: URL_LIFETIME_S })
  }

  override append(): Promise<number> {
    return Promise.reject(new Error('clients put the bytes of an object to its URL'))
  }

  override complete(): Promise<void> {
    return Promise.resolve()
  }

  override inspect(put: string, limits: InflationLimits): Promise<Inspected> {
    return this.reads.run([], () => this.readAll(put, limits))
  }

  private async readAll(put: string, limits: InflationLimits): Promise<Inspected> {
    const reply = await this.ask(() => this.client.send(new GetObjectCommand(this.at(put))))
    if (!reply?.Body) return { outcome: 'nothing' }
    const gzip = /^(x-)?gzip$/i.test(reply.ContentEncoding ?? '')
    const body = reply.Body as Readable // its type in Node
    const { ContentLength: length = 0 } = reply
    if (length > limits.maxBytes) {
      body.destroy()
      return { outcome: 'too_large' }
    }
    const found = await this.ask(() => readContent(body, gzip, { ...limits, length }))
    if (found === undefined) return { outcome: 'nothing' }
    if (typeof found === 'string') return { outcome: found }
    return { outcome: 'complete', ...found, gzip, version: reply.ETag }
  }

  /** Copies only the inspected version: the client could put another one, as the URL is still valid. */
  override async adopt(put: string, into: string, version: string | undefined): Promise<boolean> {
    const copied = await this.ask(() =>
      this.client.send(
        new CopyObjectCommand({
          ...this.at(into),
          CopySource: `${this.bucket}/${keyOf(put)}`,
          CopySourceIfMatch: version,
        }),
      ),
    )
    return copied !== undefined
  }

  override async read({ id, gzip, size }: Stored, offset: number, length: number): Promise<Uint8Array> {
    // Every read would decompress it from the beginning.
    if (gzip) throw new Error('compressed content can only be read as a whole')
    const end = Math.min(size, offset + length)
    if (end <= offset) return new Uint8Array()
    const bytes = await this.readRange(id, offset, end - offset)
    if (!bytes) throw new Error('the object does not exist')
    return bytes
  }

  override readRange(object: string, offset: number, length: number): Promise<Uint8Array | undefined> {
    const range = `bytes=${String(offset)}-${String(offset + length - 1)}`
    return this.reads.run([], () =>
      this.ask(async () => {
        const { Body: body } = await this.client.send(
          new GetObjectCommand({ ...this.at(object), Range: range }),
        )
        return Buffer.concat(await (body as Readable).toArray()) // its type in Node
      }),
    )
  }

  override async write(object: string, bytes: Uint8Array, timeoutMs: number): Promise<void> {
    const abortSignal = AbortSignal.timeout(timeoutMs)
    await this.ask(async () => {
      await this.client.send(new PutObjectCommand({ ...this.at(object), Body: bytes }), { abortSignal })
      return true
    })
  }

  override getUrl({ id }: Stored, name: string): Promise<string> {
    const command = new GetObjectCommand({
      ...this.at(id),
      ResponseContentType: 'application/octet-stream',
      ResponseContentDisposition: `attachment; filename="${name}"`,
    })
    return getSignedUrl(this.client, command, { expiresIn: URL_LIFETIME_S })
  }

  override async remove(object: string): Promise<void> {
    await this.ask(() => this.client.send(new DeleteObjectCommand(this.at(object))))
  }

  private at(object: string): { Bucket: string; Key: string } {
    return { Bucket: this.bucket, Key: keyOf(object) }
  }

  /** Returns undefined if the object does not exist. */
  private async ask<Answer>(question: () => Promise<Answer>): Promise<Answer | undefined> {
    try {
      return await question()
    } catch (error) {
      if (error instanceof NoSuchKey) return undefined
      // The SDK has retried. Only the log contains the reason.
      if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404) return undefined
      throw new OperationError(
        'service_unavailable',
        'The file storage is unavailable. Try again shortly.',
        { retry_after: 1 },
        { cause: error },
      )
    }
  }
}

function keyOf(object: string): string {
  return `objects/${object}`
}
