import { Buffer } from 'node:buffer'
import { formatOf, half } from './gnu-build-id.js'

/** Bytes from the start of a file that {@link symbolsKind} needs: the first class of a ProGuard mapping comes after its comments. */
export const KIND_BYTES = 8_192
/** `com.example.Name -> a.b:` */
const MAPPING = /^[\w$.-]+ -> [\w$.-]+:\s*(?:#.*)?$/m
const ELF_MAGIC = 0x7f454c46
/** Type of an object file in the header of an ELF file: not linked yet. */
const ET_REL = 1

/**
 * Recognizes symbols by their content, because names are unreliable.
 *
 * @param start the first {@link KIND_BYTES} bytes of the file, or all of them if it has fewer
 * @returns `elf` or `proguard`; undefined if it is neither
 */
export function symbolsKind(start: Uint8Array): 'elf' | 'proguard' | undefined {
  const bytes = Buffer.from(start.buffer, start.byteOffset, Math.min(start.byteLength, KIND_BYTES))
  if (bytes.length >= 4 && bytes.readUInt32BE(0) === ELF_MAGIC) return 'elf'
  return MAPPING.test(bytes.toString('utf8')) ? 'proguard' : undefined
}

/** Returns whether the start of an ELF file is that of an object file, which a linker makes a program of. */
export function isObjectFile(start: Uint8Array): boolean {
  const header = Buffer.from(start.buffer, start.byteOffset, start.byteLength)
  const format = formatOf(header)
  return format !== undefined && half(header, 16, format) === ET_REL
}
