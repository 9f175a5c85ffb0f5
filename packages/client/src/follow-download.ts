import { UnexpectedReplyError } from './errors.js'

/**
 * Downloads the bytes of a file from the storage URL that the gateway returned. The URL is its own proof of access: no
 * credential is sent there, and no error contains it.
 *
 * @throws UnexpectedReplyError where the storage does not give them
 */
export async function followDownload(
  fetch: typeof globalThis.fetch,
  answer: Response,
  signal: AbortSignal | null,
): Promise<Response> {
  await answer.body?.cancel()
  const address = URL.parse(answer.headers.get('location') ?? '')
  if (!address || !/^https?:$/.test(address.protocol))
    throw new UnexpectedReplyError(answer.status, 'The gateway names no place where the file is.')
  const response = await fetch(address, { redirect: 'manual', credentials: 'omit', signal })
  if (response.ok) return response
  await response.body?.cancel()
  throw new UnexpectedReplyError(
    response.status,
    `The storage of files at ${address.origin} has answered with status ${String(response.status)}.`,
  )
}
