import { Buffer } from 'node:buffer'
import { PART_BYTES, partBytesOf } from '@bearing/contracts/management/data/upload'
import type { ObjectStore } from '@bearing/nats/object-store'
import { Storage, type Received, type Stored } from './storage.js'

/** Stores files in JetStream's object store. Bytes pass through the gateway. */
export class JetStreamStorage extends Storage {
  override readonly name = 'jetstream'

  constructor(private readonly objects: ObjectStore) {
    super()
  }

  override putUrl(): Promise<undefined> {
    return Promise.resolve(undefined)
  }

  override append(object: string, data: Uint8Array, after: number): Promise<number> {
    return this.objects.append(object, data, after)
  }

  override complete(object: string, parts: number, { size, sha256 }: Received): Promise<void> {
    const partBytes = partBytesOf(size, parts) ?? PART_BYTES
    return this.objects.complete(object, { size, chunks: parts, sha256 }, partBytes)
  }

  override inspect(): Promise<{ outcome: 'nothing' }> {
    return Promise.resolve({ outcome: 'nothing' })
  }

  override adopt(): Promise<boolean> {
    return Promise.resolve(false)
  }

  override async read({ id, parts, size }: Stored, offset: number, length: number): Promise<Uint8Array> {
    const partBytes = partBytesOf(size, parts.length)
    if (partBytes === undefined) throw new Error('the object has a wrong number of parts')
    const end = Math.min(size, offset + length)
    const read: Uint8Array[] = []
    for (let at = offset; at < end;) {
      const number = Math.floor(at / partBytes)
      const part = await this.objects.read(id, Number(parts[number]))
      const from = at - number * partBytes
      const piece = part.subarray(from, from + end - at)
      if (piece.length === 0) throw new Error('a part of the object is incomplete')
      read.push(piece)
      at += piece.length
    }
    return read.length === 1 && read[0] ? read[0] : Buffer.concat(read)
  }

  override getUrl(): Promise<undefined> {
    return Promise.resolve(undefined)
  }

  override remove(object: string): Promise<void> {
    return this.objects.remove(object)
  }
}
