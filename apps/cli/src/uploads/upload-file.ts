import { basename } from 'node:path'
import type { CallOutput } from '@bearing/client/call-types'
import { retryTransient } from '../retry-transient.js'
import type { Digests, LocalFile } from './local-file.js'
import { putFile, type Putting } from './put-file.js'

/** A file as the server knows it. */
export type StoredFile = CallOutput<'commitCoredump'>

/** The longest name that the server keeps. */
const MAX_NAME = 255

/** How a project is told of a file; every call may be repeated. */
export interface UploadTarget {
  readonly prepare: (size: number, signal: AbortSignal) => Promise<CallOutput<'prepareUpload'>>
  readonly commit: (
    file: { readonly token: string; readonly md5: string; readonly name: string },
    signal: AbortSignal,
  ) => Promise<StoredFile>
}

/**
 * Uploads one file: prepares, puts, commits, each again where the server is busy or cannot be reached. What was not put to its end
 * is put from its beginning, to another address.
 *
 * @throws what the last attempt threw
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
