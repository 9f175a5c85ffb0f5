import { OperationError } from '@bearing/contracts/errors'
import { HEADERS } from '@bearing/contracts/headers'
import type { Operation } from '@bearing/contracts/operation'
import type { Msg } from '@nats-io/transport-node'
import { answer, answerError } from './answer.js'
import { integersOf, readJson, readJsonText } from './json-object.js'
import type { UnreadInput } from './unread-input.js'

/** Headers that may come with a call beside its input, as unchecked text. */
export type CallHeader = keyof typeof HEADERS

/** A call as it came: alone, or together with others. */
export interface IncomingCall {
  /** @throws OperationError `invalid_input` where the headers are none */
  header(name: CallHeader): string | undefined
  /**
   * @throws OperationError `malformed_json`, `invalid_input`
   */
  input(operation: Pick<Operation, 'bytes' | 'lenient'>): unknown
  /** Returns the input before it is read, where it is a text of JSON. */
  unread(): UnreadInput | undefined
  /**
   * @param output JSON
   * @throws OperationError `reply_too_large`
   */
  answer(output: string): void
  fail(error: OperationError): void
}

const NOTHING_OVER = {}

/** A call that came as a message of its own, as any client of NATS sends it. */
export class SingleCall implements IncomingCall {
  constructor(
    private readonly message: Msg,
    private readonly maxPayload: number,
  ) {}

  header(name: CallHeader): string | undefined {
    return readHeaders(this.message)?.get(HEADERS[name]) || undefined
  }

  input({ bytes, lenient = false }: Pick<Operation, 'bytes' | 'lenient'>): unknown {
    if (bytes !== undefined) return { ...asObject(this.header('input')), [bytes]: this.message.data }
    if (this.message.data.length === 0) return {}
    return readJson(this.message.data, integersOf({ lenient }))
  }

  unread(): UnreadInput {
    return { json: this.message.data, over: NOTHING_OVER }
  }

  answer(output: string): void {
    answer(this.message, output, this.maxPayload)
  }

  fail(error: OperationError): void {
    answerError(this.message, error)
  }
}

/** Headers are parsed when they are first looked at; what is none of them throws. */
function readHeaders(message: Msg): Msg['headers'] {
  try {
    return message.headers
  } catch (cause) {
    throw new OperationError(
      'invalid_input',
      'The headers of the request are not well formed.',
      {},
      { cause },
    )
  }
}

/** Reads the JSON in the header of a binary message. Validation reports what is wrong with it. */
function asObject(text = '{}'): object {
  const value = readJsonText(text)
  return typeof value === 'object' && value !== null ? value : {}
}
