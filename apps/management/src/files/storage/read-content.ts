import { createHash } from 'node:crypto'
import { PassThrough, Writable, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { BuildIdScan } from '@bearing/files/elf/build-id-scan'
import type { Received } from './storage.js'

/** The result of reading all bytes. */
interface Content {
  readonly received: Received
  readonly gnuBuildId: string | undefined
}

/** Reads and decompresses all bytes, in pieces of at most 64 KiB. */
export async function readContent(
  body: Readable,
  gzip: boolean,
  maxBytes: number,
): Promise<Content | 'too_large' | 'damaged'> {
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
  const count = new Writable({
    write: (bytes: Buffer, _, done) => {
      size += bytes.length
      md5.update(bytes)
      sha256.update(bytes)
      scan.push(bytes)
      done(size > maxBytes ? tooLarge : null)
    },
  })
  const unpack = gzip ? createGunzip() : new PassThrough()
  // A pipeline does not destroy a reply that has arrived in full and was not read to its end, and then never settles.
  for (const stream of [sent, unpack, count]) stream.once('error', (error) => body.destroy(error))
  // The pipeline may have stopped listening by then.
  body.on('error', () => undefined)
  try {
    await pipeline(body, sent, unpack, count)
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
