import { Buffer } from 'node:buffer'
import { OperationError } from '@bearing/contracts/errors'
import {
  JetStreamApiError,
  JetStreamError,
  jetstream,
  jetstreamManager,
  type JetStreamClient,
  type JetStreamManager,
} from '@nats-io/jetstream'
import {
  NoRespondersError,
  RequestError,
  TimeoutError,
  headers as natsHeaders,
  type Msg,
} from '@nats-io/transport-node'
import { acknowledgementOf } from '../calls/acknowledgement.js'
import type { Connection } from '../connection.js'
import { BUCKET, OBJECT_STORE, objectSubject } from './object-subjects.js'
import { JETSTREAM } from '../permissions/inboxes.js'
import { ReplyInboxes } from '../calls/reply-inboxes.js'
import { RequestSender } from '../calls/request-sender.js'

/** Time limit for JetStream to process one part, in milliseconds. */
const TIMEOUT_MS = 4_000
/** JetStream's error code for a message that is not the next one of its object, or of the stream. */
const WRONG_LAST_SEQUENCE = 10_071
/** JetStream's error codes if it, its stream or its disk is full, or its disk refuses. */
const FULL = new Set([10_023, 10_028, 10_037, 10_047, 10_052, 10_054, 10_077, 10_122])

/** Id of the object whose only part is the first message of the stream. It is never complete, so no client lists it. */
export const HEAD = 'head'

/** Properties of an object, known when all of its parts are there. */
export interface ObjectFacts {
  readonly size: number
  /** Number of its parts. */
  readonly chunks: number
  /** SHA-256 of its content, in hexadecimal. */
  readonly sha256: string
}

/**
 * Objects of any size in JetStream, as the convention for object stores has them (ADR-20), so that `nats object` and every
 * client library can read them. The published client writes and reads an object as one stream of one process. Here each part is
 * a call of its own, which any process can serve and which holds no more memory than the part.
 */
export class ObjectStore {
  private readonly client: JetStreamClient
  /** Stores parts. */
  private readonly requests: RequestSender
  private manager: Promise<JetStreamManager> | undefined
  private head: Promise<void> | undefined

  constructor(private readonly connection: Connection) {
    this.client = jetstream(connection.raw, { timeout: TIMEOUT_MS })
    this.requests = new RequestSender(connection, new ReplyInboxes(connection), () => JETSTREAM, TIMEOUT_MS)
  }

  /**
   * Writes one part.
   *
   * @param after sequence of the part before it; 0 for the first
   * @returns its sequence, by which it is read
   * @throws OperationError `upload_url_invalid` where it is not the next part of the object, `overloaded` where the store is full,
   *   `service_unavailable` where JetStream cannot be reached
   */
  async append(object: string, data: Uint8Array, after: number): Promise<number> {
    const headers = natsHeaders()
    headers.set('Nats-Expected-Last-Subject-Sequence', String(after))
    return this.ask(async () => {
      await this.keepHead()
      return sequenceOf(await this.requests.send(objectSubject.chunks(object), data, headers, TIMEOUT_MS))
    })
  }

  /**
   * Makes a message that is never removed the first of the stream. Removing the first messages of a stream moves its beginning
   * only, which NATS 2.10 writes to the disk within two minutes: a crash before that would bring the removed object back.
   */
  private keepHead(): Promise<void> {
    this.head ??= this.writeHead().catch((error: unknown) => {
      this.head = undefined
      throw error
    })
    return this.head
  }

  private async writeHead(): Promise<void> {
    const headers = natsHeaders()
    headers.set('Nats-Expected-Last-Sequence', '0')
    const said = acknowledgementOf(
      await this.requests.send(objectSubject.chunks(HEAD), new Uint8Array(), headers, TIMEOUT_MS),
    )
    if (!said) throw unavailable(undefined)
    // Any other refusal is that of the part that follows, too.
    if ('code' in said && said.code !== WRONG_LAST_SEQUENCE)
      throw new PartRefused(said.code, said.description)
  }

  /** Says that an object is complete: only now do other clients see it. Under its id, as name too. */
  async complete(object: string, { size, chunks, sha256 }: ObjectFacts, partBytes: number): Promise<void> {
    const headers = natsHeaders()
    // Of what is known of an object, only the latest counts.
    headers.set('Nats-Rollup', 'sub')
    const info = {
      name: object,
      bucket: BUCKET,
      nuid: object,
      size,
      chunks,
      digest: `SHA-256=${Buffer.from(sha256, 'hex').toString('base64url').padEnd(44, '=')}`,
      options: { max_chunk_size: partBytes },
    }
    await this.ask(() =>
      this.client.publish(aboutOf(object), JSON.stringify(info), { headers, timeout: TIMEOUT_MS }),
    )
  }

  /**
   * Reads one part.
   *
   * @throws OperationError as {@link append}; Error where there is no such part
   */
  async read(object: string, sequence: number): Promise<Uint8Array> {
    const message = await this.ask(async () => {
      const { direct } = await this.api()
      return direct.getMessage(OBJECT_STORE, { seq: sequence })
    })
    if (message?.subject !== objectSubject.chunks(object))
      throw new Error('a part of the object is not there')
    return message.data
  }

  /** Takes an object away, complete or not. Does nothing where there is none. */
  async remove(object: string): Promise<void> {
    await this.ask(async () => {
      const { streams } = await this.api()
      await streams.purge(OBJECT_STORE, { filter: aboutOf(object) })
      await streams.purge(OBJECT_STORE, { filter: objectSubject.chunks(object) })
    })
  }

  private async api(): Promise<JetStreamManager> {
    this.manager ??= jetstreamManager(this.connection.raw, { timeout: TIMEOUT_MS, checkAPI: false })
    return this.manager
  }

  private async ask<Answer>(question: () => Promise<Answer>): Promise<Answer> {
    if (!this.connection.isOpen && !(await this.connection.opens())) throw unavailable(undefined)
    try {
      return await question()
    } catch (error) {
      throw translated(error)
    }
  }
}

function aboutOf(object: string): string {
  return objectSubject.about(Buffer.from(object).toString('base64url'))
}

function translated(error: unknown): unknown {
  const cause = error instanceof RequestError ? (error.cause ?? error) : error
  if (cause instanceof JetStreamApiError || cause instanceof PartRefused)
    return refusalOf(cause.code, cause) ?? error
  if (
    cause instanceof TimeoutError ||
    cause instanceof NoRespondersError ||
    cause instanceof JetStreamError ||
    // Also while a cluster elects a leader of the stream: then no server subscribes to its subjects.
    (cause instanceof Error && cause.name === 'JetStreamNotEnabled') ||
    cause instanceof OperationError
  )
    return unavailable(cause)
  return error
}

/** @param code of JetStream */
function refusalOf(code: number, cause: unknown): OperationError | undefined {
  if (code === WRONG_LAST_SEQUENCE)
    return new OperationError(
      'upload_url_invalid',
      'Another request has written to this upload meanwhile. Prepare the upload again.',
      {},
      { cause },
    )
  if (FULL.has(code))
    return new OperationError(
      'overloaded',
      'The storage of files is full. Try again later.',
      { retry_after: 60 },
      { cause },
    )
  return undefined
}

/** JetStream has not taken a part, and says why. */
class PartRefused extends Error {
  constructor(
    readonly code: number,
    description: string,
  ) {
    super(description)
  }
}

/** @throws PartRefused if JetStream has not stored it, OperationError `service_unavailable` if that is unknown */
function sequenceOf(reply: Msg): number {
  const said = acknowledgementOf(reply)
  if (!said) throw unavailable(undefined)
  if ('code' in said) throw new PartRefused(said.code, said.description)
  return said.sequence
}

function unavailable(cause: unknown): OperationError {
  return new OperationError(
    'service_unavailable',
    'The storage of files cannot be reached at the moment. Try again shortly.',
    { retry_after: 1 },
    { cause },
  )
}
