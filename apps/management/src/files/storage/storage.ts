/** What is known of bytes that were put. */
export interface Received {
  /** Of the content, in bytes and in hexadecimal. */
  readonly size: number
  readonly md5: string
  readonly sha256: string
  /** Of the bytes as they were sent, which may have been compressed. */
  readonly sentSize: number
  readonly sentMd5: string
}

/** Bytes that are stored completely. */
export interface Stored {
  readonly id: string
  /** Where the parts are; empty where the storage has no parts. */
  readonly parts: readonly bigint[]
  readonly gzip: boolean
  /** Of the content, in bytes. */
  readonly size: number
}

/** What bytes are that a client has put to an address of the storage. */
export type Looked =
  | { readonly outcome: 'nothing' }
  | { readonly outcome: 'too_large' }
  /** It says that it is compressed, and is not. */
  | { readonly outcome: 'damaged' }
  | {
      readonly outcome: 'complete'
      readonly received: Received
      readonly gzip: boolean
      /** Of an ELF file, in hexadecimal; undefined if it is none or has none. */
      readonly gnuBuildId: string | undefined
      /** Proves to {@link Storage.take} that the bytes are still the same. */
      readonly version: string | undefined
    }

/**
 * Where the bytes of files are. An object has the id of its row as name, and is written once. Nothing here holds more of one
 * than a part.
 */
export abstract class Storage {
  /** As rows have it. */
  abstract readonly name: 'jetstream' | 's3'

  /**
   * Where clients put the bytes of an object by themselves.
   *
   * @returns undefined where the gateway takes them, part by part
   */
  abstract putAddress(object: string): Promise<string | undefined>

  /**
   * Writes one part of an object.
   *
   * @param after what the part before was answered with; 0 for the first
   * @returns the place of the part
   * @throws OperationError where it is not the next one, the storage is full, or cannot be reached
   */
  abstract append(object: string, data: Uint8Array, after: number): Promise<number>

  /** Says that all parts of an object are written. */
  abstract complete(object: string, parts: number, received: Received): Promise<void>

  /**
   * Reads all bytes that a client has put to an address, once.
   *
   * @param maxBytes of the content; more is not read
   */
  abstract look(put: string, maxBytes: number): Promise<Looked>

  /**
   * Copies what a client has put to an address, so that nobody can change it any more.
   *
   * @param put the object of the address
   * @param into the object that it becomes
   * @param version as {@link look} returned it
   * @returns false if there is nothing
   * @throws OperationError if it has another version
   */
  abstract take(put: string, into: string, version: string | undefined): Promise<boolean>

  /**
   * Reads content: at most `length` bytes from `offset` on, fewer at the end.
   *
   * @throws Error if it is compressed
   */
  abstract read(object: Stored, offset: number, length: number): Promise<Uint8Array>

  /**
   * Where clients get an object by themselves.
   *
   * @param name what a browser saves it as
   * @returns undefined where they get it through the gateway
   */
  abstract getAddress(object: Stored, name: string): Promise<string | undefined>

  /** Takes an object away, complete or not. Does nothing where there is none. */
  abstract remove(object: string): Promise<void>
}

/** Every storage that may have objects: what was stored before the settings changed is still there. */
export class Storages {
  /** @param current where new objects go */
  constructor(
    readonly current: Storage,
    private readonly all: readonly Storage[],
  ) {}

  /** @throws Error where an object is in a storage that is not configured any more */
  named(name: string): Storage {
    const storage = this.all.find((candidate) => candidate.name === name)
    if (!storage) throw new Error(`the storage "${name}" is not configured, and has objects`)
    return storage
  }
}
