import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { pipeline } from 'node:stream/promises'
import { OperationError } from '@bearing/contracts/errors'
import type { ActiveUpload } from './upload-limit.js'

/** Longest time for which the storage may send nothing, in milliseconds. */
const TIMEOUT_MS = 30_000

/**
 * Uploads a body to the bucket for a client that cannot.
 *
 * @param address a signed URL from management
 * @param length of the body in bytes
 * @throws OperationError `service_unavailable`, or the reason that ends the upload
 */
export async function putToStorage(
  address: string,
  body: AsyncIterable<Buffer>,
  length: number,
  upload: ActiveUpload,
): Promise<void> {
  const request = address.startsWith('https:') ? requestHttps : requestHttp
  const put = request(address, { method: 'PUT', headers: { 'content-length': length }, timeout: TIMEOUT_MS })
  put.once('timeout', () => put.destroy(new Error('the file storage did not respond in time')))
  const answered = new Promise<number>((resolve, reject) => {
    put.once('response', (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    put.once('error', reject)
  })
  try {
    const [status] = await Promise.all([answered, pipeline(() => received(body, upload), put)])
    if (status >= 300) throw new Error(`the file storage responded with ${String(status)}`)
  } catch (cause) {
    upload.signal.throwIfAborted()
    throw new OperationError(
      'service_unavailable',
      'The file storage cannot be reached at the moment. Try again shortly.',
      { retry_after: 1 },
      { cause },
    )
  }
}

async function* received(
  body: AsyncIterable<Buffer>,
  upload: ActiveUpload,
): AsyncGenerator<Buffer, void, undefined> {
  for await (const bytes of body) {
    upload.received(bytes.length)
    yield bytes
  }
}
