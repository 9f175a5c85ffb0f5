import { OperationError } from '@bearing/contracts/errors'
import { meaningOf, unstorableText } from '../rules/commit-meaning.js'
import type { ReceivedObject } from './received-objects.js'
import { tooLarge } from './upload-limits.js'

/**
 * Verifies that the attributes of a commit can be stored.
 *
 * @returns their meaning, by which a repeated commit is recognized
 * @throws OperationError `invalid_input`
 */
export function checkAttributes(kind: string, attributes: Readonly<Record<string, unknown>>): string {
  const meaning = meaningOf({ kind, ...attributes })
  if (meaning === undefined)
    throw invalid('', 'must not be longer than 16 KiB or nested more than 32 levels deep')
  const unstorable = unstorableText(attributes)
  if (unstorable !== undefined) throw invalid(unstorable, 'must not contain NUL or unpaired surrogates')
  return meaning
}

/** Values that a commit announced. */
interface Expected {
  readonly md5: string | undefined
  readonly size: bigint | null
  readonly maxBytes: number
}

/**
 * Verifies the size and the digest of the content. For compressed content, some clients announce those of the sent bytes.
 *
 * @throws OperationError `upload_too_large` or `upload_mismatch`
 */
export function checkContent(object: ReceivedObject, { md5, size, maxBytes }: Expected): void {
  if (object.size > maxBytes) throw tooLarge(maxBytes)
  if (md5 !== undefined && md5 !== object.md5 && md5 !== object.sentMd5)
    throw new OperationError(
      'upload_mismatch',
      `The MD5 of the uploaded bytes is ${object.md5}, not the one in the commit. Put the file again.`,
    )
  if (size !== null && Number(size) !== object.size && Number(size) !== object.sentSize)
    throw new OperationError(
      'upload_mismatch',
      `${String(object.sentSize)} bytes were uploaded, but ${String(size)} announced. Put the file again.`,
    )
}

function invalid(pointer: string, detail: string): OperationError {
  return new OperationError('invalid_input', `The commit is invalid: ${pointer} ${detail}.`, {
    errors: [{ pointer, detail }],
  })
}
