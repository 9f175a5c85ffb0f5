import { client } from '../ground/client.js'

/** Path of the gateway for the bytes of uploads. */
const UPLOADS = '/api/v0/uploads/'

export interface Upload {
  readonly organization: string
  readonly project: string
  readonly file: File
  readonly kind: string
  readonly device: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  readonly onBytes: (bytes: number) => void
}

/** The error if a page cannot upload a file, but a command can. */
export class UnreachableStorageError extends Error {
  override readonly name = 'UnreachableStorageError'
}

/**
 * Puts the bytes of a file.
 *
 * @returns the token to commit them with
 * @throws UnreachableStorageError if files are stored elsewhere; errors of a call
 */
export async function putBytes({ organization, project, file, kind, ...upload }: Upload): Promise<string> {
  const { signal, device } = upload
  const input = { organization, project, kind, size: file.size, device }
  const { upload_url, token } = await client.call('prepareUpload', input, { signal })
  const { pathname, origin } = new URL(upload_url)
  if (!pathname.startsWith(UPLOADS))
    throw new UnreachableStorageError(
      `This installation stores files at ${origin}, which pages may not reach. Use the command.`,
    )
  await put(pathname, file, upload)
  return token
}

/** `fetch` reports no progress of what it sends. The path is its own proof: no credential goes with it. */
function put(
  path: string,
  file: File,
  { signal, onBytes }: Pick<Upload, 'signal' | 'onBytes'>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const fail = (message: string) => () =>
      reject(signal.aborted ? (signal.reason as Error) : new UnreachableStorageError(message))
    request.open('PUT', path)
    request.upload.onprogress = ({ loaded }) => onBytes(loaded)
    request.onload = () => {
      if (request.status < 300) resolve()
      else reject(new UnreachableStorageError(detailOf(request)))
    }
    request.onerror = fail('The connection broke. Upload the file again.')
    request.onabort = fail('The upload was stopped.')
    signal.addEventListener('abort', () => request.abort())
    request.send(file)
  })
}

/** Returns what a problem document says. */
function detailOf({ status, responseText }: XMLHttpRequest): string {
  try {
    const { detail } = JSON.parse(responseText) as { detail?: unknown }
    if (typeof detail === 'string') return detail
  } catch {
    // No answer of the gateway: a proxy may have refused it.
  }
  return `The server answered ${String(status)}.`
}
