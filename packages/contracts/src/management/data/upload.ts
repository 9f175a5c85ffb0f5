import { z } from 'zod'
import { operation } from '../../operation.js'
import { Id, Nothing, ProjectScope, orNull } from '../../primitives.js'
import { DeviceFileKind, File } from './file.js'

/**
 * Length of one part of an upload in bytes, all but the last: as the convention for object stores has it. The longer parts are,
 * the more of them is dead memory before anybody looks for some.
 */
export const PART_BYTES = 128 * 1024
/** The most parts that an upload may have: 16 GiB. */
export const MAX_PARTS = 131_072
/** Former length of parts. Objects that consist of them exist, and a gateway of that version may still run. */
const EARLIER_PART_BYTES = 512 * 1024

/**
 * Returns the length of the parts of an object, in bytes.
 *
 * @param size of the object, in bytes
 * @param parts number of its parts
 * @returns undefined if it cannot have so many
 */
export function partBytesOf(size: number, parts: number): number | undefined {
  return [PART_BYTES, EARLIER_PART_BYTES].find((bytes) => Math.ceil(size / bytes) === parts)
}

/** Devices may send what they like beside what is known, and get it back: it is kept with the file. */
const Device = z.looseObject({ device_serial: orNull(z.string()) })

/** A digest in hexadecimal, lower-cased. */
const hex = (bytes: number) =>
  z
    .string()
    .toLowerCase()
    .regex(new RegExp(`^[0-9a-f]{${String(bytes * 2)}}$`), `must be ${String(bytes)} bytes in hexadecimal`)

/** Proves permission to upload bytes, or to commit them. It opens nothing else, and expires. */
const UploadToken = z.string().min(1).max(200)

export const prepareUpload = operation({
  subject: 'management.v1.upload.prepare',
  summary: 'Prepare an upload',
  description:
    'Put the bytes to `upload_url`, which needs no credential and works for some minutes, with `Content-Encoding: gzip` where they are compressed; then commit them with the `token`. If an upload is interrupted, begin again.',
  input: z.object({
    ...ProjectScope,
    kind: z.string().max(64).optional(),
    size: z.int().min(0).optional(),
    device: Device.optional(),
  }),
  output: z.object({ upload_url: z.string(), token: z.string() }),
  errors: [
    'upload_too_large',
    'storage_quota_exceeded',
    'project_not_found',
    'project_key_required',
    'device_not_known',
  ],
  permission: 'file:upload',
  lenient: true,
})

/** The project of a device is that of its key. */
const committed = {
  file: z.looseObject({
    token: UploadToken.describe('The token of the upload, from the response to the prepare request.'),
    md5: hex(16).optional(),
    name: z.string().max(255).nullable().optional(),
  }),
  device: Device.optional(),
}

const COMMIT_ERRORS = [
  'upload_not_found',
  'upload_incomplete',
  'upload_too_large',
  'storage_quota_exceeded',
  'upload_mismatch',
  'file_conflict',
  'project_key_required',
] as const

/** Upload URLs stop with the credentials of their organization or project. */
const DELETED_ERRORS = ['organization_deleted', 'project_deleted'] as const

/** If files are kept in S3, an upload is read once: at 50 MB a second, 2 GiB take 40 s. */
const COMMIT_TIMEOUT_MS = 120_000

export const commitUpload = operation({
  subject: 'management.v1.upload.commit',
  summary: 'Commit an upload as a file of a device',
  description:
    'Idempotent: a commit with the same content and the same attributes returns the same file. The same content with other attributes, for example of another device or time, is another file. Everything beside `file` is kept with the file. One upload cannot be committed twice with different attributes (409).',
  input: z.looseObject({ ...ProjectScope, kind: DeviceFileKind, ...committed }),
  output: File,
  errors: [...COMMIT_ERRORS, 'device_not_known'],
  permission: 'file:upload',
  timeoutMs: COMMIT_TIMEOUT_MS,
  lenient: true,
})

export const commitSymbols = operation({
  subject: 'management.v1.symbols.commit',
  summary: 'Commit an upload as symbols',
  description:
    'An ELF file with a GNU build id or the build id of the firmware SDK, by which it is found; or with `software_version: { version, software_type }` an ELF file without a build id, or a ProGuard mapping. Otherwise like every commit.',
  input: z.looseObject({ ...ProjectScope, ...committed }),
  output: File,
  errors: [...COMMIT_ERRORS, 'symbols_invalid'],
  permission: 'symbols:upload',
  timeoutMs: COMMIT_TIMEOUT_MS,
})

export const findUpload = operation({
  subject: 'management.v1.upload.find',
  summary: 'Whose upload an address is of',
  input: z.object({ upload_token: UploadToken }),
  output: z.object({ organization_id: Id }),
  errors: ['upload_url_invalid', ...DELETED_ERRORS],
  permission: 'internal',
})

export const openUpload = operation({
  subject: 'management.v1.upload.open',
  summary: 'Begin to take the bytes of an upload',
  input: z.object({
    upload_token: UploadToken,
    size: z
      .int()
      .min(0)
      .optional()
      .describe('How many bytes the content will have, where that is known before it is there.'),
  }),
  output: z.object({
    object_id: Id.describe(
      'What the parts belong to. A second try has one of its own, and takes the place of the first.',
    ),
    max_bytes: z.int().min(0).describe('More bytes than that are refused.'),
    announced_bytes: z
      .int()
      .min(0)
      .optional()
      .describe('The size in the preparation, of the content or of the compressed body.'),
  }),
  errors: ['upload_url_invalid', 'upload_too_large', 'storage_quota_exceeded', ...DELETED_ERRORS],
  permission: 'internal',
})

export const appendUpload = operation({
  subject: 'management.v1.upload.append',
  summary: 'Take one part of an upload',
  input: z.object({
    object_id: Id,
    after: z
      .int()
      .min(0)
      .describe(
        'What the part before was answered with; 0 for the first. A part that comes twice or out of order is refused.',
      ),
    data: z
      .custom<Uint8Array>(
        (value) => value instanceof Uint8Array && value.length > 0 && value.length <= EARLIER_PART_BYTES,
        'must be bytes, as many as a part has',
      )
      .describe('`PART_BYTES`, or less for the last part; of an earlier gateway four times as much.'),
  }),
  bytes: 'data',
  output: z.object({ sequence: z.int().min(1) }),
  errors: ['upload_url_invalid'],
  permission: 'internal',
})

export const abandonUpload = operation({
  subject: 'management.v1.upload.abandon',
  summary: 'Delete the parts of an upload that will not become complete',
  input: z.object({ object_id: Id }),
  output: Nothing,
  errors: [],
  permission: 'internal',
})

export const receiveUpload = operation({
  subject: 'management.v1.upload.receive',
  summary: 'Put the bytes of an upload',
  description:
    'To the address that `upload_url` is: its last part is the proof that the caller may, so that no credential is asked for or looked at. The body is the bytes as they are, or compressed with `Content-Encoding: gzip`. Putting them again replaces them, as long as they are not committed.',
  input: z.object({
    upload_token: UploadToken,
    object_id: Id,
    sequences: z
      .array(z.int().min(1))
      .max(MAX_PARTS)
      .describe('Where each part is, in the order of the parts.'),
    size: z.int().min(0).describe('Of the content.'),
    md5: hex(16),
    sha256: hex(32),
    sent_size: z
      .int()
      .min(0)
      .describe('Of the bytes as they were sent: those of the content, unless that was compressed.'),
    sent_md5: hex(16),
  }),
  output: Nothing,
  errors: ['upload_url_invalid', 'upload_too_large', 'storage_quota_exceeded', ...DELETED_ERRORS],
  permission: 'public',
})
