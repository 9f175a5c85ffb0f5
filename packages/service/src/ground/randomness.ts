import { randomBytes } from 'node:crypto'
import { v7 } from 'uuid'

/** The source of ids and random bytes, passed in so that tests can choose them. */
export class Randomness {
  constructor(
    /** A new id: UUIDv7 (RFC 9562), so rows are stored about in the order of time. */
    readonly newId: () => string,
    /** Returns this many bytes that cannot be foreseen. */
    readonly bytes: (length: number) => Uint8Array<ArrayBuffer>,
  ) {}
}

/** Returns the system's randomness. */
export function systemRandomness(): Randomness {
  return new Randomness(v7, (length) => new Uint8Array(randomBytes(length)))
}
