import { open, stat } from 'node:fs/promises'
import { OperationError } from '@bearing/contracts/errors'
import type { FastifyInstance } from 'fastify'

/** Path at which the gateway serves the file that the setting `MAP_URL` names. */
export const MAP_FILE_PATH = '/map.pmtiles'

/** Returns whether there is a map to serve. */
export async function hasMapFile(path: string): Promise<boolean> {
  if (path === '') return false
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
}

/**
 * Serves ranges of a map of one file (RFC 9110 §14). It is public, as the pages that show it are, and is opened for each request. Callers
 * without a credential may ask for any length: a range is streamed, and takes no more memory the longer it is.
 */
export function serveMapFile(server: FastifyInstance, path: string): void {
  server.get(MAP_FILE_PATH, async (request, reply) => {
    if (!(await hasMapFile(path)))
      throw new OperationError('route_not_found', 'This installation has no map file. See /docs/streets.')
    const file = await open(path)
    const { size, mtimeMs } = await file.stat()
    const range = rangeOf(request.headers.range, size)
    const etag = `"${size.toString(36)}-${Math.round(mtimeMs).toString(36)}"`
    void reply.headers({ 'accept-ranges': 'bytes', 'cache-control': 'no-cache', etag })
    if (!range) {
      await file.close()
      return reply
        .code(416)
        .header('content-range', `bytes */${String(size)}`)
        .send()
    }
    const { start, end } = range
    return (
      reply
        .code(206)
        .headers({
          'content-type': 'application/vnd.pmtiles',
          'content-range': `bytes ${String(start)}-${String(end)}/${String(size)}`,
          'content-length': end - start + 1,
        })
        // Closes the file, whether the client reads all of it or leaves.
        .send(file.createReadStream({ start, end }))
    )
  })
}

/** Returns the bytes of the only range that a request names, no more than are there; undefined for anything else. */
function rangeOf(header: string | undefined, size: number): { start: number; end: number } | undefined {
  const [, first, last] = /^bytes=(\d{1,15})-(\d{1,15})$/.exec(header ?? '') ?? []
  if (first === undefined || last === undefined) return undefined
  const [start, end] = [Number(first), Math.min(Number(last), size - 1)]
  return start <= end ? { start, end } : undefined
}
