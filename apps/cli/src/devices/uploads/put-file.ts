import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { request as requestHttp, type ClientRequest, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { pipeline } from 'node:stream/promises'
import { basename } from 'node:path'
import { UnexpectedReplyError, UnreachableError } from '@bearing/client/errors'
import { readReply } from '@bearing/client/read-reply'
import { ROUTES } from '@bearing/contracts/routes'
import type { CallOutput } from '@bearing/client/call-types'
import { unreadable, UsageError } from '../../ground/usage-error.js'
import { version } from '../../ground/version.js'
import { PIECE_BYTES, type LocalFile, type Digests } from './local-file.js'
import { retryTransient } from '@bearing/client/retry-transient'
import type { ErrorReport } from '../../session/error-report.js'

/** Idle time-out, in milliseconds: the server writes the bytes before it responds. */
const SILENCE_MS = 60_000
/** Maximum size of a reply, in bytes. */
const MAX_ANSWER_BYTES = 65_536

/** Options of a PUT. */
export interface Putting {
  readonly signal: AbortSignal
  /** Called with the number of bytes sent. */
  readonly onBytes: (bytes: number) => void
}

/**
 * Puts a file to an upload URL, with its length. The URL contains its authorization: no credential is sent, and redirects
 * are not followed. `fetch` neither sends a length nor reports progress.
 *
 * @throws ProblemError if the gateway rejects it; UnreachableError and UnexpectedReplyError as calls do; UsageError if the
 *   file is unreadable or has changed
 */
export async function putFile(file: LocalFile, address: string, putting: Putting): Promise<void> {
  const url = URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UnexpectedReplyError(200, 'The gateway returned no valid upload URL.')
  const { signal } = putting
  const put = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
    method: 'PUT',
    headers: { 'content-length': file.size, 'user-agent': `bearing-cli/${version()}` },
    timeout: SILENCE_MS,
    signal,
  })
  put.once('timeout', () => {
    put.destroy(new UnreachableError('timeout', `${url.origin} accepts no more bytes, or does not respond.`))
  })
  // An error of the file ends the request with a connection error.
  let fileError: UsageError | undefined
  try {
    const answered = once(put, 'response') as Promise<[IncomingMessage]> // as node:http declares it
    // The gateway may reject the file before everything was sent.
    const sent = send(file, put, putting).catch((error: unknown) => {
      if (error instanceof UsageError) fileError = error
    })
    const [response] = await answered
    await takeAnswer(response)
    await sent
    if (fileError) throw fileError
  } catch (error) {
    signal.throwIfAborted()
    throw fileError ?? translated(error, url.origin)
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

/** Converts connection errors to the errors of calls. */
function translated(error: unknown, origin: string): unknown {
  const { code = '' } = error as NodeJS.ErrnoException // errors of node:http have one
  if (!/^(E[A-Z]+$|HPE_|ERR_|CERT_|UNABLE_|DEPTH_|SELF_)/.test(code)) return error
  return new UnreachableError('network', `${origin} cannot be reached (${code}), or closed the connection.`, {
    cause: error,
  })
}

/** A file on the server. */
export type StoredFile = CallOutput<'commitCoredump'>

/** Maximum length of a name. */
const MAX_NAME = 255

/** The calls of an upload; all are idempotent. */
export interface UploadTarget {
  readonly prepare: (size: number, signal: AbortSignal) => Promise<CallOutput<'prepareUpload'>>
  readonly commit: (
    file: { readonly token: string; readonly md5: string; readonly name: string },
    signal: AbortSignal,
  ) => Promise<StoredFile>
}

/**
 * Uploads a file: prepares, puts and commits it, with retries. An interrupted PUT starts again, with a new URL.
 *
 * @throws the error of the last attempt
 */
export async function uploadFile(
  file: LocalFile & Digests,
  target: UploadTarget,
  { signal, onBytes }: Putting,
): Promise<StoredFile> {
  const token = await retryTransient(signal, async () => {
    const prepared = await target.prepare(file.size, signal)
    let sent = 0
    const counting = (bytes: number) => {
      sent += bytes
      onBytes(bytes)
    }
    try {
      await putFile(file, prepared.upload_url, { signal, onBytes: counting })
    } catch (error) {
      onBytes(-sent)
      throw error
    }
    return prepared.token
  })
  const name = basename(file.name).slice(-MAX_NAME)
  return retryTransient(signal, () => target.commit({ token, md5: file.md5, name }, signal))
}

/** Reasons why a file was not uploaded, with their texts. */
export const SKIPPED = {
  already_there: 'there already',
  same_build_id: 'a larger file has the same build id',
  no_build_id: 'no build id; set the software type and version',
} as const
export type SkipReason = keyof typeof SKIPPED

/** The result of one file. */
export interface Uploaded {
  readonly file: string
  /** In bytes. */
  readonly size: number
  readonly outcome: 'uploaded' | 'skipped' | 'failed'
  readonly reason: SkipReason | null
  /** Id on the server; null if unknown. */
  readonly id: string | null
  readonly sha256: string | null
  readonly gnu_build_id: string | null
  readonly error: ErrorReport | null
}

/** The initial result. */
export const NOTHING_KNOWN = { reason: null, id: null, sha256: null, gnu_build_id: null, error: null }

/** The result of a file that is on the server. */
export function onServer(file: LocalFile, stored: StoredFile, reason: 'already_there' | null): Uploaded {
  const { id, sha256, gnu_build_id } = stored
  const outcome = reason === null ? 'uploaded' : 'skipped'
  return { ...NOTHING_KNOWN, file: file.name, size: file.size, outcome, reason, id, sha256, gnu_build_id }
}
