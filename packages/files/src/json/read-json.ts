import { Assembler } from 'stream-json/core/assembler.js'
import { jsonParser, type Token } from 'stream-json/core/parser.js'
import { UnusableFileError } from '../unusable-file-error.js'

/** The largest record, and the most beside the records of a document, in characters: memory is bounded. */
const MAX_RECORD_LENGTH = 4 * 1_048_576

/** The array of a document whose members are records. */
export type Members = 'features' | 'items'

/** A record that is no JSON. */
export const NO_JSON = Symbol('no JSON')

/**
 * Reads the members of the array `features` or `items` of consecutive JSON documents, in constant memory. A document without such an array
 * is a record itself.
 *
 * @param chunks the bytes of the file, in UTF-8
 * @param name the file in messages
 * @returns the records of each chunk
 * @throws UnusableFileError if a document is damaged, or a record is larger than 4 MiB
 */
export async function* readMembers(
  chunks: AsyncIterable<Uint8Array>,
  members: Members,
  name: string,
): AsyncGenerator<unknown[]> {
  const tokensOf = jsonParser({ jsonStreaming: true, packValues: true, streamValues: false })
  const documents = new Documents(members)
  let unread = 0
  for await (const text of decoded(chunks)) {
    const records: unknown[] = []
    try {
      // Record separators of RFC 8142 stand between documents.
      const tokens = tokensOf(text.replaceAll('\u001e', ' '))
      if (typeof tokens === 'object' && 'values' in tokens)
        for (const token of tokens.values) documents.add(token, records)
    } catch (error) {
      throw new UnusableFileError(`${name} is damaged: its JSON is not valid.`, { cause: error })
    }
    unread = records.length > 0 ? 0 : unread + text.length
    if (unread > MAX_RECORD_LENGTH)
      throw new UnusableFileError(`${name} has a record that is larger than 4 MiB.`)
    yield records
  }
  if (documents.isOpen) throw new UnusableFileError(`${name} is damaged: its JSON ends early.`)
}

/** Assembles records from the tokens of documents. */
class Documents {
  private readonly value = new Assembler()
  /** True while the array that is read is that of the members. */
  private isInMembers = false
  private hadMembers = false

  constructor(private readonly members: Members) {}

  get isOpen(): boolean {
    return this.value.depth > 0
  }

  add(token: Token, records: unknown[]): void {
    const { value } = this
    value.consume(token)
    if (token.name === 'startArray' && value.depth === 2 && value.path[0] === this.members) {
      this.isInMembers = true
      this.hadMembers = true
      return
    }
    if (this.isInMembers && value.depth < 2) this.isInMembers = false
    const current: unknown = value.current
    if (this.isInMembers && value.depth === 2 && Array.isArray(current))
      records.push(...(current.splice(0) as unknown[]))
    if (!value.done) return
    if (!this.hadMembers) records.push(current)
    this.hadMembers = false
  }
}

/**
 * Reads JSON lines. A line that is no JSON, or too long, costs itself.
 *
 * @returns the records of each chunk; {@link NO_JSON} for what is none
 */
export async function* readJsonLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<unknown[]> {
  let rest = ''
  let isSkipping = false
  for await (const text of decoded(chunks)) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    if (isSkipping && lines.length > 0) {
      lines[0] = 'too long'
      isSkipping = false
    }
    if (rest.length > MAX_RECORD_LENGTH || isSkipping) {
      isSkipping = true
      rest = ''
    }
    yield lines.flatMap(recordOf)
  }
  yield isSkipping ? [NO_JSON] : recordOf(rest)
}

function recordOf(line: string): unknown[] {
  const text = line.replace(/^\u001e/, '').trim()
  if (text === '') return []
  try {
    return [JSON.parse(text)]
  } catch {
    return [NO_JSON]
  }
}

/** Decodes UTF-8 without a byte order mark; bytes that are none become U+FFFD. */
async function* decoded(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}
