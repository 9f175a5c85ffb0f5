import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Content codings, best first. */
const ENCODINGS = ['br', 'gzip', 'identity'] as const
type Encoding = (typeof ENCODINGS)[number]
const SUFFIXES = { br: '.br', gzip: '.gz', identity: '' } as const

/** A file that a build has written, in each encoding that is served. */
export interface StaticFile {
  readonly type: string
  /** Identifies the content. */
  readonly etag: string
  readonly bodies: ReadonlyMap<Encoding, Buffer>
}

/** The name of the file contains a hash of what is in it, or its folder's name does. */
export const HASHED = {
  'cache-control': 'public, max-age=31536000, immutable',
  'referrer-policy': 'no-referrer',
} as const

/** A new version is seen at the next visit; until then the browser asks whether its copy is current. */
export const REVALIDATED = { 'cache-control': 'no-cache', 'referrer-policy': 'no-referrer' } as const

/**
 * Reads a file into memory, with the codings that the build has written beside it.
 *
 * @throws Error if the file is missing
 */
export function readStaticFile(folder: URL, name: string, type: string): StaticFile {
  const urlOf = (encoding: Encoding) => new URL(`${name}${SUFFIXES[encoding]}`, folder)
  const encodings = ENCODINGS.filter((encoding) => existsSync(urlOf(encoding)))
  return {
    type,
    etag: etagOf(readFileSync(urlOf('identity'))),
    bodies: new Map(encodings.map((encoding) => [encoding, readFileSync(urlOf(encoding))])),
  }
}

/** Compresses a document that is made once, in tens of milliseconds for a megabyte. */
export function compressedFile(plain: Buffer, type: string): StaticFile {
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }
  return {
    type,
    etag: etagOf(plain),
    bodies: new Map<Encoding, Buffer>([
      ['br', brotliCompressSync(plain, quality)],
      ['gzip', gzipSync(plain)],
      ['identity', plain],
    ]),
  }
}

/** A strong entity tag: a hash of every byte. */
export function etagOf(content: string | Buffer): string {
  return `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`
}

/** Sends the file in the best coding that the client accepts. */
export function sendFile(request: FastifyRequest, reply: FastifyReply, file: StaticFile): FastifyReply {
  const encoding = encodingFor(request.headers['accept-encoding'], file)
  if (encoding !== 'identity') void reply.header('content-encoding', encoding)
  return reply.header('content-type', file.type).send(file.bodies.get(encoding))
}

/** Sends the file, or 304 if the client has it. */
export function sendCached(request: FastifyRequest, reply: FastifyReply, file: StaticFile): FastifyReply {
  void reply.header('etag', file.etag)
  return request.headers['if-none-match'] === file.etag
    ? reply.code(304).send()
    : sendFile(request, reply, file)
}

/** Returns the best coding that the client accepts; one with `q=0` is refused (RFC 9110 §12.5.3). */
function encodingFor(header: string | string[] | undefined, { bodies }: StaticFile): Encoding {
  const accepted = new Set(
    String(header ?? '')
      .split(',')
      .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part))
      .map((part) => (part.split(';')[0] ?? '').trim().toLowerCase()),
  )
  return ENCODINGS.find((encoding) => bodies.has(encoding) && accepted.has(encoding)) ?? 'identity'
}
