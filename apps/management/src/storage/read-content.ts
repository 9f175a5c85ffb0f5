import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { BuildIdScan } from '@bearing/files/elf/build-id-scan'
import {
  Inflation,
  InflationError,
  type InflationFault,
  type InflationLimits,
} from '@bearing/service/ground/inflation'
import type { Received } from './storage.js'

/** The result of reading all bytes. */
interface Content {
  readonly received: Received
  readonly gnuBuildId: string | undefined
}

/** Reads and decompresses all bytes, in pieces of at most 64 KiB. A body that is not read to its end is destroyed. */
export async function readContent(
  body: Readable,
  gzip: boolean,
  limits: InflationLimits,
): Promise<Content | InflationFault> {
  const [md5, sha256, sentMd5] = [createHash('md5'), createHash('sha256'), createHash('md5')]
  const scan = new BuildIdScan()
  let size = 0
  const inflation = gzip ? new Inflation(limits) : undefined
  const sent = async function* () {
    for await (const bytes of body as AsyncIterable<Buffer>) {
      sentMd5.update(bytes)
      yield bytes
    }
  }
  // The loop may have stopped listening by then.
  body.on('error', () => undefined)
  try {
    for await (const bytes of inflation ? inflation.stream(sent()) : (body as AsyncIterable<Buffer>)) {
      size += bytes.length
      if (size > limits.maxBytes) return 'too_large'
      if (!inflation && size > (limits.announced ?? Infinity)) return 'not_announced'
      md5.update(bytes)
      sha256.update(bytes)
      scan.push(bytes)
    }
  } catch (error) {
    if (error instanceof InflationError) return error.fault
    throw error
  } finally {
    body.destroy()
  }
  const digest = md5.digest('hex')
  const received = {
    size,
    md5: digest,
    sha256: sha256.digest('hex'),
    sentSize: inflation?.received ?? size,
    sentMd5: inflation ? sentMd5.digest('hex') : digest,
  }
  return { received, gnuBuildId: await scan.id() }
}
