import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
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
import { BuildIdScan } from '@bearing/elf/build-id-scan'
import { Storage, type Looked, type Received, type Stored } from './storage.js'

/** How long an address works, in seconds: a quarter of an hour to begin with. */
const ADDRESS_LIFETIME_S = 15 * 60
/** How long S3 may take to be reached, and to say anything, in milliseconds. */
const CONNECT_MS = 3_000
const SILENCE_MS = 8_000
/** How often the SDK asks: with a server that accepts and never answers, whoever waits for it hears so in time to ask again. */
const ATTEMPTS = 2
/** Objects that a process looks at or reads at once. More would wait for a connection, and all of them for a server that hangs. */
const AT_ONCE = 50

/** Where the bucket is, and who may use it. */
export interface S3Options {
  /** Of an S3-compatible server; undefined for AWS. Clients have to reach it too. */
  readonly endpoint: string | undefined
  readonly region: string
  readonly bucket: string
  /** Undefined: what the machine has, by the SDK's own rules. Secret. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined
}

/** Files in a bucket of S3. Clients put and get the bytes there by themselves, with addresses that are signed for that alone. */
export class S3Storage extends Storage {
  override readonly name = 's3'
  private readonly client: S3Client
  private readonly bucket: string
  private underWay = 0

  constructor({ endpoint, region, bucket, credentials }: S3Options) {
    super()
    this.bucket = bucket
    this.client = new S3Client({
      region,
      ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
      ...(credentials && { credentials }),
      // A checksum in a signed address would be one of bytes that nobody has seen yet.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      maxAttempts: ATTEMPTS,
      // The SDK waits for ever.
      requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: SILENCE_MS },
    })
  }

  /** Good for any length: clients announce that of the file, and may send it compressed. The commit looks at it. */
  override putAddress(object: string): Promise<string> {
    return getSignedUrl(this.client, new PutObjectCommand(this.at(object)), { expiresIn: ADDRESS_LIFETIME_S })
  }

  override append(): Promise<number> {
    return Promise.reject(new Error('the bytes of an object go to its address'))
  }

  override complete(): Promise<void> {
    return Promise.resolve()
  }

  override look(put: string, maxBytes: number): Promise<Looked> {
    return this.inTurn(() => this.readAll(put, maxBytes))
  }

  private async readAll(put: string, maxBytes: number): Promise<Looked> {
    const found = await this.ask(() => this.client.send(new GetObjectCommand(this.at(put))))
    if (!found?.Body) return { outcome: 'nothing' }
    const gzip = /^(x-)?gzip$/i.test(found.ContentEncoding ?? '')
    const body = found.Body as Readable // what it is in Node
    if ((found.ContentLength ?? 0) > maxBytes) {
      body.destroy()
      return { outcome: 'too_large' }
    }
    const looked = await this.ask(() => lookAt(body, gzip, maxBytes))
    if (looked === undefined) return { outcome: 'nothing' }
    if (typeof looked === 'string') return { outcome: looked }
    return { outcome: 'complete', ...looked, gzip, version: found.ETag }
  }

  /** Copied inside S3, and only what was looked at: the address still works, and could be used again. */
  override async take(put: string, into: string, version: string | undefined): Promise<boolean> {
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
    // Every read would unpack it from the beginning.
    if (gzip) throw new Error('compressed content is read only once, by its commit')
    const end = Math.min(size, offset + length)
    if (end <= offset) return new Uint8Array()
    const range = `bytes=${String(offset)}-${String(end - 1)}`
    const bytes = await this.inTurn(() =>
      this.ask(async () => {
        const { Body: body } = await this.client.send(new GetObjectCommand({ ...this.at(id), Range: range }))
        return Buffer.concat(await (body as Readable).toArray()) // what it is in Node
      }),
    )
    if (!bytes) throw new Error('the object is not there')
    return bytes
  }

  override getAddress({ id }: Stored, name: string): Promise<string> {
    const command = new GetObjectCommand({
      ...this.at(id),
      ResponseContentType: 'application/octet-stream',
      ResponseContentDisposition: `attachment; filename="${name}"`,
    })
    return getSignedUrl(this.client, command, { expiresIn: ADDRESS_LIFETIME_S })
  }

  override async remove(object: string): Promise<void> {
    await this.ask(() => this.client.send(new DeleteObjectCommand(this.at(object))))
  }

  private at(object: string): { Bucket: string; Key: string } {
    return { Bucket: this.bucket, Key: keyOf(object) }
  }

  /** Where the bucket hangs, few wait for it, and everybody else hears at once that it does. */
  private async inTurn<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    if (this.underWay >= AT_ONCE)
      throw new OperationError(
        'overloaded',
        'Too many files are being read from their storage. Try again shortly.',
        { retry_after: 5 },
      )
    this.underWay++
    try {
      return await work()
    } finally {
      this.underWay--
    }
  }

  /** What does not exist is undefined. */
  private async ask<Answer>(question: () => Promise<Answer>): Promise<Answer | undefined> {
    try {
      return await question()
    } catch (error) {
      if (error instanceof NoSuchKey) return undefined
      // The SDK has tried again by itself. What S3 refuses is told apart in the log alone.
      if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404) return undefined
      throw new OperationError(
        'service_unavailable',
        'The storage of files cannot be reached at the moment. Try again shortly.',
        { retry_after: 1 },
        { cause: error },
      )
    }
  }
}

function keyOf(object: string): string {
  return `objects/${object}`
}

/** What one look at all bytes finds out. */
interface Found {
  readonly received: Received
  readonly gnuBuildId: string | undefined
}

/** Reads and unpacks all of it, once. Bytes come in pieces of at most 64 KiB, between which other work is done. */
async function lookAt(
  body: Readable,
  gzip: boolean,
  maxBytes: number,
): Promise<Found | 'too_large' | 'damaged'> {
  const [md5, sha256, sentMd5] = [createHash('md5'), createHash('sha256'), createHash('md5')]
  const scan = new BuildIdScan()
  let [size, sentSize] = [0, 0]
  const sent = new PassThrough()
  if (gzip)
    sent.on('data', (bytes: Buffer) => {
      sentMd5.update(bytes)
      sentSize += bytes.length
    })
  const tooLarge = new Error('the content is too large')
  try {
    await pipeline(
      body,
      sent,
      gzip ? createGunzip() : new PassThrough(),
      async (content: AsyncIterable<Buffer>) => {
        for await (const bytes of content) {
          size += bytes.length
          if (size > maxBytes) throw tooLarge
          md5.update(bytes)
          sha256.update(bytes)
          scan.push(bytes)
        }
      },
    )
  } catch (error) {
    if (error === tooLarge) return 'too_large'
    if (String((error as { code?: unknown }).code).startsWith('Z_')) return 'damaged'
    throw error
  }
  const digest = md5.digest('hex')
  const received = {
    size,
    md5: digest,
    sha256: sha256.digest('hex'),
    sentSize: gzip ? sentSize : size,
    sentMd5: gzip ? sentMd5.digest('hex') : digest,
  }
  return { received, gnuBuildId: await scan.id() }
}
