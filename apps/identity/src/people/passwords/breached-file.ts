import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'

/** Hexadecimal digits of a SHA-1. */
const DIGITS = 40
/** Longer than any line: a hash, ":", a count, the end. */
const MAX_LINE = 128

/**
 * A file of breached passwords: sorted lines `SHA-1:count`, as the downloader of haveibeenpwned.com writes them. A lookup
 * in a billion lines reads about 35 of them.
 */
export class BreachedFile {
  private constructor(private readonly path: string) {}

  /** @throws Error if the file cannot be read or has another format */
  static async open(path: string): Promise<BreachedFile> {
    const file = new BreachedFile(path)
    await file.has('')
    return file
  }

  /** Returns whether the file contains a password. @throws Error if it cannot be read */
  async has(password: string): Promise<boolean> {
    const wanted = createHash('sha1').update(password).digest('hex').toUpperCase()
    await using file = await open(this.path)
    const readLine = async (from: number) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_LINE * 2), 0, MAX_LINE * 2, from)
      return lineIn(buffer.toString('latin1', 0, bytesRead), from)
    }
    // Binary search for the first line that begins at or after `low` and does not sort before the wanted one.
    let low = 0
    let high = (await file.stat()).size
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      const line = await readLine(middle)
      if (line === undefined) high = middle
      else if (line.hash === wanted) return true
      else if (line.hash > wanted) high = middle
      else low = line.end
    }
    const last = await readLine(low)
    return last?.hash === wanted
  }
}

/** Returns the first complete line of a part of the file; undefined if no line begins in it. */
function lineIn(piece: string, from: number): { readonly hash: string; readonly end: number } | undefined {
  const begin = from === 0 ? 0 : piece.indexOf('\n') + 1
  if (from !== 0 && begin === 0) return undefined
  const length = piece.slice(begin).indexOf('\n')
  const end = length < 0 ? piece.length : begin + length
  const line = piece.slice(begin, end)
  if (line === '') return undefined
  const hash = line.slice(0, DIGITS).toUpperCase()
  if (!/^[0-9A-F]{40}$/.test(hash))
    throw new Error('the list of breached passwords contains a line without a SHA-1')
  return { hash, end: from + end }
}
