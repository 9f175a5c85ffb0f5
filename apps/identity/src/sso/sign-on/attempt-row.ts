import { createHash } from 'node:crypto'

/** What the secrets of an attempt are sealed for. */
export const PURPOSE = 'sign-on attempt'

/** What is stored of `state` and of the browser's cookie. Both are 256 random bits: a plain hash does. */
export function attemptHash(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(text).digest())
}

/** What the secrets of an attempt are bound to. */
export function subjectOf(stateHash: Uint8Array): string {
  return Buffer.from(stateHash).toString('hex')
}
