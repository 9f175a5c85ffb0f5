import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { request as requestHttp, type ClientRequest, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { pipeline } from 'node:stream/promises'
import { UnexpectedReplyError, UnreachableError } from '@bearing/client/errors'
import { readReply } from '@bearing/client/read-reply'
import { ROUTES } from '@bearing/contracts/routes'
import { UsageError } from '../usage-error.js'
import { version } from '../version.js'
import { PIECE_BYTES, unreadable, type LocalFile } from './local-file.js'

/** How long nothing may happen, in milliseconds: the server writes what it has taken before it answers. */
const SILENCE_MS = 60_000
/** The longest answer that is read, in bytes. */
const MAX_ANSWER_BYTES = 65_536

/** How a file is put. */
export interface Putting {
  readonly signal: AbortSignal
  /** Called with the number of bytes that have gone out. */
  readonly onBytes: (bytes: number) => void
}

/**
 * Puts the bytes of a file to an upload address, piece by piece, with their length. The address proves by itself that they may be
 * put there: no credential is sent, and no redirect followed. `fetch` would neither send a length nor tell how far it is.
 *
 * @throws ProblemError where the gateway refuses, UnreachableError and UnexpectedReplyError as calls do, UsageError where the file
 *   cannot be read or has changed
 */
export async function putFile(file: LocalFile, address: string, putting: Putting): Promise<void> {
  const url = URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UnexpectedReplyError(200, 'The gateway names no address that a file can be put to.')
  const { signal } = putting
  const put = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
    method: 'PUT',
    headers: { 'content-length': file.size, 'user-agent': `bearing-cli/${version()}` },
    timeout: SILENCE_MS,
    signal,
  })
  put.once('timeout', () => {
    put.destroy(new UnreachableError('timeout', `${url.origin} takes no bytes any more, or does not answer.`))
  })
  // What is wrong with the file ends the request, which then says that the connection has ended.
  let ofFile: UsageError | undefined
  try {
    const answered = once(put, 'response') as Promise<[IncomingMessage]> // as node:http declares it
    // A refusal comes before everything was sent: then what is left does not matter.
    const sent = send(file, put, putting).catch((error: unknown) => {
      if (error instanceof UsageError) ofFile = error
    })
    const [response] = await answered
    await takeAnswer(response)
    await sent
    if (ofFile) throw ofFile
  } catch (error) {
    signal.throwIfAborted()
    throw ofFile ?? translated(error, url.origin)
  } finally {
    put.destroy()
  }
}

async function send(
  { name, path, size }: LocalFile,
  put: ClientRequest,
  { onBytes }: Putting,
): Promise<void> {
  const source = createReadStream(path, { highWaterMark: PIECE_BYTES })
  const counted = async function* (pieces: AsyncIterable<Buffer>) {
    let sent = 0
    try {
      for await (const piece of pieces) {
        sent += piece.length
        if (sent > size) break
        yield piece
        onBytes(piece.length)
      }
    } catch (error) {
      if (source.errored) throw unreadable(name, error)
      throw error
    }
    if (sent !== size) throw new UsageError(`${name} has changed while it was read. Upload it again.`)
  }
  await pipeline(source, counted, put)
}

async function takeAnswer(response: IncomingMessage): Promise<void> {
  const { statusCode: status = 0, headers } = response
  const read: Buffer[] = []
  let length = 0
  for await (const bytes of response) {
    length += (bytes as Buffer).length // no encoding was set
    if (length > MAX_ANSWER_BYTES) break
    read.push(bytes as Buffer)
  }
  if (status >= 200 && status < 300) return
  const known = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as [string, string]] : [],
  )
  const text = Buffer.concat(read).toString()
  await readReply(ROUTES.receiveUpload, new Response(text || null, { status, headers: known }), Date.now())
}

/** What the system says of connections becomes what calls throw. */
function translated(error: unknown, origin: string): unknown {
  const { code = '' } = error as NodeJS.ErrnoException // what node:http throws has one
  if (!/^(E[A-Z]+$|HPE_|ERR_|CERT_|UNABLE_|DEPTH_|SELF_)/.test(code)) return error
  return new UnreachableError(
    'network',
    `${origin} cannot be reached (${code}), or has ended the connection.`,
    { cause: error },
  )
}
