import { z } from 'zod'
import { operation } from '../../operation.js'
import { DeviceSerial } from '../devices/device.js'
import { Id, Nothing, PageRequest, ProjectScope, Timestamp, pageOf } from '../../primitives.js'

/** Kinds of files. Bearing looks inside `symbols` only, for their build id. */
export const FILE_KINDS = [
  'coredump',
  'elf_coredump',
  'bugreport',
  'mar',
  'custom-data-recording',
  'symbols',
] as const

/** One of {@link FILE_KINDS}. */
export const FileKind = z.enum(FILE_KINDS).meta({ id: 'FileKind' })
export type FileKind = z.infer<typeof FileKind>

/** The kinds that devices make; symbols come from where software is built. */
export const DeviceFileKind = FileKind.exclude(['symbols'])

/** The id of an ELF file, as the linker has written it (`NT_GNU_BUILD_ID`): 2–64 bytes in hexadecimal, lower-cased. */
export const GnuBuildId = z
  .string()
  .toLowerCase()
  .regex(/^(?:[0-9a-f]{2}){2,64}$/, 'must be 2 to 64 bytes in hexadecimal')
  .meta({ id: 'GnuBuildId', example: '83ec5c02f5a51f3e6b4b4f4c6a9d0b1c2d3e4f50' })

/** SHA-256 of the content of a file: 64 hexadecimal digits, lower-cased. */
const Sha256 = z
  .string()
  .toLowerCase()
  .regex(/^[0-9a-f]{64}$/, 'must be 32 bytes in hexadecimal')

/** A file of a project. */
export const File = z
  .object({
    id: Id,
    kind: FileKind,
    name: z.string().nullable().describe('As the uploader called it; null: they did not.'),
    size: z.int().min(0).describe('Length of the content in bytes.'),
    sha256: z.string().describe('SHA-256 of the content, 64 hexadecimal digits.'),
    device_serial: z.string().nullable().describe('The device that it is from; null: nobody said.'),
    gnu_build_id: z
      .string()
      .nullable()
      .describe(
        'Of symbols: the GNU build id, or that of the firmware SDK; null for all else, and for symbols without one.',
      ),
    hardware_version: z
      .string()
      .nullable()
      .default(null)
      .describe('Hardware of the device, from the commit; null: not sent.'),
    software_type: z
      .string()
      .nullable()
      .default(null)
      .describe('Kind of the software of the device, or of symbols; null: not sent.'),
    software_version: z
      .string()
      .nullable()
      .default(null)
      .describe('Version of that software; null: not sent.'),
    start_time: z
      .string()
      .nullable()
      .default(null)
      .describe('Start of a recording, as sent; null: not sent.'),
    duration_secs: z
      .number()
      .nullable()
      .default(null)
      .describe('Duration of a recording in seconds; null: not sent.'),
    mimetypes: z.array(z.string()).default([]).describe('MIME types of a recording, at most 16.'),
    reason: z.string().nullable().default(null).describe('Why a recording was made; null: not sent.'),
    created_at: Timestamp,
  })
  .meta({ id: 'File' })

/** A file, with everything that its commit contained. */
export const FileDetails = File.extend({
  attributes: z
    .record(z.string(), z.unknown())
    .default({})
    .describe('The body of the commit, without `file.token` and `file.md5`: at most 16 KiB.'),
}).meta({ id: 'FileDetails' })

const OneFile = { ...ProjectScope, file_id: Id }

export const listFiles = operation({
  subject: 'management.v1.file.list',
  summary: 'List the files of a project',
  description:
    'The newest first. With `sha256`, those with this content: what is there need not be uploaded.',
  input: z.object({
    ...ProjectScope,
    ...PageRequest,
    kind: FileKind.optional(),
    sha256: Sha256.optional(),
    device_serial: DeviceSerial.optional(),
    software_version: z.string().min(1).max(128).optional().describe('Of the device, or of symbols.'),
    software_type: z.string().min(1).max(128).optional(),
  }),
  output: pageOf(File),
  errors: [],
  permission: 'file:read',
})

export const listCoredumps = operation({
  subject: 'management.v1.coredump.list',
  summary: 'List the coredumps of a project',
  description: 'Those of kind `coredump` and `elf_coredump`, the newest first.',
  input: z.object({
    ...ProjectScope,
    ...PageRequest,
    device_serial: DeviceSerial.optional(),
  }),
  output: pageOf(File),
  errors: [],
  permission: 'file:read',
})

export const showFile = operation({
  subject: 'management.v1.file.show',
  summary: 'Show a file',
  input: z.object(OneFile),
  output: FileDetails,
  errors: ['file_not_found'],
  permission: 'file:read',
})

export const findSymbols = operation({
  subject: 'management.v1.symbols.find',
  summary: 'Find symbols by their GNU build id',
  description: '`HEAD` says whether they are there, and so need not be uploaded.',
  input: z.object({ ...ProjectScope, gnu_build_id: GnuBuildId }),
  output: File,
  errors: ['symbols_not_found'],
  permission: 'file:read',
})

export const deleteFile = operation({
  subject: 'management.v1.file.delete',
  summary: 'Delete a file',
  description:
    'Its bytes go with the next sweep of uploads, unless another file of the project has the same. A repeated commit does not bring it back.',
  input: z.object(OneFile),
  output: Nothing,
  errors: ['file_not_found'],
  permission: 'device:delete',
})

export const downloadFile = operation({
  subject: 'management.v1.file.download',
  summary: 'Download a file',
  description:
    'The reply is its bytes, as `application/octet-stream`. Where files are kept in S3 it is 302, to an address there that works for some minutes.',
  input: z.object({
    ...OneFile,
    offset: z
      .int()
      .min(0)
      .default(0)
      .describe(
        'The gateway asks for one part after the other; HTTP clients get them all. In bytes from the beginning.',
      ),
  }),
  output: z.object({
    address: z
      .string()
      .nullable()
      .describe('URL from which the client downloads the bytes; null if they are in this reply.'),
    kind: FileKind,
    size: z.int().min(0),
    data: z
      .string()
      .describe('The part, in base64; empty after the last byte, and where there is an address.'),
  }),
  errors: ['file_not_found'],
  permission: 'file:download',
  timeoutMs: 15_000,
})
