import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import type { PresentedCredential } from '@bearing/contracts/identity/credentials/credential'
import { elfFile } from '@bearing/start/demo/elf-file'
import { headersOf, send, type Reply } from './http.js'

/** A project as devices and people address it. */
export interface UploadTarget {
  readonly gateway: string
  /** `/api/v0/organizations/{o}/projects/{p}` */
  readonly project: string
  readonly credential: PresentedCredential
}

/** The reply to a preparation. */
export interface Prepared {
  readonly upload_url: string
  readonly token: string
}

/** Returns the URL of a preparation for a caller. */
export function prepareAt({ project, credential }: UploadTarget): string {
  return credential.kind === 'project_key' ? '/api/v0/upload' : `${project}/upload`
}

export async function prepare(target: UploadTarget, body?: unknown): Promise<Prepared> {
  const reply = await send(target.gateway, 'POST', prepareAt(target), { credential: target.credential, body })
  if (reply.status !== 200) throw new Error(`not prepared: ${reply.text}`)
  return reply.json?.data as Prepared
}

/** Puts bytes to an upload address, without a credential. */
export async function put(
  { upload_url: url }: Pick<Prepared, 'upload_url'>,
  bytes: Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ status: number; text: string; retryAfter: string | null }> {
  const response = await fetch(url, { method: 'PUT', body: Buffer.from(bytes), headers })
  return {
    status: response.status,
    text: await response.text(),
    retryAfter: response.headers.get('retry-after'),
  }
}

export function commit(
  { gateway, credential }: UploadTarget,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  return send(gateway, 'POST', path, { credential, body, headers: { ...headersOf(credential), ...headers } })
}

/** MD5 in hexadecimal. */
export function md5(bytes: Uint8Array): string {
  return createHash('md5').update(bytes).digest('hex')
}

/** A little-endian 32-bit ELF file without notes, in which the build script of a firmware SDK has written a build id. */
export function sdkElfFile(buildId: Buffer): Buffer {
  const names = Buffer.from('\0main\0g_memfault_sdk_derived_build_id\0', 'latin1')
  const symbols = Buffer.alloc(32)
  symbols.writeUInt32LE(6, 16)
  symbols.writeUInt32LE(0x0800_0010, 20)
  symbols.writeUInt32LE(20, 24)
  symbols.writeUInt16LE(1, 30)
  const content = Buffer.concat([Buffer.alloc(16), buildId])
  const header = Buffer.alloc(52)
  header.write('\u007fELF', 0, 'latin1')
  header.set([1, 1, 1], 4)
  const parts = [content, symbols, names]
  const offsets = parts.map((_, i) => 52 + parts.slice(0, i).reduce((sum, { length }) => sum + length, 0))
  const section = (type: number, i: number, address: number, link: number) => {
    const entry = Buffer.alloc(40)
    entry.writeUInt32LE(type, 4)
    entry.writeUInt32LE(address, 12)
    entry.writeUInt32LE(offsets[i] ?? 0, 16)
    entry.writeUInt32LE(parts[i]?.length ?? 0, 20)
    entry.writeUInt32LE(link, 24)
    return entry
  }
  const sections = [Buffer.alloc(40), section(1, 0, 0x0800_0000, 0), section(2, 1, 0, 3), section(3, 2, 0, 0)]
  header.writeUInt32LE(52 + content.length + symbols.length + names.length, 32)
  header.writeUInt16LE(40, 46)
  header.writeUInt16LE(sections.length, 48)
  return Buffer.concat([header, ...parts, ...sections])
}

/** A little-endian 64-bit ELF file of 32 segments of notes, of which only the last may have a build id. */
export function manyNotes(buildId: Buffer | undefined): Buffer {
  const one = elfFile(buildId ?? Buffer.alloc(20))
  const note = one.subarray(120)
  // NT_GNU_ABI_TAG, as other notes of GNU have it.
  const other = Buffer.from(note)
  other.writeUInt32LE(1, 8)
  const header = Buffer.from(one.subarray(0, 64))
  header.writeUInt16LE(32, 56)
  const segments = Array.from({ length: 32 }, (_, number) => {
    const segment = Buffer.from(one.subarray(64, 120))
    segment.writeBigUInt64LE(BigInt(64 + 32 * 56 + number * note.length), 8)
    return segment
  })
  const notes = Array.from({ length: 32 }, (_, number) => (number === 31 && buildId ? note : other))
  return Buffer.concat([header, ...segments, ...notes, Buffer.alloc(500_000)])
}
