import type { InflationFault, InflationLimits } from '@bearing/service/ground/inflation'

/** Size and digests of uploaded bytes. */
export interface Received {
  /** Of the content, in bytes and in hexadecimal. */
  readonly size: number
  readonly md5: string
  readonly sha256: string
  /** Of the bytes as sent, possibly compressed. */
  readonly sentSize: number
  readonly sentMd5: string
}

/** A complete object. */
export interface Stored {
  readonly id: string
  /** Positions of the parts; empty if the storage has no parts. */
  readonly parts: readonly bigint[]
  readonly gzip: boolean
  /** Of the content, in bytes. */
  readonly size: number
}

/** Content that a client has put to a URL of the storage. */
export type Inspected =
  | { readonly outcome: 'nothing' }
  | { readonly outcome: InflationFault }
  | {
      readonly outcome: 'complete'
      readonly received: Received
      readonly gzip: boolean
      /** Of an ELF file, in hexadecimal; undefined if there is none. */
      readonly gnuBuildId: string | undefined
      /** Proves to {@link Storage.adopt} that the bytes are the same. */
      readonly version: string | undefined
    }

/** Stores the bytes of files, and of chunks where it can. An object is named by the id of its row and written once. At most one part is in memory. */
export abstract class Storage {
  /** The name in rows. */
  abstract readonly name: 'jetstream' | 's3'
  /** True if {@link write} and {@link readRange} work. Otherwise payloads of chunks stay in their rows. */
  readonly storesPayloads: boolean = false

  /**
   * Returns the URL to which clients put the bytes of an object.
   *
   * @returns undefined if the gateway receives them, part by part
   */
  abstract putUrl(object: string): Promise<string | undefined>

  /**
   * Writes one part of an object.
   *
   * @param after the position of the part before; 0 for the first
   * @returns the position of the part
   * @throws OperationError if it is not the next part, or the storage is full or unavailable
   */
  abstract append(object: string, data: Uint8Array, after: number): Promise<number>

  /** Marks an object as complete. */
  abstract complete(object: string, parts: number, received: Received): Promise<void>

  /**
   * Reads all bytes that a client has put to a URL, once.
   *
   * @param limits of the content; no more is read
   */
  abstract inspect(put: string, limits: InflationLimits): Promise<Inspected>

  /**
   * Copies what a client has put to a URL, so that the client cannot change it any more.
   *
   * @param put the object of the URL
   * @param into the new object
   * @param version as {@link inspect} returned it
   * @returns false if it does not exist
   * @throws OperationError if it has another version
   */
  abstract adopt(put: string, into: string, version: string | undefined): Promise<boolean>

  /**
   * Reads content: at most `length` bytes from `offset` on, fewer at the end.
   *
   * @throws Error if it is compressed
   */
  abstract read(object: Stored, offset: number, length: number): Promise<Uint8Array>

  /**
   * Returns the URL from which clients get an object.
   *
   * @param name the file name for browsers
   * @returns undefined if clients get it through the gateway
   */
  abstract getUrl(object: Stored, name: string): Promise<string | undefined>

  /**
   * Writes a whole object from memory, or replaces it.
   *
   * @throws OperationError `service_unavailable` after `timeoutMs`; it may be stored nevertheless
   */
  write(_object: string, _bytes: Uint8Array, _timeoutMs: number): Promise<void> {
    return Promise.reject(new Error(`the storage "${this.name}" does not write whole objects`))
  }

  /** Reads a range of an object that {@link write} has written. Returns undefined if it does not exist. */
  readRange(_object: string, _offset: number, _length: number): Promise<Uint8Array | undefined> {
    return Promise.reject(new Error(`the storage "${this.name}" does not read ranges`))
  }

  /** Removes an object, complete or not. Does nothing if it does not exist. */
  abstract remove(object: string): Promise<void>
}

/** All storages that may contain objects, also from before a change of the settings. */
export class Storages {
  /** @param current stores new objects */
  constructor(
    readonly current: Storage,
    private readonly all: readonly Storage[],
  ) {}

  /** @throws Error if the storage is not configured any more */
  named(name: string): Storage {
    const storage = this.all.find((candidate) => candidate.name === name)
    if (!storage)
      throw new Error(`the storage "${name}" contains objects and is not configured: restore its settings`)
    return storage
  }
}
