import { basename } from 'node:path'
import type { CallOutput } from '@bearing/client/call-types'
import { retryTransient } from '../retry-transient.js'
import type { Digests, LocalFile } from './local-file.js'
import { putFile, type Putting } from './put-file.js'

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
