import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { OperationError } from '@bearing/contracts/errors'
import { until } from './until-aborted.js'
import type { UploadPlace } from './upload-limit.js'

/** How long the storage may be silent, in milliseconds. */
const TIMEOUT_MS = 30_000

/**
 * Puts a body to an address of the storage, for a client that does not know of it. The address is of management, and proves by
 * itself that its bytes may be put there.
 *
 * @param length of the body in bytes
 * @throws OperationError `service_unavailable`, and what ends the upload's place
 */
export async function putToStorage(
  address: string,
  body: Readable,
  length: number,
  place: UploadPlace,
): Promise<void> {
  const request = address.startsWith('https:') ? requestHttps : requestHttp
  const put = request(address, { method: 'PUT', headers: { 'content-length': length }, timeout: TIMEOUT_MS })
  put.once('timeout', () => put.destroy(new Error('the storage of files did not answer in time')))
  const answered = new Promise<number>((resolve, reject) => {
    put.once('response', (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    put.once('error', reject)
  })
  try {
    const [status] = await Promise.all([answered, pipeline(() => taken(body, place), put)])
    if (status >= 300) throw new Error(`the storage of files has answered ${String(status)}`)
  } catch (cause) {
    place.signal.throwIfAborted()
    throw new OperationError(
      'service_unavailable',
      'The storage of files cannot be reached at the moment. Try again shortly.',
      { retry_after: 1 },
      { cause },
    )
  }
}

async function* taken(body: Readable, place: UploadPlace): AsyncGenerator<Buffer, void, undefined> {
  for await (const bytes of until<Buffer>(body.iterator({ destroyOnReturn: false }), place.signal)) {
    place.moved(bytes.length)
    yield bytes
  }
}
